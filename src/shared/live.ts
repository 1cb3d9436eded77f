import { z } from "zod";
import type { BlogCard, Commenters, TextChange } from "./blogs.ts";
import type { LinkRange } from "./link-ranges.ts";
import type { Comment, Mark, Writing } from "./comments.ts";
import type { Entry, LiveState } from "./entries.ts";
import { rankedSorts, type RankedSort } from "./feed-sorts.ts";
import { limits } from "./limits.ts";
import type { Appeal, StaffWaiting } from "./moderation.ts";
import type { SubscriptionLevel, NotificationRef } from "./notification-inputs.ts";
import type { FollowRequest } from "./social.ts";
import type { ProfileTab } from "./routes.ts";
import { Id } from "./users.ts";
import type { FollowStatus, Person } from "./users.ts";
import type { Commit, Writer } from "./drafts.ts";

/*
 * Events for open pages (docs/decisions/0007-event-log-and-live-store.md): one stream per page with all its topics, in
 * chronological order. Counts are absolute and events the same for every reader, so applying an event twice changes nothing.
 */

/**
 * Topics of a page:
 * - `me`: the viewer's own events, including those from other tabs
 * - `feed`: blogs entering or leaving feeds; changed names and pictures of people
 * - `search`: changed search results
 * - `likes`, and others named after a ranked order: the counts by which its lists rank blogs
 * - `blog:{id}`: an open blog with its comments; `card:{id}`: a blog in a list
 * - `profile:{userId}`: an open profile and its lists
 * - `draft:{id}`: a text in an editor, and its writers
 * - `address:{slug}`: a blog that cannot be read yet
 * - `presence:{id}`: a public blog's readers
 *
 * Three topics send no events but count their pages: `reading:{id}:{key}` as reading a blog, `here:{id}:{client}` as having a
 * text open in an editor, `looking` as visible to its member. The page makes the key; the client is that of its commits.
 */
export const TopicName = z.union([
  z.enum(["me", "feed", "search", ...rankedSorts, "looking"]),
  z
    .string()
    .regex(/^(blog|card|profile|presence|draft):/)
    .max(60)
    .refine((name) => Id.safeParse(name.slice(name.indexOf(":") + 1)).success),
  z.string().regex(/^address:[^\s]{1,200}$/),
  z
    .string()
    .regex(/^(reading|here):[^:]+:[^:]+$/)
    .max(100)
    .refine((name) =>
      name
        .split(":")
        .slice(1)
        .every((id) => Id.safeParse(id).success),
    ),
]);
export type TopicName =
  | "me"
  | "feed"
  | "search"
  | RankedSort
  | "looking"
  | `${"blog" | "card" | "profile" | "presence" | "draft"}:${string}`
  | `address:${string}`
  | `${"reading" | "here"}:${string}:${string}`;

/** Opens the stream of a page. It resumes after `since`, or after the last event of the connection. */
export const FollowTopics = z.strictObject({
  topics: z.array(TopicName).min(1).max(limits.live.topics),
  since: z.string().max(100).optional(),
  lastEventId: z.string().max(100).optional(),
});

/**
 * A message of the stream. Its cursor is `epoch.sequence`, with a third part if more messages of the same stored event follow.
 * `topic` is empty for events about all topics.
 */
export interface LiveMessage {
  topic: TopicName | "";
  event: LiveEvent;
}

/** A card without fields that differ between readers. */
export type SharedCard = Omit<BlogCard, "liked" | "saved" | "coAuthors">;

/** The longest random delay before a refetch, where many pages have to refetch. */
interface Jitter {
  jitterMs: number;
}

/** Events of `blog:{id}`. */
export type CommentEvent =
  /** `repliesCount` is that of the thread, as in a `Fold`. */
  | { kind: "comment.created"; comment: Comment; commentsCount: number; repliesCount: number }
  | { kind: "comment.edited"; commentId: string; text: string; links?: LinkRange[]; editedAt: string }
  /** `repliesCounts`: of threads that lost replies, by root id. */
  | {
      kind: "comment.deleted";
      commentIds: string[];
      emptied: string[];
      commentsCount: number;
      repliesCounts: Record<string, number>;
    }
  | { kind: "comment.liked"; commentId: string; likesCount: number }
  /** Unpins the blog's other pinned comment. */
  | { kind: "comment.marked"; commentId: string; mark: Mark | null };

/** Events of `blog:{id}` for a live blog. */
export type EntryEvent =
  /** An entry came, or came back. */
  | { kind: "entry.posted"; entry: Entry; total: number }
  | { kind: "entry.edited"; entry: Entry; total: number }
  | { kind: "entry.withdrawn"; entryId: string; total: number }
  | { kind: "entry.liked"; entryId: string; likesCount: number };

/** Events of `blog:{id}` and `card:{id}`. */
export type BlogEvent =
  | { kind: "blog.counted"; blogId: string; likesCount: number; savesCount: number; commentsCount: number }
  /** `text` is sent on `blog:{id}` only; null if too long, to be refetched. */
  | ({
      kind: "blog.edited";
      card: SharedCard;
      commentsFrom: Commenters;
      live: LiveState | null;
      editedAt: string | null;
      text: TextChange | null;
    } & Jitter)
  /** Refetched, since not every reader can see all authors. */
  | ({ kind: "blog.authors"; blogId: string } & Jitter);

/** Events of `profile:{id}`. */
export type ProfileEvent =
  /** `counts` are null if not everyone can see them, to be refetched. `tabs` are the lists that everyone can see. */
  | ({
      kind: "profile.changed";
      person: Person;
      bio: string;
      private: boolean;
      counts: { followers: number; following: number; blogs: number } | null;
      tabs: ProfileTab[];
    } & Jitter)
  /** Sent to those who can see the list. */
  | ({ kind: "profile.listed"; userId: string; list: ProfileTab | "followers" | "following" } & Jitter);

/** Events of `feed`. Those of followers-only blogs go to followers and authors only. Dates are ISO 8601. */
export type FeedEvent =
  | ({
      kind: "blog.published";
      blogId: string;
      authorId: string;
      publishedAt: string;
      /** By which lists rank it. */
      counts: Record<RankedSort, number>;
    } & Jitter)
  /** `left`: the number of public blogs, up to a thousand. No feed is shorter. */
  | ({ kind: "blog.gone"; blogId: string; publishedAt: string | null; left: number } & Jitter)
  /** Many blogs were published or removed at once, with publication dates between these. */
  | ({ kind: "feed.changed"; oldest: string; newest: string; left: number } & Jitter)
  | { kind: "person.changed"; person: Person; bio?: string; private?: boolean }
  | ({ kind: "person.gone"; personId: string } & Jitter)
  /** A live blog went on air, or ended. */
  | ({ kind: "live.changed" } & Jitter)
  /** Pages refetch the site's name and appearance. */
  | ({ kind: "site.changed" } & Jitter);

/**
 * Event of a ranked order's topic (`likes`), for lists in that order. `was` is the previous count. Those of followers-only blogs
 * go to followers and authors only.
 */
export type RankEvent = {
  kind: "blog.ranked";
  blogId: string;
  publishedAt: string;
  count: number;
  was: number;
} & Jitter;

/** Events of `search`. Those of followers-only blogs go to followers and authors only. */
export type SearchEvent = (
  | {
      kind: "search.blogs";
      /** The tags of the changed blogs; null if many changed. */
      tags: string[] | null;
    }
  | { kind: "search.people" }
) &
  Jitter;

/** Events of `draft:{id}`. */
export type DraftEvent =
  /** `commits` are null if too long, to be refetched. */
  | { kind: "draft.committed"; seq: number; commits: Commit[] | null }
  /** The blog was saved as of commit `seq`. */
  | { kind: "draft.saved"; seq: number; draft: boolean }
  /** An author was invited, answered or left. */
  | { kind: "draft.authors" }
  /** Tells the authors what the server changed in the text. */
  | { kind: "draft.message"; message: string };

/** Events of `me`. */
export type ViewerEvent =
  /** `unseen`: unread ones since the list was last opened, as on the bell. */
  | { kind: "notification.created"; unread: number; unseen: number }
  /** `only`: the one that was read; else all were. */
  | { kind: "notification.read"; unread: number; unseen: number; only?: NotificationRef | undefined }
  /** Notifications were withdrawn, renamed or became unreadable. */
  | { kind: "notification.withdrawn"; unread: number; unseen: number }
  /** The viewer opened the list in some tab. */
  | { kind: "notification.seen"; unseen: number }
  | { kind: "follow.requested"; request: FollowRequest; requestsCount: number }
  | { kind: "follow.withdrawn"; requesterId: string; requestsCount: number }
  | { kind: "follow.settled"; userId: string; status: FollowStatus }
  | { kind: "follower.changed"; followersCount: number }
  | { kind: "viewer.like"; blogId: string; liked: boolean }
  | { kind: "viewer.commentLike"; commentId: string; blogId: string; liked: boolean }
  | { kind: "viewer.entryLike"; entryId: string; blogId: string; liked: boolean }
  | { kind: "viewer.save"; blogId: string; saved: boolean }
  | { kind: "viewer.follow"; userId: string; status: FollowStatus }
  /** Null for the default. */
  | { kind: "viewer.subscription"; blogId: string; level: SubscriptionLevel | null }
  /** Lists drop a muted person's entries. */
  | { kind: "viewer.mute"; userId: string; muted: boolean }
  /** `written`: only a draft's text changed. `live`: a live blog went on air, or ended. */
  | {
      kind: "viewer.blogsChanged";
      blogId: string | null;
      written?: true | undefined;
      live?: true | undefined;
    }
  /** An invitation to co-author a blog came or was withdrawn. */
  | { kind: "viewer.invitationsChanged" }
  /** The pending comments of a blog changed: the viewer's own, or those they can approve. */
  | { kind: "viewer.pendingChanged"; blogId: string }
  /** The viewer asked for a review of a takedown, or moderators answered; null for a new takedown. */
  | { kind: "viewer.appealChanged"; blogId: string; appeal: Appeal | null }
  /** The counts of one of the viewer's blogs, or their sessions or sign-in methods. */
  | { kind: "viewer.countsChanged" | "viewer.signInChanged" }
  /** What waits for moderators, or another of their lists. Nobody else gets it. */
  | { kind: "viewer.reportsChanged"; waiting: StaffWaiting }
  /** The notification settings or the imports. */
  | { kind: "viewer.channelsChanged" | "viewer.importsChanged" }
  /** The viewer's profile or a setting. */
  | { kind: "viewer.profileChanged"; person: Person };

/** Who is writing what below a blog. */
export interface Commenter {
  id: string;
  name: string;
  what: Writing;
}

/**
 * The event of `presence:{id}`: the whole current state, not stored, with the cursor of the previous message. Above a hundred
 * readers only two digits are exact; `replying` names a few people.
 */
export interface PresenceEvent {
  kind: "presence";
  reading: number;
  replying: Commenter[];
  replyingCount: number;
}

/** The ephemeral event of `draft:{id}`: all writing pages, and the clients waiting for a free place. */
export interface WritersEvent {
  kind: "writers";
  writers: Writer[];
  waiting: string[];
}

/**
 * - `checkpoint`: everything up to this cursor was sent. Follows when a stream has caught up, and each change by the viewer.
 *   `now` is the server's time in milliseconds.
 * - `accessLost`: the topic cannot be read. Sent before the first checkpoint for each such topic: a previously lost topic
 *   without it can be read again.
 * - `accessRestored`: refetch the topic: it can be read again, or may show something else. For an address: a blog can be read
 *   there now.
 * - `reset`: the log does not reach back far enough; the page refetches everything.
 */
export type StreamEvent =
  | { kind: "checkpoint"; now: number }
  | ({ kind: "accessLost" } & Partial<Jitter>)
  | ({ kind: "accessRestored" } & Partial<Jitter>)
  | ({ kind: "reset" } & Jitter);

export type LiveEvent =
  | CommentEvent
  | EntryEvent
  | BlogEvent
  | ProfileEvent
  | FeedEvent
  | SearchEvent
  | RankEvent
  | ViewerEvent
  | PresenceEvent
  | DraftEvent
  | WritersEvent
  | StreamEvent;
