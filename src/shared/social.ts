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

export const notificationKinds = [
  "follow",
  "request",
  "accepted",
  "comment",
  "pending-comment",
  "reply",
  "like",
  "comment-like",
  "mention",
  "subscription",
  "report-acted",
  "report-kept",
  "taken-down",
  "restored",
  "appeal-kept",
  "appeal-restored",
  "new-reports",
  "new-appeals",
  "new-sign-ups",
  "unscheduled",
  "invited",
  "joined",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
/** What moderators are notified of: one entry of each kind, however much waits. */
export type StaffNotificationKind = Extract<NotificationKind, `new-${string}`>;

/**
 * What happened to one target, and by whom. `actors` are the newest three of `actorsCount`, without people who hide their
 * likes.
 */
export interface NotificationGroup {
  id: string;
  kind: NotificationKind;
  target: string;
  actors: Person[];
  actorsCount: number;
  blog: { slug: string; title: string } | null;
  commentId: string | null;
  excerpt: string | null;
  at: string;
  unread: boolean;
}

export interface NotificationList {
  notifications: NotificationGroup[];
  unread: number;
  /** Unread ones since the viewer last opened the list in any tab. */
  unseen: number;
  /** When the newest was created, shown or not. */
  newest: string | null;
}
export const SeeNotifications = z.strictObject({ newest: z.iso.datetime() });

export const NotificationRef = z.strictObject({
  kind: z.enum(notificationKinds),
  target: z.string().max(100),
});
export type NotificationRef = z.infer<typeof NotificationRef>;
export const ReadNotifications = z.strictObject({ only: NotificationRef.optional() });

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
