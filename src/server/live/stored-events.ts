import { z } from "zod";
import type { RankedSort } from "../../shared/feed-sorts.ts";
import { subscriptionLevels, NotificationRef } from "../../shared/notification-inputs.ts";

/*
 * The events in the event log, by kind of topic. A stored event has ids only; the state of what they name is read when the
 * event is presented (docs/decisions/0007-event-log-and-live-store.md).
 */

const id = z.string();
const ids = z.array(id);
const date = z.string();
const status = z.enum(["self", "follow", "requested", "following"]);
const kinds = <Kind extends string>(...names: Kind[]) => z.enum(names);

const blogEvent = z.discriminatedUnion("kind", [
  z.object({
    kind: kinds("comment.created", "comment.edited", "comment.liked", "comment.marked"),
    commentId: id,
  }),
  /** `commentIds` includes replies that went with their comment; `rootIds` are the threads that lost some. */
  z.object({ kind: kinds("comment.deleted"), commentIds: ids, emptied: ids, rootIds: ids }),
  z.object({ kind: kinds("entry.posted", "entry.edited", "entry.withdrawn", "entry.liked"), entryId: id }),
  z.object({ kind: kinds("blog.liked", "blog.saved", "blog.authors") }),
  /** `was` is the digest of the text before the change. */
  z.object({ kind: kinds("blog.edited"), was: id.optional() }),
]);
const userEvent = z.discriminatedUnion("kind", [
  z.object({
    kind: kinds(
      "notification.created",
      "notification.withdrawn",
      "notification.seen",
      "follower.changed",
      "viewer.profileChanged",
    ),
  }),
  /** `only`: one entry of the list; without it all. */
  z.object({ kind: kinds("notification.read"), only: NotificationRef.optional() }),
  z.object({ kind: kinds("follow.requested", "follow.withdrawn"), requesterId: id }),
  z.object({ kind: kinds("follow.settled", "viewer.follow"), userId: id, status }),
  z.object({ kind: kinds("viewer.like"), blogId: id, liked: z.boolean() }),
  z.object({ kind: kinds("viewer.commentLike"), commentId: id, blogId: id, liked: z.boolean() }),
  z.object({ kind: kinds("viewer.entryLike"), entryId: id, blogId: id, liked: z.boolean() }),
  z.object({ kind: kinds("viewer.save"), blogId: id, saved: z.boolean() }),
  /** `written`: only the text of a draft changed. `live`: a live blog went on air, or ended. */
  z.object({
    kind: kinds("viewer.blogsChanged"),
    blogId: id.nullable(),
    written: z.literal(true).optional(),
    live: z.literal(true).optional(),
  }),
  z.object({ kind: kinds("viewer.pendingChanged"), blogId: id }),
  z.object({ kind: kinds("viewer.appealChanged"), blogId: id }),
  z.object({ kind: kinds("viewer.reportsChanged") }),
  /** What is hidden from the person changed (by a block, a mute, a suspension …): their pages refetch everything. */
  z.object({ kind: kinds("viewer.blocksChanged") }),
  z.object({ kind: kinds("viewer.mute"), userId: id, muted: z.boolean() }),
  z.object({
    kind: kinds("viewer.subscription"),
    blogId: id,
    level: z.enum(subscriptionLevels).nullable(),
  }),
  z.object({
    kind: kinds(
      "viewer.countsChanged",
      "viewer.signInChanged",
      "viewer.channelsChanged",
      "viewer.importsChanged",
      "viewer.invitationsChanged",
    ),
  }),
]);
/** `followers`: sent to followers of the author, and to the authors, only. */
const feedEvent = z.discriminatedUnion("kind", [
  z.object({ kind: kinds("blog.published"), blogId: id }),
  z.object({
    kind: kinds("blog.gone"),
    blogId: id,
    authorId: id,
    publishedAt: date.optional(),
    followers: z.boolean(),
  }),
  z.object({ kind: kinds("feed.changed"), oldest: date, newest: date }),
  z.object({ kind: kinds("person.changed", "person.gone"), personId: id }),
  /** A live blog went on air, or ended. */
  z.object({ kind: kinds("live.changed"), blogId: id, authorId: id, followers: z.boolean() }),
  z.object({ kind: kinds("site.changed") }),
  /** An account was limited, or no longer: pages refetch everything. */
  z.object({ kind: kinds("people.hidden") }),
]);
const profileEvent = z.discriminatedUnion("kind", [
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
/** Search results may have changed: open searches refetch. `followers` as in the feed. */
const searchEvent = z.discriminatedUnion("kind", [
  z.object({
    kind: kinds("search.blogs"),
    authorId: id,
    /** Set where one blog changed. */
    blogId: id.optional(),
    followers: z.boolean(),
    /** The tags of that blog; without them many blogs changed. */
    tags: ids.optional(),
  }),
  z.object({ kind: kinds("search.people") }),
]);

/** A text that is being edited: a commit came, or the blog was saved (as a draft or published) as of a commit. */
const draftEvent = z.discriminatedUnion("kind", [
  z.object({ kind: kinds("draft.committed"), seq: z.number() }),
  z.object({ kind: kinds("draft.saved"), seq: z.number(), draft: z.boolean() }),
  z.object({ kind: kinds("draft.message"), message: z.string() }),
  z.object({ kind: kinds("draft.authors") }),
]);

/** The count then and before: a list that it ranks has to know both. */
const rankingEvent = z.object({
  kind: kinds("blog.ranked"),
  blogId: id,
  count: z.number(),
  was: z.number(),
});

interface StoredEvents {
  blog: z.infer<typeof blogEvent>;
  user: z.infer<typeof userEvent>;
  feed: z.infer<typeof feedEvent>;
  ranking: z.infer<typeof rankingEvent>;
  profile: z.infer<typeof profileEvent>;
  search: z.infer<typeof searchEvent>;
  draft: z.infer<typeof draftEvent>;
}
const schemas: { [Kind in keyof StoredEvents]: z.ZodType<StoredEvents[Kind]> } = {
  blog: blogEvent,
  user: userEvent,
  feed: feedEvent,
  ranking: rankingEvent,
  profile: profileEvent,
  search: searchEvent,
  draft: draftEvent,
};

export type TopicKind = keyof StoredEvents;
export type StoredEvent<Kind extends TopicKind = TopicKind> = StoredEvents[Kind];

declare const kindOfTopic: unique symbol;
/** The name of a stored topic; its type says which events it has. */
export type Topic<Kind extends TopicKind = TopicKind> = string & { readonly [kindOfTopic]: Kind };

export const blogTopic = (blogId: string) => `blog:${blogId}` as Topic<"blog">;
export const userTopic = (userId: string) => `user:${userId}` as Topic<"user">;
export const profileTopic = (userId: string) => `profile:${userId}` as Topic<"profile">;
export const draftTopic = (blogId: string) => `draft:${blogId}` as Topic<"draft">;
export const feedTopic = "feed" as Topic<"feed">;
export const searchTopic = "search" as Topic<"search">;
export const rankingTopic = (sort: RankedSort) => sort as string as Topic<"ranking">;

/** Parses an event of the log; undefined where this version of the site does not know its kind. */
export const parseStoredEvent = <Kind extends TopicKind>(
  kind: Kind,
  stored: unknown,
): StoredEvent<Kind> | undefined => schemas[kind].safeParse(stored).data;
