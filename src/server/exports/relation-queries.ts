import { and, asc, desc, eq, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import type { StoredColumn } from "../database/schema/columns.ts";
import { visible } from "../blogs/card-queries.ts";
import { preparedQuery } from "../database/connection.ts";
import { blogAuthors } from "../database/schema/authors.ts";
import { blogs } from "../database/schema/blogs.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { blogSubscriptions, notifications } from "../database/schema/notifications.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";
import { followRequests, follows } from "../database/schema/follows.ts";
import { readingPositions } from "../database/schema/blogs.ts";
import { mutes, blocks } from "../database/schema/blocks.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";
import { author, blogReference, isViewer, other, otherPerson } from "./queries.ts";

/* The queries of an export: how the account `viewer` relates to blogs, comments and people that it can see. */

/** The blog that a row refers to, and its author. */
const blogContext = { on: blogReference, by: author };

export const blogLikesOf = preparedQuery((db) =>
  db
    .select({ blog: blogLikes.blogId, at: blogLikes.createdAt, ...blogContext })
    .from(blogLikes)
    .innerJoin(blogs, eq(blogs.id, blogLikes.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogLikes.userId), visible))
    .orderBy(asc(blogLikes.createdAt)),
);
export const commentLikesOf = preparedQuery((db) =>
  db
    .select({ comment: commentLikes.commentId, at: commentLikes.createdAt, ...blogContext })
    .from(commentLikes)
    .innerJoin(comments, eq(comments.id, commentLikes.commentId))
    .innerJoin(blogs, eq(blogs.id, comments.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(
      and(
        isViewer(commentLikes.userId),
        visible,
        or(isNull(comments.authorId), isVisibleTo(comments.authorId)),
      ),
    )
    .orderBy(asc(commentLikes.createdAt)),
);
export const savesOf = preparedQuery((db) =>
  db
    .select({ blog: blogSaves.blogId, at: blogSaves.createdAt, ...blogContext })
    .from(blogSaves)
    .innerJoin(blogs, eq(blogs.id, blogSaves.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogSaves.userId), visible))
    .orderBy(asc(blogSaves.createdAt)),
);
export const readingPositionsOf = preparedQuery((db) =>
  db
    .select({
      blog: readingPositions.blogId,
      block: readingPositions.block,
      words: readingPositions.words,
      part: readingPositions.part,
      at: readingPositions.leftAt,
      ...blogContext,
    })
    .from(readingPositions)
    .innerJoin(blogs, eq(blogs.id, readingPositions.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(readingPositions.userId), visible))
    .orderBy(asc(readingPositions.leftAt), asc(readingPositions.blogId)),
);
const invitationColumns = {
  at: sql<number>`coalesce(${blogAuthors.acceptedAt}, ${blogAuthors.invitedAt})`,
  accepted: sql`${blogAuthors.acceptedAt} is not null`.mapWith(Boolean),
};
export const coAuthoredBlogsOf = preparedQuery((db) =>
  db
    .select({ blog: blogAuthors.blogId, ...invitationColumns, ...blogContext })
    .from(blogAuthors)
    .innerJoin(blogs, eq(blogs.id, blogAuthors.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogAuthors.userId), visible))
    .orderBy(asc(invitationColumns.at), asc(blogAuthors.blogId)),
);
export const coAuthorsOf = preparedQuery((db) =>
  db
    .select({ other: otherPerson, blog: blogAuthors.blogId, ...invitationColumns, ...blogContext })
    .from(blogAuthors)
    .innerJoin(blogs, eq(blogs.id, blogAuthors.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .innerJoin(other, eq(other.id, blogAuthors.userId))
    .where(and(isViewer(blogs.authorId), isVisibleTo(other.id)))
    .orderBy(asc(invitationColumns.at), asc(blogAuthors.blogId)),
);
/** Returns the people whom rows name in `person`, of those whose `owner` is the viewer, oldest first. */
const peopleOf = (
  person: StoredColumn,
  owner: StoredColumn,
  at: StoredColumn,
  isShown: SQL = isVisibleTo(other.id),
) =>
  preparedQuery((db) =>
    db
      .select({ other: otherPerson, at: sql<number>`${at}` })
      .from(owner.table)
      .innerJoin(other, eq(other.id, person))
      .where(and(isViewer(owner), isShown))
      .orderBy(asc(at)),
  );
export const followedBy = peopleOf(follows.followedId, follows.followerId, follows.createdAt);
export const followersOf = peopleOf(follows.followerId, follows.followedId, follows.createdAt);
export const sentRequestsOf = peopleOf(
  followRequests.ownerId,
  followRequests.requesterId,
  followRequests.createdAt,
);
export const receivedRequestsOf = peopleOf(
  followRequests.requesterId,
  followRequests.ownerId,
  followRequests.createdAt,
);
export const mutedBy = peopleOf(mutes.mutedId, mutes.ownerId, mutes.mutedAt);
export const blockedBy = peopleOf(
  blocks.otherId,
  blocks.viewerId,
  blocks.blockedAt,
  isNotNull(blocks.blockedAt),
);
export const subscriptionsOf = preparedQuery((db) =>
  db
    .select({ blog: blogSubscriptions.blogId, level: blogSubscriptions.level })
    .from(blogSubscriptions)
    .innerJoin(blogs, eq(blogs.id, blogSubscriptions.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogSubscriptions.userId), visible))
    .orderBy(asc(blogSubscriptions.blogId)),
);
export const notificationsOf = preparedQuery((db) =>
  db
    .select({
      notice: notifications,
      actor: otherPerson,
      // An invited person may know only the title.
      on: {
        ...blogReference,
        slug: sql<string>`case when ${notifications.kind} = 'invited' then '' else ${blogs.slug} end`,
      },
      by: author,
    })
    .from(notifications)
    .innerJoin(other, eq(other.id, notifications.actorId))
    .leftJoin(blogs, eq(blogs.id, notifications.blogId))
    .leftJoin(users, eq(users.id, blogs.authorId))
    .where(isViewer(notifications.userId))
    .orderBy(desc(notifications.createdAt), desc(notifications.id)),
);
