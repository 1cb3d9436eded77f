import { z } from "zod";
import { emailFrequencies, notificationKindNames, notificationTopicNames } from "./notifications.ts";
import { Id } from "./users.ts";

export const SetNotificationChannels = z.strictObject({
  topic: z.enum(notificationTopicNames),
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

export const SeeNotifications = z.strictObject({ newest: z.iso.datetime() });

export const NotificationRef = z.strictObject({
  kind: z.enum(notificationKindNames),
  target: z.string().max(100),
});
export type NotificationRef = z.infer<typeof NotificationRef>;
export const ReadNotifications = z.strictObject({ only: NotificationRef.optional() });
