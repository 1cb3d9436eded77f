import type { LikeAnswer, SaveAnswer } from "../../shared/social.ts";
import { showLimited } from "../session/failure.ts";
import type { ToggleMutation } from "../session/use-toggle.ts";

/** Likes or unlikes a blog. */
export const likeBlog: ToggleMutation<{ blogId: string }, LikeAnswer> = ({ client }) => ({
  name: "social.likeBlog",
  key: ({ blogId }) => `like:${blogId}`,
  optimisticEvents: ({ blogId, on }) => [{ topic: "me", event: { kind: "viewer.like", blogId, liked: on } }],
  send: ({ blogId, on }) => client.social.likeBlog.mutate({ blogId, liked: on }),
  keepOffline: true,
  onLimited: showLimited,
});

/** Saves or unsaves a blog. */
export const saveBlog: ToggleMutation<{ blogId: string }, SaveAnswer> = ({ client }) => ({
  name: "social.saveBlog",
  key: ({ blogId }) => `save:${blogId}`,
  optimisticEvents: ({ blogId, on }) => [{ topic: "me", event: { kind: "viewer.save", blogId, saved: on } }],
  send: ({ blogId, on }) => client.social.saveBlog.mutate({ blogId, saved: on }),
  keepOffline: true,
  onLimited: showLimited,
});
