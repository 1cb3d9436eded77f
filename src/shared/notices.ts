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
  invited: "people",
  joined: "people",
  "report-acted": "site",
  "report-kept": "site",
  hidden: "site",
  restored: "site",
  unscheduled: "site",
};

/** `now` is at once, and what comes within some minutes after it goes together. */
export const waysOfMail = ["never", "now", "daily", "weekly"] as const;
export type WayOfMail = (typeof waysOfMail)[number];

/** Why a draft could not be published at the time that its author had chosen. */
export const unscheduledWhys = {
  suspended: "Your account was suspended then.",
  hidden: "Moderators had taken it back.",
  links: "It has more links than the first day of an account has room for.",
  writers: "Here those alone write whom the site’s administrators let.",
  failed: "Something went wrong here. Please try again.",
} as const;
export type UnscheduledWhy = keyof typeof unscheduledWhys;

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

const zoneName = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][\w+/-]*$/);
const zoneCalled = (name: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
const unknownZone = "This time zone is not known.";
/** A time zone as browsers name it. */
export const NamedZone = zoneName.refine((name) => zoneCalled(name) !== undefined, unknownZone);
/** The same in the one way that it is written. */
export const Zone = zoneName.transform((name, ctx) => {
  const zone = zoneCalled(name);
  if (zone !== undefined) return zone;
  ctx.addIssue({ code: "custom", message: unknownZone });
  return z.NEVER;
});
export const SetZone = z.strictObject({ zone: Zone });

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
