import type { Comment } from "./comments.ts";
import type { FollowStatus, Person } from "./users.ts";
import type { FollowRequest } from "./social.ts";

/**
 * The live events as they reach a page (design, "Topics and events"). Counts are absolute, so that applying one twice
 * changes nothing; payloads are the same for every reader.
 */
export type BlogEvent =
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
  | { kind: "blog.liked"; likesCount: number }
  | { kind: "blog.saved"; savesCount: number }
  | { kind: "blog.edited" }
  | StreamEnd;

export type UserEvent =
  | { kind: "notification.created"; unread: number }
  | { kind: "notification.read"; unread: number }
  /** Some are gone, read ones perhaps among them: taken back, or about what may not be read any more. */
  | { kind: "notification.withdrawn"; unread: number }
  | { kind: "follow.requested"; request: FollowRequest; requestsCount: number }
  | { kind: "follow.withdrawn"; requesterId: string; requestsCount: number }
  | { kind: "follow.settled"; userId: string; status: FollowStatus }
  | { kind: "follower.changed"; followersCount: number }
  | { kind: "own.like"; blogId: string; liked: boolean }
  | { kind: "own.commentLike"; commentId: string; blogId: string; liked: boolean }
  | { kind: "own.save"; blogId: string; saved: boolean }
  | { kind: "own.follow"; userId: string; status: FollowStatus }
  | { kind: "own.blogs" }
  | { kind: "profile.changed"; person: Person }
  | StreamEnd;

/** Of a blog for followers, these alone hear. `publishedAt` is ISO 8601: an imported blog may be old and belong further down. */
export type FeedEvent =
  | { kind: "blog.published"; blogId: string; publishedAt: string }
  | { kind: "blog.gone"; blogId: string }
  | StreamEnd;

/** `reset`: the backlog does not reach back that far, fetch again. `gone`: you may not read this any more; the stream ends. */
export type StreamEnd = { kind: "reset" } | { kind: "gone" };
