import { z } from "zod";
import type { NotificationKind } from "./social.ts";
import { Id } from "./users.ts";

/** The groups of notifications that people choose channels for. */
export const notificationTopics = [
  "comments",
  "replies",
  "subscriptions",
  "likes",
  "people",
  "site",
  "moderation",
] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

export const topicOf: Record<NotificationKind, NotificationTopic> = {
  comment: "comments",
  "pending-comment": "comments",
  reply: "replies",
  mention: "replies",
  subscription: "subscriptions",
  like: "likes",
  "comment-like": "likes",
  follow: "people",
  request: "people",
  accepted: "people",
  invited: "people",
  joined: "people",
  "report-acted": "site",
  "report-kept": "site",
  "taken-down": "site",
  restored: "site",
  "appeal-kept": "site",
  "appeal-restored": "site",
  unscheduled: "site",
  "new-reports": "moderation",
  "new-appeals": "moderation",
  "new-sign-ups": "moderation",
};

/** `now` sends right away, at most one every few minutes. */
export const emailFrequencies = ["never", "now", "daily", "weekly"] as const;
export type EmailFrequency = (typeof emailFrequencies)[number];

export const unscheduledReasons = {
  suspended: "Your account was suspended at that time.",
  hidden: "Moderators had taken it down.",
  links: "It has more links than a new account can post on its first day.",
  writers: "Publishing is limited to approved writers on this site.",
  title: "It had no title. Add one, then publish or schedule it again.",
  text: "Part of its text can’t be published. Publish it yourself to see why.",
  fields: "One of its fields is not valid. Publish it yourself to see which.",
  failed: "Something went wrong. Please try again.",
} as const;
export type UnscheduledReason = keyof typeof unscheduledReasons;

/** `page` is the list on the site; turning it off turns off the others, too. */
export interface NotificationChannels {
  page: boolean;
  push: boolean;
  mail: EmailFrequency;
}

/** Returns the channels without a choice: no emails, and no push messages for likes. */
export const defaultChannels = (topic: NotificationTopic): NotificationChannels => ({
  page: true,
  push: topic !== "likes",
  mail: "never",
});

/** Whether notifications of the topic cannot be turned off on the site: moderation decisions. */
export const isAlwaysOn = (topic: NotificationTopic): boolean => topic === "site";

export type NotificationSettings = Record<NotificationTopic, NotificationChannels>;

export const SetNotificationChannels = z.strictObject({
  topic: z.enum(notificationTopics),
  page: z.boolean().optional(),
  push: z.boolean().optional(),
  mail: z.enum(emailFrequencies).optional(),
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
const unknownZone = "Unknown time zone.";
/** A time zone's name as browsers have it. */
export const NamedZone = zoneName.refine((name) => zoneCalled(name) !== undefined, unknownZone);
/** Canonicalizes a time zone's name. */
export const Zone = zoneName.transform((name, ctx) => {
  const zone = zoneCalled(name);
  if (zone !== undefined) return zone;
  ctx.addIssue({ code: "custom", message: unknownZone });
  return z.NEVER;
});
export const SetZone = z.strictObject({ zone: Zone });

/** `follow` notifies of every comment, `mute` of nothing. */
export const subscriptionLevels = ["follow", "mute"] as const;
export type SubscriptionLevel = (typeof subscriptionLevels)[number];

/** Null is the default: replies, mentions and likes. */
export const SetSubscription = z.strictObject({ blogId: Id, level: z.enum(subscriptionLevels).nullable() });

export interface BlogSubscription {
  id: string;
  slug: string;
  title: string;
  level: SubscriptionLevel;
}
