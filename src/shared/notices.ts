import { z } from "zod";
import type { NotificationKind } from "./social.ts";
import { Id } from "./users.ts";

/** What notices are about, as people choose where they are told of it. */
export const noticeTopics = ["comments", "replies", "talks", "likes", "people", "site"] as const;
export type NoticeTopic = (typeof noticeTopics)[number];

export const topicOf: Record<NotificationKind, NoticeTopic> = {
  comment: "comments",
  held: "comments",
  reply: "replies",
  mention: "replies",
  talk: "talks",
  like: "likes",
  "comment-like": "likes",
  follow: "people",
  request: "people",
  accepted: "people",
  "report-acted": "site",
  "report-kept": "site",
  hidden: "site",
  restored: "site",
};

/** `now` is at once, and what comes within some minutes after it goes together. */
export const waysOfMail = ["never", "now", "daily", "weekly"] as const;
export type WayOfMail = (typeof waysOfMail)[number];

/** Where somebody is told of something. `page` is their list of notices: what is not told of there is told of nowhere. */
export interface NoticeWays {
  page: boolean;
  push: boolean;
  mail: WayOfMail;
}

/** Of what nobody has chosen: no mail is sent that nobody asked for, and a like makes no telephone ring. */
export const usualWays = (topic: NoticeTopic): NoticeWays => ({
  page: true,
  push: topic !== "likes",
  mail: "never",
});

/** What moderators decide is always told of. */
export const isAlwaysTold = (topic: NoticeTopic): boolean => topic === "site";

export type NoticeSettings = Record<NoticeTopic, NoticeWays>;

export const SetNoticeWays = z.strictObject({
  topic: z.enum(noticeTopics),
  page: z.boolean().optional(),
  push: z.boolean().optional(),
  mail: z.enum(waysOfMail).optional(),
});

/** `follow`: told of each comment. `mute`: told of nothing there. */
export const blogWays = ["follow", "mute"] as const;
export type BlogWay = (typeof blogWays)[number];

/** Null is as usual. */
export const WatchBlog = z.strictObject({ blogId: Id, way: z.enum(blogWays).nullable() });

/** A blog of which somebody has said how they want to hear. */
export interface WatchedBlog {
  id: string;
  slug: string;
  title: string;
  way: BlogWay;
}
