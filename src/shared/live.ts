import { z } from "zod";
import type { BlogCard, Commenters, TextChange } from "./blogs.ts";
import type { Comment, Mark } from "./comments.ts";
import { limits } from "./limits.ts";
import type { SubscriptionLevel } from "./notifications.ts";
import type { FollowRequest, NotificationRef } from "./social.ts";
import type { ProfileTab } from "./routes.ts";
import { Id } from "./users.ts";
import type { FollowStatus, Person } from "./users.ts";
import type { Commit, Writer } from "./writing.ts";

/*
 * The events that open pages get (docs/decisions/0018): one stream a page, of all topics that it shows, in the order in which
 * things happened. Counts are absolute and events the same for every reader, so that an event applied twice changes nothing.
 */

/**
 * The name of a topic that a page follows:
 * - `me`: what happens to the viewer, and what they do in other tabs
 * - `feed`: blogs that come to or leave feeds, and changed names and pictures of people
 * - `search`: search results may have changed
 * - `likes`: the number of likes of blogs
 * - `blog:{id}`: an open blog with its comments; `card:{id}`: a blog in a list
 * - `profile:{userId}`: an open profile and its lists
 * - `writing:{id}`: a text in an editor, and who writes it
 * - `address:{slug}`: a blog that cannot be read yet
 * - `presence:{id}`: who is at a public blog
 *
 * Three topics send no events, and count the page while it follows them: `reading:{id}:{key}` as reading a blog,
 * `here:{id}:{client}` as having a text open in an editor, `looking` as visible to its member. The key is made by the page,
 * the client is that of its commits.
 */
export const TopicName = z.union([
  z.enum(["me", "feed", "search", "likes", "looking"]),
  z
    .string()
    .regex(/^(blog|card|profile|presence|writing):/)
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
  | "likes"
  | "looking"
  | `${"blog" | "card" | "profile" | "presence" | "writing"}:${string}`
  | `address:${string}`
  | `${"reading" | "here"}:${string}:${string}`;

/** Opens the stream of a page. It resumes after `since`, or after the last event of the connection. */
export const FollowTopics = z.strictObject({
  topics: z.array(TopicName).min(1).max(limits.live.topics),
  since: z.string().max(100).optional(),
  lastEventId: z.string().max(100).optional(),
});

/**
 * A message of the stream. Its cursor is `epoch.sequence`, with a third part where another message of the same stored event
 * follows. `topic` is empty where the event is about all topics.
 */
export interface LiveMessage {
  topic: TopicName | "";
  event: LiveEvent;
}

/** A card without what differs between readers. */
export type SharedCard = Omit<BlogCard, "liked" | "saved" | "coAuthors">;

/** Where many pages have to refetch, each waits at random up to so many milliseconds. */
interface Jitter {
  jitterMs: number;
}

/** Events of `blog:{id}`. */
export type CommentEvent =
  /** `repliesCount` is that of the thread, as in a `Fold`. */
  | { kind: "comment.created"; comment: Comment; commentsCount: number; repliesCount: number }
  | { kind: "comment.edited"; commentId: string; text: string; editedAt: string }
  /** `repliesCounts`: of the threads that lost replies, by root. */
  | {
      kind: "comment.deleted";
      commentIds: string[];
      emptied: string[];
      commentsCount: number;
      repliesCounts: Record<string, number>;
    }
  | { kind: "comment.liked"; commentId: string; likesCount: number }
  /** At most one comment of a blog is pinned: another one is unpinned by this. */
  | { kind: "comment.marked"; commentId: string; mark: Mark | null };

/** Events of `blog:{id}` and `card:{id}`. */
export type BlogEvent =
  | { kind: "blog.counted"; blogId: string; likesCount: number; savesCount: number; commentsCount: number }
  /** `text`: on `blog:{id}` only; null where it is too long to send to everybody, and is refetched. */
  | ({
      kind: "blog.edited";
      card: SharedCard;
      commentsFrom: Commenters;
      live: boolean;
      editedAt: string | null;
      text: TextChange | null;
    } & Jitter)
  /** The authors changed. Which of them a reader can see differs, so they are refetched. */
  | ({ kind: "blog.authors"; blogId: string } & Jitter);

/** Events of `profile:{id}`. */
export type ProfileEvent =
  /** `counts` are null where not everybody can see them, and are refetched. `tabs` are the lists that everybody sees. */
  | ({
      kind: "profile.changed";
      person: Person;
      bio: string;
      private: boolean;
      counts: { followers: number; following: number; blogs: number } | null;
      tabs: ProfileTab[];
    } & Jitter)
  /** A list of the profile changed; sent to those who see that list. */
  | ({ kind: "profile.listed"; userId: string; list: ProfileTab | "followers" | "following" } & Jitter);

/** Events of `feed`. Those of a blog for followers go to them and its authors only. Dates are ISO 8601. */
export type FeedEvent =
  | ({
      kind: "blog.published";
      blogId: string;
      authorId: string;
      publishedAt: string;
      likesCount: number;
    } & Jitter)
  /** `left`: the number of public blogs, up to a thousand. No feed is shorter. */
  | ({ kind: "blog.gone"; blogId: string; publishedAt: string | null; left: number } & Jitter)
  /** Many blogs came or went at once, published between these dates. */
  | ({ kind: "feed.changed"; oldest: string; newest: string; left: number } & Jitter)
  | { kind: "person.changed"; person: Person; bio?: string }
  | ({ kind: "person.gone"; personId: string } & Jitter)
  /** The name or looks of the site changed: pages refetch them. */
  | ({ kind: "site.changed" } & Jitter);

/**
 * Event of `likes`, for lists of the most liked. `was` is the number before. Of a blog for followers only they and its authors
 * get it.
 */
export type LikesEvent = {
  kind: "blog.ranked";
  blogId: string;
  publishedAt: string;
  likesCount: number;
  was: number;
} & Jitter;

/** Events of `search`. Those of a blog for followers go to them and its authors only. */
export type SearchEvent = (
  | {
      kind: "search.blogs";
      /** The tags of the changed blogs; null where many changed. */
      tags: string[] | null;
    }
  | { kind: "search.people" }
) &
  Jitter;

/** Events of `writing:{id}`. */
export type WritingEvent =
  /** `commits` are null where they are too long to send, and are refetched. */
  | { kind: "writing.committed"; seq: number; commits: Commit[] | null }
  /** The blog was saved as of a commit. */
  | { kind: "writing.saved"; seq: number; draft: boolean }
  /** A co-author was invited, answered, or left. */
  | { kind: "writing.authors" }
  /** A message to the authors, about what the server changed in the text. */
  | { kind: "writing.message"; message: string };

/** Events of `me`. */
export type ViewerEvent =
  /** `unseen`: the unread ones since the list was last opened, which the bell shows. */
  | { kind: "notification.created"; unread: number; unseen: number }
  /** `only`: one entry; without it all. */
  | { kind: "notification.read"; unread: number; unseen: number; only?: NotificationRef | undefined }
  /** Notifications were removed or changed: withdrawn, about something that cannot be read any more, or renamed. */
  | { kind: "notification.withdrawn"; unread: number; unseen: number }
  /** The list was opened on one of the viewer's pages. */
  | { kind: "notification.seen"; unseen: number }
  | { kind: "follow.requested"; request: FollowRequest; requestsCount: number }
  | { kind: "follow.withdrawn"; requesterId: string; requestsCount: number }
  | { kind: "follow.settled"; userId: string; status: FollowStatus }
  | { kind: "follower.changed"; followersCount: number }
  | { kind: "viewer.like"; blogId: string; liked: boolean }
  | { kind: "viewer.commentLike"; commentId: string; blogId: string; liked: boolean }
  | { kind: "viewer.save"; blogId: string; saved: boolean }
  | { kind: "viewer.follow"; userId: string; status: FollowStatus }
  /** The viewer's subscription to a blog; null for the default. */
  | { kind: "viewer.subscription"; blogId: string; way: SubscriptionLevel | null }
  /** Lists drop what a muted person wrote. */
  | { kind: "viewer.mute"; userId: string; muted: boolean }
  /** `written`: only the text of a draft changed. */
  | { kind: "viewer.blogsChanged"; blogId: string | null; written?: true | undefined }
  /** An invitation to co-author a blog came, or was withdrawn. */
  | { kind: "viewer.invitationsChanged" }
  /** The pending comments of a blog changed: the viewer's own, or those the viewer can approve. */
  | { kind: "viewer.pendingChanged"; blogId: string }
  /** The counts of one of the viewer's blogs changed; or their sessions or ways to sign in. */
  | { kind: "viewer.countsChanged" | "viewer.signInChanged" }
  /** A moderator's queue, the notification settings or the imports changed. */
  | { kind: "viewer.reportsChanged" | "viewer.channelsChanged" | "viewer.importsChanged" }
  /** The name, picture, bio or a setting. */
  | { kind: "viewer.profileChanged"; person: Person };

/**
 * The event of `presence:{id}`: the whole current state. It is not stored, and has the cursor of the message before. Above a
 * hundred readers two digits are exact; `replying` names a few.
 */
export interface PresenceEvent {
  kind: "presence";
  reading: number;
  replying: { id: string; name: string }[];
  replyingCount: number;
}

/** The ephemeral event of `writing:{id}`: all pages that write, and the clients of those that wait for a free place. */
export interface WritersEvent {
  kind: "writers";
  writers: Writer[];
  waiting: string[];
}

/**
 * - `checkpoint`: everything up to this cursor was sent. It comes once a stream has caught up, and after each change that
 *   the viewer makes.
 * - `accessLost`: the topic cannot be read. A stream sends it before its first checkpoint for each topic that cannot be
 *   read: a topic that was lost before and is not named then can be read again.
 * - `accessRestored`: the topic is to be refetched: it can be read again, or may show something else. For an address: there
 *   is a blog to read now.
 * - `reset`: the log does not reach back far enough. Everything that is shown is to be refetched.
 */
export type StreamEvent =
  | { kind: "checkpoint" }
  | ({ kind: "accessLost" } & Partial<Jitter>)
  | ({ kind: "accessRestored" } & Partial<Jitter>)
  | ({ kind: "reset" } & Jitter);

export type LiveEvent =
  | CommentEvent
  | BlogEvent
  | ProfileEvent
  | FeedEvent
  | SearchEvent
  | LikesEvent
  | ViewerEvent
  | PresenceEvent
  | WritingEvent
  | WritersEvent
  | StreamEvent;
