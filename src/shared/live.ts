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
 * What an open page is told (docs/decisions/0018): one stream a page, of as many topics as it shows, in the order in which
 * things happened. Counts are absolute and payloads the same for every reader, so that an event applied twice changes nothing.
 */

/**
 * The topics that a page follows by name:
 * `me` what happens to the viewer and what they do in other tabs; `feed` what comes and goes for everybody, and people's
 * names and pictures; `search` that something else may be found now; `likes` blogs that come to be liked by more or by
 * fewer; `blog:{id}` an open blog with its comments; `card:{id}` a blog in a list; `profile:{userId}` an open profile and
 * its lists; `writing:{id}` a text that is being written, and who writes there; `address:{slug}` a blog that could not be read,
 * until it can; `presence:{id}` who is at a blog that everybody may read. `reading:{id}:{key}` says that this page is there,
 * `here:{id}:{client}` that it has the text open, and `looking` that its member looks at it: they tell nothing. The key is a
 * guest's page's own, the client that of its commits.
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

/** A page's stream: it goes on after `since`, or after the last event that the connection had. */
export const FollowTopics = z.strictObject({
  topics: z.array(TopicName).min(1).max(limits.live.topics),
  since: z.string().max(100).optional(),
  lastEventId: z.string().max(100).optional(),
});

/**
 * A frame of the stream. It is tracked by its cursor, `epoch.sequence`, which has a third part where another frame of the same
 * fact is to come: read the second for its place, and give the whole back. `topic` is empty where it concerns all of them.
 */
export interface Told {
  topic: TopicName | "";
  event: LiveEvent;
}

/** A card as everybody sees it. */
export type SharedCard = Omit<BlogCard, "liked" | "saved" | "coAuthors">;

/** Where many pages have to ask again, each waits by chance up to so many milliseconds. */
interface Spread {
  spread: number;
}

/** Of `blog:{id}` alone. */
export type CommentEvent =
  /** `repliesCount` is its thread's, as in a `Fold`. */
  | { kind: "comment.created"; comment: Comment; commentsCount: number; repliesCount: number }
  | { kind: "comment.edited"; commentId: string; text: string; editedAt: string }
  /** `repliesCounts` are those of the threads that lost some, by root. */
  | {
      kind: "comment.deleted";
      commentIds: string[];
      emptied: string[];
      commentsCount: number;
      repliesCounts: Record<string, number>;
    }
  | { kind: "comment.liked"; commentId: string; likesCount: number }
  /** Of a blog's comments one is pinned at most: another is not any more. */
  | { kind: "comment.marked"; commentId: string; mark: Mark | null };

/** Of `blog:{id}` and `card:{id}`. */
export type BlogEvent =
  | { kind: "blog.counted"; blogId: string; likesCount: number; savesCount: number; commentsCount: number }
  /** `text` on `blog:{id}` alone, and null where it is too long to be sent to everybody: then it is asked for. */
  | ({
      kind: "blog.edited";
      card: SharedCard;
      commentsFrom: Commenters;
      live: boolean;
      editedAt: string | null;
      text: TextChange | null;
    } & Spread)
  /** Others write it than before: whom of them a reader may see differs, so that it is asked for again. */
  | ({ kind: "blog.authors"; blogId: string } & Spread);

/** Of `profile:{id}`. */
export type ProfileEvent =
  /**
   * `counts` are null where not everybody may know them: then they are asked for. `tabs` are the lists that everybody sees.
   */
  | ({
      kind: "profile.changed";
      person: Person;
      bio: string;
      private: boolean;
      counts: { followers: number; following: number; blogs: number } | null;
      tabs: ProfileTab[];
    } & Spread)
  /** Something came to a list of the profile, or left it: told to those who see that list. */
  | ({ kind: "profile.listed"; userId: string; list: ProfileTab | "followers" | "following" } & Spread);

/** Of `feed`. Of a blog for followers, these and the author alone hear. Dates are ISO 8601. */
export type FeedEvent =
  | ({
      kind: "blog.published";
      blogId: string;
      authorId: string;
      publishedAt: string;
      likesCount: number;
    } & Spread)
  /** `left` are how many blogs everybody may read, up to a thousand: nobody's feed is shorter. */
  | ({ kind: "blog.gone"; blogId: string; publishedAt: string | null; left: number } & Spread)
  /** Many came or went at once, published between these dates. */
  | ({ kind: "feed.changed"; oldest: string; newest: string; left: number } & Spread)
  | { kind: "person.changed"; person: Person; bio?: string }
  | ({ kind: "person.gone"; personId: string } & Spread)
  /** Its name or looks: what pages know of the site is to be asked for again. */
  | ({ kind: "site.changed" } & Spread);

/** Of `likes`, for lists of the most liked. Of a blog for followers, these and the author alone hear. */
export type LikesEvent = {
  kind: "blog.ranked";
  blogId: string;
  publishedAt: string;
  likesCount: number;
  was: number;
} & Spread;

/** Of `search`: blogs or people may be found by words that did not find them, or no more. Of a blog for followers, these and the author alone hear. */
export type SearchEvent = (
  | {
      kind: "search.blogs";
      /** The tags of what has changed; null where that is much. */
      tags: string[] | null;
    }
  | { kind: "search.people" }
) &
  Spread;

/**
 * Of `writing:{id}`: what its authors write, `commits` null where they are too long to be sent: then they are asked for. And that
 * the blog says by now what was written up to a commit; what became of it on the way, its writers are told in words.
 */
export type WritingEvent =
  | { kind: "writing.committed"; seq: number; commits: Commit[] | null }
  | { kind: "writing.saved"; seq: number; draft: boolean }
  /** Somebody was invited, answered, or writes it no more. */
  | { kind: "writing.authors" }
  | { kind: "writing.told"; message: string };

/** Of `me`. */
export type OwnEvent =
  /** `unseen` are those of the unread that came since the list was last opened: what the bell shows. */
  | { kind: "notification.created"; unread: number; unseen: number }
  /** All of them, or those of one entry. */
  | { kind: "notification.read"; unread: number; unseen: number; only?: NotificationRef | undefined }
  /** Some are gone or say something else: taken back, about what may not be read any more, or renamed. */
  | { kind: "notification.withdrawn"; unread: number; unseen: number }
  /** The list was opened on one of their pages. */
  | { kind: "notification.seen"; unseen: number }
  | { kind: "follow.requested"; request: FollowRequest; requestsCount: number }
  | { kind: "follow.withdrawn"; requesterId: string; requestsCount: number }
  | { kind: "follow.settled"; userId: string; status: FollowStatus }
  | { kind: "follower.changed"; followersCount: number }
  | { kind: "own.like"; blogId: string; liked: boolean }
  | { kind: "own.commentLike"; commentId: string; blogId: string; liked: boolean }
  | { kind: "own.save"; blogId: string; saved: boolean }
  | { kind: "own.follow"; userId: string; status: FollowStatus }
  /** How they want to hear of a blog. */
  | { kind: "own.watched"; blogId: string; way: SubscriptionLevel | null }
  /** What is there of them leaves lists at once, those too that are read anew as they are shown. */
  | { kind: "own.muted"; userId: string; muted: boolean }
  /** `written`: more is written in a draft, and nothing else of it is another. */
  | { kind: "own.blogs"; blogId: string | null; written?: true | undefined }
  /** They were invited to write a blog with others, or not any more. */
  | { kind: "own.invitations" }
  /** Below a blog other comments wait than before, of theirs or for them to let in, as its author or a moderator. */
  | { kind: "own.held"; blogId: string }
  /** One of the viewer's blogs has more or fewer comments or likes; where they are signed in has changed, or how they sign in. */
  | { kind: "own.counted" | "own.access" }
  /** A moderator's queue has more or less in it; the viewer's notification channels changed. */
  | { kind: "own.reports" | "own.noticeWays" | "own.imports" }
  /** Name, picture, bio or a setting. */
  | { kind: "own.profile"; person: Person };

/**
 * Of `presence:{id}`: how it stands, all of it. It is stored nowhere, and has the cursor of whatever was told before it. Beyond
 * a hundred readers two digits are exact; of those who reply a few are named.
 */
export interface PresenceEvent {
  kind: "presence";
  reading: number;
  replying: { id: string; name: string }[];
  replyingCount: number;
}

/**
 * Of `writing:{id}`: which pages write there, all of them as it stands, and the names of those that wait until there is room. It
 * is stored nowhere, as `presence` is not.
 */
export interface HereEvent {
  kind: "here";
  writers: Writer[];
  waiting: string[];
}

/**
 * `at`: all there was up to this cursor has been told; it comes at once when a stream begins, and after whatever the viewer
 * did themselves. `gone`: the topic may not be read; `back`: it may be again, and is to be asked for anew. A stream says `gone`
 * before its first `at` for all that may not be read: what was gone and is not named then, may be. An address says `back` then
 * where there is a blog to read. `reset`: what happened is not kept so far back: everything that is shown is to be asked for anew.
 */
export type StreamEvent =
  | { kind: "at" }
  | ({ kind: "gone" } & Partial<Spread>)
  | ({ kind: "back" } & Partial<Spread>)
  | ({ kind: "reset" } & Spread);

export type LiveEvent =
  | CommentEvent
  | BlogEvent
  | ProfileEvent
  | FeedEvent
  | SearchEvent
  | LikesEvent
  | OwnEvent
  | PresenceEvent
  | WritingEvent
  | HereEvent
  | StreamEvent;
