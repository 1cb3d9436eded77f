import type { FollowAnswer, LikeAnswer, SaveAnswer } from "../../shared/social.ts";
import type { Act, Hands } from "../live/own.ts";
import { tellFailure } from "./failure.ts";

/** A switch of something: the wanted state, not a toggle. */
export interface Turn {
  on: boolean;
}

type TurnAct<Input, Answer> = (hands: Hands) => Act<Turn & Input, Answer & { cursor?: string }>;

/** The heart of a blog. */
export const likeBlog: TurnAct<{ blogId: string }, LikeAnswer> = ({ client, navigate }) => ({
  name: "social.likeBlog",
  key: ({ blogId }) => `like:${blogId}`,
  foresee: ({ blogId, on }) => [{ topic: "me", event: { kind: "own.like", blogId, liked: on } }],
  send: ({ blogId, on }) => client.social.likeBlog.mutate({ blogId, liked: on }),
  kept: true,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});

/** The bookmark of a blog. */
export const saveBlog: TurnAct<{ blogId: string }, SaveAnswer> = ({ client, navigate }) => ({
  name: "social.saveBlog",
  key: ({ blogId }) => `save:${blogId}`,
  foresee: ({ blogId, on }) => [{ topic: "me", event: { kind: "own.save", blogId, saved: on } }],
  send: ({ blogId, on }) => client.social.saveBlog.mutate({ blogId, saved: on }),
  kept: true,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});

/** Following somebody, who is asked first where `asksFirst` says so. */
export const follow: TurnAct<{ userId: string; asksFirst: boolean }, FollowAnswer> = ({
  client,
  navigate,
}) => ({
  name: "social.follow",
  key: ({ userId }) => `follow:${userId}`,
  foresee: ({ userId, on, asksFirst }) => {
    const status = on ? (asksFirst ? "requested" : "following") : "follow";
    return [{ topic: "me", event: { kind: "own.follow", userId, status } }];
  },
  send: ({ userId, on }) => client.social.follow.mutate({ userId, follow: on }),
  kept: false,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});
