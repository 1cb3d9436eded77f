import { z } from "zod";
import { Id } from "./users.ts";
import type { FollowStatus, Person } from "./users.ts";

/** The wanted state, not a toggle: a retry changes nothing. */
export const LikeBlog = z.object({ blogId: Id, liked: z.boolean() });
export const SaveBlog = z.object({ blogId: Id, saved: z.boolean() });
export const Follow = z.object({ userId: Id, follow: z.boolean() });
export const HandleRequest = z.object({ requesterId: Id, action: z.enum(["accept", "reject"]) });
export const UserId = z.object({ userId: Id });

export interface LikeAnswer {
  liked: boolean;
  likesCount: number;
}
export interface SaveAnswer {
  saved: boolean;
  savesCount: number;
}
export interface FollowAnswer {
  status: FollowStatus;
  followersCount: number | null;
}

/** Somebody who asks to follow a private account. */
export interface FollowRequest extends Person {
  bio: string;
  askedAt: string;
}

export type NotificationKind = "follow" | "request" | "accepted" | "comment" | "reply" | "like" | "comment-like" | "mention";
