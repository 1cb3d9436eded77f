import { routes } from "./routes.ts";
import type { Person } from "./users.ts";

/*
 * The kinds of notifications and the topics that people choose channels for. A new kind is one entry here; code where it happens
 * calls `notify` (server/notifications/service.ts). Texts are the same on the site, in push messages and in emails.
 */

interface TopicFacts {
  /** Its name in the settings. */
  label: string;
  /** Whether push messages are sent without a choice. Emails never are. */
  push: boolean;
  /** It cannot be turned off on the site. */
  isAlwaysOn?: true;
  /** Only moderators get these. */
  isForStaff?: true;
}
/** Checks the entries of a table; their names become its type. */
const table =
  <Facts>() =>
  <Name extends string>(entries: Record<Name, Facts>) =>
    entries;

export const notificationTopics = table<TopicFacts>()({
  comments: { label: "Comments on my blogs", push: true },
  replies: { label: "Replies and mentions", push: true },
  subscriptions: { label: "Blogs I’m subscribed to", push: true },
  live: { label: "Live blogs by people I follow", push: true },
  likes: { label: "Likes", push: false },
  people: { label: "Followers and requests", push: true },
  site: { label: "Moderation decisions", push: true, isAlwaysOn: true },
  moderation: { label: "Reports and sign-ups to review", push: true, isForStaff: true },
});
export type NotificationTopic = keyof typeof notificationTopics;
export const notificationTopicNames = Object.keys(notificationTopics) as [
  NotificationTopic,
  ...NotificationTopic[],
];

interface KindFacts {
  topic: NotificationTopic;
  /** What they did; `%` is the place of the blog's title. Without `blog` it has none; `one`: only one person did it. */
  text: (facts: { blog: boolean; one: boolean }) => string;
  /** Named instead of the people who did it: moderators stay anonymous. */
  by?: string;
  /** The page to open, if it is not that of a comment, blog or person. */
  path?: string;
  /** For the blog's author, who can always read it, or invited people, who see its title. */
  isAlwaysReadable?: true;
  /** Names only people who show the list of what they like. */
  isLike?: true;
}
const byModerators = { topic: "site", by: "Moderators" } as const;
const forStaff = { topic: "moderation", path: "/admin" } as const;

export const notificationKinds = table<KindFacts>()({
  follow: { topic: "people", text: () => "started following you" },
  request: {
    topic: "people",
    text: ({ one }) => `${one ? "wants" : "want"} to follow you`,
    path: "/requests",
  },
  accepted: { topic: "people", text: () => "accepted your request to follow" },
  comment: {
    topic: "comments",
    text: ({ blog }) => `commented on ${blog ? "%" : "your blog"}`,
    isAlwaysReadable: true,
  },
  "pending-comment": {
    topic: "comments",
    text: ({ blog, one }) => `${one ? "wants" : "want"} to comment on ${blog ? "%" : "your blog"}`,
    isAlwaysReadable: true,
  },
  reply: {
    topic: "replies",
    text: ({ blog }) => `replied to your comment${blog ? " on %" : ""}`,
  },
  like: {
    topic: "likes",
    text: ({ blog }) => `liked ${blog ? "%" : "your blog"}`,
    isAlwaysReadable: true,
    isLike: true,
  },
  "comment-like": {
    topic: "likes",
    text: ({ blog }) => `liked your comment${blog ? " on %" : ""}`,
    isLike: true,
  },
  mention: {
    topic: "replies",
    text: ({ blog }) => `mentioned you${blog ? " in a comment on %" : ""}`,
  },
  live: { topic: "live", text: ({ blog, one }) => `${one ? "is" : "are"} live${blog ? ": %" : ""}` },
  subscription: {
    topic: "subscriptions",
    text: ({ blog }) => `commented on ${blog ? "%" : "a blog you’re subscribed to"}`,
  },
  "report-acted": {
    ...byModerators,
    text: () => "reviewed your report and took action. Thank you",
    path: "/notifications",
  },
  "report-kept": {
    ...byModerators,
    text: () => "reviewed your report and found no violation. Thank you",
    path: "/notifications",
  },
  "taken-down": {
    ...byModerators,
    text: ({ blog }) => `took down ${blog ? "%. You can ask for a review" : "one of your blogs"}`,
  },
  restored: {
    ...byModerators,
    text: ({ blog }) => `restored ${blog ? "%" : "one of your blogs"}`,
  },
  "appeal-kept": {
    ...byModerators,
    text: ({ blog }) => `reviewed ${blog ? "%" : "one of your blogs"} again and didn’t restore it`,
  },
  "appeal-restored": {
    ...byModerators,
    text: ({ blog }) => `reviewed ${blog ? "%" : "one of your blogs"} again and restored it`,
  },
  "new-reports": {
    ...forStaff,
    by: "New reports",
    text: () => "are waiting for a decision",
  },
  "new-appeals": {
    ...forStaff,
    by: "Authors",
    text: () => "ask for a review of a takedown",
  },
  "new-sign-ups": {
    ...forStaff,
    by: "New accounts",
    text: () => "are waiting for approval",
    path: "/admin/waiting",
  },
  unscheduled: {
    topic: "site",
    by: "The site",
    text: ({ blog }) =>
      `couldn’t publish ${blog ? "% as scheduled. It’s still a draft" : "one of your drafts as scheduled"}`,
  },
  invited: {
    topic: "people",
    text: ({ blog }) => `invites you to write ${blog ? "% " : ""}with them`,
    path: "/notifications",
    isAlwaysReadable: true,
  },
  joined: {
    topic: "people",
    text: ({ blog, one }) => `${one ? "writes" : "write"} ${blog ? "%" : "your blog"} with you now`,
    isAlwaysReadable: true,
  },
});
export type NotificationKind = keyof typeof notificationKinds;
export const notificationKindNames = Object.keys(notificationKinds) as [
  NotificationKind,
  ...NotificationKind[],
];

/** What moderators are notified of: one entry of each kind, however much waits. */
export type StaffNotificationKind = Extract<NotificationKind, `new-${string}`>;
export const staffNotificationKinds = notificationKindNames.filter(
  (kind): kind is StaffNotificationKind => notificationKinds[kind].topic === "moderation",
);

/** `page` is the list on the site; turning it off turns off the others, too. */
export interface NotificationChannels {
  page: boolean;
  push: boolean;
  mail: EmailFrequency;
}
export type NotificationSettings = Record<NotificationTopic, NotificationChannels>;

/** `now` sends right away, at most one every few minutes. */
export const emailFrequencies = ["never", "now", "daily", "weekly"] as const;
export type EmailFrequency = (typeof emailFrequencies)[number];

/** Returns the channels without a choice. */
export const defaultChannels = (topic: NotificationTopic): NotificationChannels => ({
  page: true,
  push: notificationTopics[topic].push,
  mail: "never",
});

/** Why a scheduled draft was not published. */
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

/** Returns the path that a notification links to: the comment, blog, people or requests it is about. */
export function notificationAddress(
  { kind, actors, actorsCount, blog, commentId }: NotificationGroup,
  viewer: { username: string },
): string {
  const { path } = notificationKinds[kind];
  if (path) return path;
  if (kind === "follow" && actorsCount > 1) return routes.followers(viewer.username);
  if (kind === "pending-comment" && blog) return `${routes.blog(blog.slug)}#comments`;
  if (blog && commentId) return routes.comment(blog.slug, commentId);
  if (blog) return routes.blog(blog.slug);
  return actors[0] ? routes.profile(actors[0].username) : "/notifications";
}

/** Returns what a device's notifications of one group share: the newest replaces the one before. */
export const notificationTag = ({ kind, target }: Pick<NotificationGroup, "kind" | "target">): string =>
  `${kind}:${target}`;

/** Returns who did it as parts: names, which are shown as such, and the text between them. */
export function actorParts({
  kind,
  actors,
  actorsCount,
}: Pick<NotificationGroup, "kind" | "actors" | "actorsCount">): { name?: string; text?: string }[] {
  const { by } = notificationKinds[kind];
  if (by) return [{ text: by }];
  const [first, second] = actors;
  if (!first) return [{ text: actorsCount === 1 ? "Someone" : `${actorsCount.toLocaleString("en")} people` }];
  if (actorsCount === 1) return [{ name: first.name }];
  if (actorsCount === 2)
    return second
      ? [{ name: first.name }, { text: " and " }, { name: second.name }]
      : [{ name: first.name }, { text: " and someone else" }];
  return [{ name: first.name }, { text: ` and ${(actorsCount - 1).toLocaleString("en")} others` }];
}

/** Returns what they did; `%` is the place of the blog's title. */
export const actionText = ({
  kind,
  blog,
  actorsCount,
}: Pick<NotificationGroup, "kind" | "blog" | "actorsCount">): string =>
  notificationKinds[kind].text({ blog: blog !== null, one: actorsCount === 1 });

/** Returns the whole text in one line. */
export function notificationSentence(notification: NotificationGroup): string {
  const who = actorParts(notification).map(({ name, text }) => name ?? text);
  return `${who.join("")} ${actionText(notification).replace("%", () => `“${notification.blog?.title ?? ""}”`)}`;
}
