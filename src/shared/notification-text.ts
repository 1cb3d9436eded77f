import { routes } from "./routes.ts";
import type { NotificationGroup, NotificationRef } from "./social.ts";

/* The text of a notification, on the site, in push messages and in emails. */

/** Returns the path that a notification links to: the comment, blog, people or requests it is about. */
export function notificationAddress(
  { kind, actors, actorsCount, blog, commentId }: NotificationGroup,
  viewer: { username: string },
): string {
  if (kind === "request") return "/requests";
  if (kind === "new-reports" || kind === "new-appeals") return "/admin";
  if (kind === "new-sign-ups") return "/admin/waiting";
  if (kind === "invited" || kind === "report-acted" || kind === "report-kept") return "/notifications";
  if (kind === "follow" && actorsCount > 1) return routes.followers(viewer.username);
  if (kind === "pending-comment" && blog) return `${routes.blog(blog.slug)}#comments`;
  if (blog && commentId) return routes.comment(blog.slug, commentId);
  if (blog) return routes.blog(blog.slug);
  return actors[0] ? routes.profile(actors[0].username) : "/notifications";
}

/** Returns what a device's notifications of one group share: the newest replaces the one before. */
export const notificationTag = ({ kind, target }: NotificationRef): string => `${kind}:${target}`;

const bySite: ReadonlySet<string> = new Set([
  "report-acted",
  "report-kept",
  "taken-down",
  "restored",
  "appeal-kept",
  "appeal-restored",
]);

/** Who waits for moderators, all together; nobody is named. */
const waitingForStaff: Partial<Record<NotificationGroup["kind"], string>> = {
  "new-reports": "New reports",
  "new-appeals": "Authors",
  "new-sign-ups": "New accounts",
};

/** Returns who did it as parts: names, which are shown as such, and the text between them. */
export function actorParts({
  kind,
  actors,
  actorsCount,
}: Pick<NotificationGroup, "kind" | "actors" | "actorsCount">): { name?: string; text?: string }[] {
  // A scheduled publication failed: no person did it.
  if (kind === "unscheduled") return [{ text: "The site" }];
  const waiting = waitingForStaff[kind];
  if (waiting) return [{ text: waiting }];
  // Moderators are not named.
  if (bySite.has(kind)) return [{ text: "Moderators" }];
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
export function actionText({
  kind,
  blog,
  actorsCount,
}: Pick<NotificationGroup, "kind" | "blog" | "actorsCount">): string {
  const one = actorsCount === 1;
  switch (kind) {
    case "follow":
      return "started following you";
    case "request":
      return one ? "wants to follow you" : "want to follow you";
    case "accepted":
      return "accepted your request to follow";
    case "comment":
    case "subscription":
      return blog
        ? "commented on %"
        : kind === "subscription"
          ? "commented on a blog you’re subscribed to"
          : "commented on your blog";
    case "pending-comment":
      return `${one ? "wants" : "want"} to comment on ${blog ? "%" : "your blog"}`;
    case "reply":
      return blog ? "replied to your comment on %" : "replied to your comment";
    case "like":
      return blog ? "liked %" : "liked your blog";
    case "comment-like":
      return blog ? "liked your comment on %" : "liked your comment";
    case "mention":
      return blog ? "mentioned you in a comment on %" : "mentioned you";
    case "invited":
      return blog ? "invites you to write % with them" : "invites you to write with them";
    case "joined":
      return `${one ? "writes" : "write"} ${blog ? "%" : "your blog"} with you now`;
    case "report-acted":
      return "reviewed your report and took action. Thank you";
    case "report-kept":
      return "reviewed your report and found no violation. Thank you";
    case "taken-down":
      return blog ? "took down %. You can ask for a review" : "took down one of your blogs";
    case "restored":
      return blog ? "restored %" : "restored one of your blogs";
    case "appeal-kept":
      return `reviewed ${blog ? "%" : "one of your blogs"} again and didn’t restore it`;
    case "appeal-restored":
      return `reviewed ${blog ? "%" : "one of your blogs"} again and restored it`;
    case "unscheduled":
      return blog
        ? "couldn’t publish % as scheduled. It’s still a draft"
        : "couldn’t publish one of your drafts as scheduled";
    case "new-reports":
      return "are waiting for a decision";
    case "new-appeals":
      return "ask for a review of a takedown";
    case "new-sign-ups":
      return "are waiting for approval";
  }
}

/** Returns the whole text in one line. */
export function notificationSentence(notification: NotificationGroup): string {
  const who = actorParts(notification).map(({ name, text }) => name ?? text);
  return `${who.join("")} ${actionText(notification).replace("%", () => `“${notification.blog?.title ?? ""}”`)}`;
}
