import type { LikeAnswer, SaveAnswer } from "../../shared/social.ts";
import { tellFailure } from "../session/failure.ts";
import type { TurnAct } from "../session/use-switch.ts";

/** The heart of a blog. */
export const likeBlog: TurnAct<{ blogId: string }, LikeAnswer> = ({ client, navigate }) => ({
  name: "social.likeBlog",
  key: ({ blogId }) => `like:${blogId}`,
  foresee: ({ blogId, on }) => [{ topic: "me", event: { kind: "viewer.like", blogId, liked: on } }],
  send: ({ blogId, on }) => client.social.likeBlog.mutate({ blogId, liked: on }),
  kept: true,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});

/** The bookmark of a blog. */
export const saveBlog: TurnAct<{ blogId: string }, SaveAnswer> = ({ client, navigate }) => ({
  name: "social.saveBlog",
  key: ({ blogId }) => `save:${blogId}`,
  foresee: ({ blogId, on }) => [{ topic: "me", event: { kind: "viewer.save", blogId, saved: on } }],
  send: ({ blogId, on }) => client.social.saveBlog.mutate({ blogId, saved: on }),
  kept: true,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});
