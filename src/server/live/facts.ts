import { z } from "zod";
import { subscriptionLevels } from "../../shared/notifications.ts";
import { NotificationRef } from "../../shared/social.ts";

/*
 * What the outbox keeps: for each kind of topic, what may have happened there. A fact names things; what they are by now is
 * looked up when it is told (docs/decisions/0018).
 */

const named = z.string();
const ids = z.array(named);
const date = z.string();
const status = z.enum(["self", "follow", "requested", "following"]);
const kinds = <Kind extends string>(...names: Kind[]) => z.enum(names);

const blogFact = z.discriminatedUnion("kind", [
  z.object({
    kind: kinds("comment.created", "comment.edited", "comment.liked", "comment.marked"),
    commentId: named,
  }),
  /** Those below them are named as well; `rootIds` are the threads that lost some. */
  z.object({ kind: kinds("comment.deleted"), commentIds: ids, emptied: ids, rootIds: ids }),
  z.object({ kind: kinds("blog.liked", "blog.saved", "blog.authors") }),
  /** `was` is the digest of the text before. */
  z.object({ kind: kinds("blog.edited"), was: named.optional() }),
]);
const userFact = z.discriminatedUnion("kind", [
  z.object({
    kind: kinds(
      "notification.created",
      "notification.withdrawn",
      "notification.seen",
      "follower.changed",
      "own.profile",
    ),
  }),
  /** All of them, or those of one entry. */
  z.object({ kind: kinds("notification.read"), only: NotificationRef.optional() }),
  z.object({ kind: kinds("follow.requested", "follow.withdrawn"), requesterId: named }),
  z.object({ kind: kinds("follow.settled", "own.follow"), userId: named, status }),
  z.object({ kind: kinds("own.like"), blogId: named, liked: z.boolean() }),
  z.object({ kind: kinds("own.commentLike"), commentId: named, blogId: named, liked: z.boolean() }),
  z.object({ kind: kinds("own.save"), blogId: named, saved: z.boolean() }),
  /** `written`: more is written in a draft, and nothing else of it is another. */
  z.object({ kind: kinds("own.blogs"), blogId: named.nullable(), written: z.literal(true).optional() }),
  z.object({ kind: kinds("own.held"), blogId: named }),
  /** A block of the person was made or ended: their pages refetch everything. */
  z.object({ kind: kinds("own.walls") }),
  z.object({ kind: kinds("own.muted"), userId: named, muted: z.boolean() }),
  z.object({ kind: kinds("own.watched"), blogId: named, way: z.enum(subscriptionLevels).nullable() }),
  z.object({
    kind: kinds(
      "own.counted",
      "own.access",
      "own.reports",
      "own.noticeWays",
      "own.imports",
      "own.invitations",
    ),
  }),
]);
/** `followers`: they and the author alone hear of it. */
const feedFact = z.discriminatedUnion("kind", [
  z.object({
    kind: kinds("blog.published"),
    blogId: named,
    authorId: named,
    publishedAt: date,
    likesCount: z.number().default(0),
    followers: z.boolean(),
  }),
  z.object({
    kind: kinds("blog.gone"),
    blogId: named,
    authorId: named,
    publishedAt: date.optional(),
    followers: z.boolean(),
  }),
  z.object({ kind: kinds("feed.changed"), oldest: date, newest: date }),
  z.object({ kind: kinds("person.changed", "person.gone"), personId: named }),
  z.object({ kind: kinds("site.changed") }),
  /** Somebody was left to their followers, or is everybody's again: whatever a page shows may be another. */
  z.object({ kind: kinds("people.hidden") }),
]);
const profileFact = z.discriminatedUnion("kind", [
  z.object({ kind: kinds("profile.changed") }),
  z.object({
    kind: kinds("profile.listed"),
    list: z.enum([
      "blogs",
      "saved-blogs",
      "liked-blogs",
      "draft-blogs",
      "private-blogs",
      "followers",
      "following",
    ]),
  }),
]);
/** Blogs or people may be found by other words now: whoever shows a search asks again. `followers` as in the feed. */
const searchFact = z.discriminatedUnion("kind", [
  z.object({
    kind: kinds("search.blogs"),
    authorId: named,
    /** Where it is one. */
    blogId: named.optional(),
    followers: z.boolean(),
    /** Those of the blog; without them it is many. */
    tags: ids.optional(),
  }),
  z.object({ kind: kinds("search.people") }),
]);

/** What is being written: a commit has come; the blog was saved, as a draft or for readers, as it was after a commit. */
const writingFact = z.discriminatedUnion("kind", [
  z.object({ kind: kinds("writing.committed"), seq: z.number() }),
  z.object({ kind: kinds("writing.saved"), seq: z.number(), draft: z.boolean() }),
  z.object({ kind: kinds("writing.told"), message: z.string() }),
  z.object({ kind: kinds("writing.authors") }),
]);

/** How many liked it then and before: what lists it went through can't be told by how many do now. */
const likesFact = z.object({
  kind: kinds("blog.ranked"),
  blogId: named,
  likesCount: z.number(),
  was: z.number(),
});

interface Facts {
  blog: z.infer<typeof blogFact>;
  user: z.infer<typeof userFact>;
  feed: z.infer<typeof feedFact>;
  likes: z.infer<typeof likesFact>;
  profile: z.infer<typeof profileFact>;
  search: z.infer<typeof searchFact>;
  writing: z.infer<typeof writingFact>;
}
const forms: { [Kind in keyof Facts]: z.ZodType<Facts[Kind]> } = {
  blog: blogFact,
  user: userFact,
  feed: feedFact,
  likes: likesFact,
  profile: profileFact,
  search: searchFact,
  writing: writingFact,
};

export type TopicKind = keyof Facts;
export type Fact<Kind extends TopicKind = TopicKind> = Facts[Kind];

declare const kindOfTopic: unique symbol;
/** The name of a stored topic, which knows what may happen there. */
export type Topic<Kind extends TopicKind = TopicKind> = string & { readonly [kindOfTopic]: Kind };

export const blogTopic = (blogId: string) => `blog:${blogId}` as Topic<"blog">;
export const userTopic = (userId: string) => `user:${userId}` as Topic<"user">;
export const profileTopic = (userId: string) => `profile:${userId}` as Topic<"profile">;
export const writingTopic = (blogId: string) => `writing:${blogId}` as Topic<"writing">;
export const feedTopic = "feed" as Topic<"feed">;
export const searchTopic = "search" as Topic<"search">;
export const likesTopic = "likes" as Topic<"likes">;

/** A fact as the store has it: undefined where this version of the site knows nothing of the kind. */
export const parseFact = <Kind extends TopicKind>(kind: Kind, stored: unknown): Fact<Kind> | undefined =>
  forms[kind].safeParse(stored).data;

/* Rung, never stored. */

/** Whoever streams what this person wrote or may read, or this blog, asks again for the right to. */
export const rightsTopic = (id: string): string => `rights:${id}`;
/** Signalled when a block of this person was made or ended: their streams read again who is hidden from them. */
export const blocksTopic = (id: string): string => `blocks:${id}`;
/** Signalled when an account is limited, or no longer: every stream reads again who is hidden from its viewer. */
export const limitedTopic = "limited";
/** A blog has come to be at this address. */
export const addressTopic = (slug: string): string => `address:${slug}`;
/** Any name, picture or other public fact of a person changed: cached pages that show people go. */
export const peopleTopic = "people";

/** What is made of these topics is made of more: the rights to the blogs among them, and the names and pictures of the people in it. */
export const withRights = (topics: readonly string[]): Set<string> =>
  new Set([
    peopleTopic,
    ...topics,
    ...topics.flatMap((topic) =>
      topic.startsWith("blog:") ? [rightsTopic(topic.slice("blog:".length))] : [],
    ),
  ]);
/** A session has ended that another process ended: what it had open here is closed. */
const endedTopic = "session-ended:";
export const sessionEndedTopic = (hash: string): string => endedTopic + hash;
/** The hashes of the sessions that these tell the end of. */
export const endedAmong = (topics: string[]): string[] =>
  topics.flatMap((topic) => (topic.startsWith(endedTopic) ? [topic.slice(endedTopic.length)] : []));
/** What a command rings that the server must hear of: it is stored beside the facts, and rung once more there. */
export const isForOthers = (topic: string): boolean =>
  topic === limitedTopic || /^(rights|blocks|address|session-ended):/.test(topic);
/** Work has been asked for. */
export const jobsTopic = "jobs";
