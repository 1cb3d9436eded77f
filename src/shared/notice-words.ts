import { routes } from "./routes.ts";
import type { NoticeGroup } from "./social.ts";

/* What an entry of the notices says, on the page as in a mail. */

/** Where an entry leads: to the very comment, the blog, the people or the requests that it tells of. */
export function noticeAddress(
  { kind, actors, actorsCount, blog, commentId }: NoticeGroup,
  viewer: { username: string },
): string {
  if (kind === "request") return "/requests";
  if (kind === "invited" || kind === "report-acted" || kind === "report-kept") return "/notifications";
  if (kind === "follow" && actorsCount > 1) return routes.followers(viewer.username);
  if (kind === "held" && blog) return `${routes.blog(blog.slug)}#comments`;
  if (blog && commentId) return routes.comment(blog.slug, commentId);
  if (blog) return routes.blog(blog.slug);
  return actors[0] ? routes.profile(actors[0].username) : "/notifications";
}

const bySite: ReadonlySet<string> = new Set(["report-acted", "report-kept", "hidden", "restored"]);

/** Who did it, in parts: names to be shown as names, and the words between them. */
export function actorParts({
  kind,
  actors,
  actorsCount,
}: Pick<NoticeGroup, "kind" | "actors" | "actorsCount">): { name?: string; text?: string }[] {
  // Its own clock did.
  if (kind === "unscheduled") return [{ text: "The site" }];
  // The site itself says it: no moderator is named.
  if (bySite.has(kind)) return [{ text: "The moderators" }];
  const [first, second] = actors;
  if (!first)
    return [{ text: actorsCount === 1 ? "Somebody" : `${actorsCount.toLocaleString("en")} people` }];
  if (actorsCount === 1) return [{ name: first.name }];
  if (actorsCount === 2)
    return second
      ? [{ name: first.name }, { text: " and " }, { name: second.name }]
      : [{ name: first.name }, { text: " and somebody else" }];
  return [{ name: first.name }, { text: ` and ${(actorsCount - 1).toLocaleString("en")} others` }];
}

/** What they did. The blog's title stands where the `%` is. */
export function deedOf({
  kind,
  blog,
  actorsCount,
}: Pick<NoticeGroup, "kind" | "blog" | "actorsCount">): string {
  const one = actorsCount === 1;
  switch (kind) {
    case "follow":
      return "started following you";
    case "request":
      return one ? "wants to follow you" : "want to follow you";
    case "accepted":
      return "accepted your request to follow";
    case "comment":
    case "talk":
      return blog
        ? "commented on %"
        : kind === "talk"
          ? "commented in a talk you follow"
          : "commented on your blog";
    case "held":
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
      return "looked at what you reported, and acted. Thank you";
    case "report-kept":
      return "looked at what you reported, and left it as it is. Thank you";
    case "hidden":
      return blog ? "took back %. It is a draft of yours now" : "took back a blog of yours";
    case "restored":
      return blog ? "let % be read again" : "let a blog of yours be read again";
    case "unscheduled":
      return blog
        ? "could not publish % when you wanted. It is still a draft"
        : "could not publish a draft of yours when you wanted";
  }
}

/** All of it in one line. */
export function noticeSentence(notice: NoticeGroup): string {
  const who = actorParts(notice).map(({ name, text }) => name ?? text);
  return `${who.join("")} ${deedOf(notice).replace("%", () => `“${notice.blog?.title ?? ""}”`)}`;
}
