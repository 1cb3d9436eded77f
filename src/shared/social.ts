import { z } from "zod";
import { BlogKey, Id, PageNumber } from "./users.ts";
import type { FollowStatus, Person } from "./users.ts";

/** The wanted state, not a toggle: a retry changes nothing. */
export const LikeBlog = z.strictObject({ blogId: BlogKey, liked: z.boolean() });
export const SaveBlog = z.strictObject({ blogId: BlogKey, saved: z.boolean() });
export const Follow = z.strictObject({ userId: Id, follow: z.boolean() });
export const HandleRequest = z.strictObject({ requesterId: Id, action: z.enum(["accept", "reject"]) });
export const Block = z.strictObject({ userId: Id, blocked: z.boolean() });
export const Mute = z.strictObject({ userId: Id, muted: z.boolean() });
export const UserId = z.strictObject({ userId: Id });

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

export interface BlockedPeople {
  people: Person[];
}

export type MutedPeople = BlockedPeople;

export interface FollowRequest extends Person {
  bio: string;
  askedAt: string;
}

export interface ListedPerson extends Person {
  bio: string;
  private: boolean;
  follow: FollowStatus;
}
export interface PeopleList {
  /** The list's owner. */
  userId: string;
  people: ListedPerson[];
  page: number;
  hasMore: boolean;
}
export const ListPeople = z.strictObject({
  username: z.string().min(1).max(100),
  list: z.enum(["followers", "following"]),
  page: PageNumber.default(1),
});
