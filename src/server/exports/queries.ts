import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { visible } from "../blogs/card-queries.ts";
import { blogTitle } from "../database/blog-title.ts";
import type { Connection } from "../database/connection.ts";
import { aliases, blogAuthors, blogs, oldSlugs } from "../database/schema/blogs.ts";
import { commentLikes, comments, pendingComments } from "../database/schema/comments.ts";
import { imports } from "../database/schema/imports.ts";
import { media } from "../database/schema/media.ts";
import { blogSubscriptions, notificationSettings, notifications } from "../database/schema/notifications.ts";
import {
  blogLikes,
  blogSaves,
  followRequests,
  follows,
  readingPositions,
} from "../database/schema/social.ts";
import { mutes, blocks } from "../database/schema/blocks.ts";
import { reservedUsernames, users } from "../database/schema/profiles.ts";
import { signupRequests } from "../database/schema/signup.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/* The queries of an export: pages of rows by number, or all rows of one account. */

/** Rows per query. */
const batchSize = 200;
const viewer = sql.placeholder("viewer");
const after = sql.placeholder("after");
const other = alias(users, "other");

const author = { id: users.id, username: users.username, name: users.name };
const otherPerson = { id: other.id, username: other.username, name: other.name };
/** The blog that a row refers to. */
const blogReference = { title: blogTitle, slug: blogs.slug };

/** Prepares the queries for the whole site (null), or for what `account` owns and may see. */
export function exportQueries({ drizzle: db }: Connection, account: string | null) {
  const isMine = (column: SQLiteColumn): SQL | undefined =>
    account === null ? undefined : eq(column, viewer);
  const mayBeSeen = account === null ? sql`1` : visible;
  const isVisible = (column: SQLiteColumn): SQL | undefined =>
    account === null ? undefined : isVisibleTo(column);
  const isViewer = (column: SQLiteColumn) => eq(column, viewer);
  const blogContext = { on: blogReference, by: author, seen: sql<number>`${mayBeSeen}` };

  const accounts = db
    .select()
    .from(users)
    .where(and(isMine(users.id), gt(users.seq, after)))
    .orderBy(asc(users.seq))
    .limit(batchSize)
    .prepare();
  const blogColumns = {
    blog: {
      seq: blogs.seq,
      id: blogs.id,
      slug: blogs.slug,
      title: blogs.title,
      description: blogs.description,
      tags: blogs.tags,
      coverId: blogs.coverId,
      coverFocus: blogs.coverFocus,
      draft: blogs.draft,
      private: blogs.private,
      commentsFrom: blogs.commentsFrom,
      createdAt: blogs.createdAt,
      publishedAt: blogs.publishedAt,
      editedAt: blogs.editedAt,
      takedownReason: blogs.takedownReason,
      canonicalUrl: blogs.canonicalUrl,
      searchTitle: blogs.searchTitle,
      searchDescription: blogs.searchDescription,
      language: blogs.language,
      guessedLanguage: blogs.guessedLanguage,
      etag: blogs.etag,
      likesCount: blogs.likesCount,
      commentsCount: blogs.commentsCount,
      savesCount: blogs.savesCount,
    },
    author,
    imported: sql<
      string | null
    >`(select ${imports.source} from ${imports} where ${imports.blogId} = ${blogs.id} limit 1)`,
  };
  const blogRows = db
    .select(blogColumns)
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isMine(blogs.authorId), gt(blogs.seq, after)))
    .orderBy(asc(blogs.seq))
    .limit(batchSize)
    .prepare();
  const oneBlog = db
    .select(blogColumns)
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare();
  const text = db
    .select({ document: sql<string>`${blogs.document}`, html: blogs.html })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare();
  const pictures = db
    .select({ picture: media, owner: author })
    .from(media)
    .leftJoin(users, eq(users.id, media.ownerId))
    .where(
      and(
        isMine(media.ownerId),
        account === null ? undefined : isNull(media.unusedAt),
        gt(media.id, sql.placeholder("id")),
      ),
    )
    .orderBy(asc(media.id))
    .limit(batchSize)
    .prepare();
  const commentColumns = {
    id: comments.id,
    blog: comments.blogId,
    parent: comments.parentId,
    text: comments.text,
    createdAt: comments.createdAt,
    editedAt: comments.editedAt,
    deletedAt: comments.deletedAt,
    mark: comments.mark,
    guest: comments.guestName,
    likes: comments.likesCount,
  };
  const isOwnOrOnOwnBlog =
    account === null ? undefined : or(isViewer(comments.authorId), isViewer(blogs.authorId));
  const commentRows = db
    .select({ seq: comments.seq, comment: commentColumns, writer: otherPerson, ...blogContext })
    .from(comments)
    .innerJoin(blogs, eq(blogs.id, comments.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .leftJoin(other, eq(other.id, comments.authorId))
    .where(
      and(
        gt(comments.seq, after),
        isOwnOrOnOwnBlog,
        account === null ? undefined : or(isNull(comments.authorId), isVisibleTo(comments.authorId)),
      ),
    )
    .orderBy(asc(comments.seq))
    .limit(batchSize)
    .prepare();
  const pendingCommentRows = db
    .select({ comment: pendingComments, writer: otherPerson, ...blogContext })
    .from(pendingComments)
    .innerJoin(blogs, eq(blogs.id, pendingComments.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .innerJoin(other, eq(other.id, pendingComments.authorId))
    .where(
      account === null
        ? undefined
        : and(
            or(isViewer(pendingComments.authorId), isViewer(blogs.authorId)),
            isVisibleTo(pendingComments.authorId),
          ),
    )
    .orderBy(asc(pendingComments.createdAt))
    .prepare();
  const blogLikeRows = db
    .select({ blog: blogLikes.blogId, at: blogLikes.createdAt, ...blogContext })
    .from(blogLikes)
    .innerJoin(blogs, eq(blogs.id, blogLikes.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogLikes.userId), mayBeSeen))
    .orderBy(asc(blogLikes.createdAt))
    .prepare();
  const commentLikeRows = db
    .select({ comment: commentLikes.commentId, at: commentLikes.createdAt, ...blogContext })
    .from(commentLikes)
    .innerJoin(comments, eq(comments.id, commentLikes.commentId))
    .innerJoin(blogs, eq(blogs.id, comments.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(
      and(
        isViewer(commentLikes.userId),
        mayBeSeen,
        account === null ? undefined : or(isNull(comments.authorId), isVisibleTo(comments.authorId)),
      ),
    )
    .orderBy(asc(commentLikes.createdAt))
    .prepare();
  const saveRows = db
    .select({ blog: blogSaves.blogId, at: blogSaves.createdAt, ...blogContext })
    .from(blogSaves)
    .innerJoin(blogs, eq(blogs.id, blogSaves.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogSaves.userId), mayBeSeen))
    .orderBy(asc(blogSaves.createdAt))
    .prepare();
  const readingPositionRows = db
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
    .where(and(isViewer(readingPositions.userId), mayBeSeen))
    .orderBy(asc(readingPositions.leftAt), asc(readingPositions.blogId))
    .prepare();
  const invitationColumns = {
    at: sql<number>`coalesce(${blogAuthors.acceptedAt}, ${blogAuthors.invitedAt})`,
    accepted: sql`${blogAuthors.acceptedAt} is not null`.mapWith(Boolean),
  };
  const coAuthoredRows = db
    .select({ blog: blogAuthors.blogId, ...invitationColumns, ...blogContext })
    .from(blogAuthors)
    .innerJoin(blogs, eq(blogs.id, blogAuthors.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogAuthors.userId), mayBeSeen))
    .orderBy(asc(invitationColumns.at), asc(blogAuthors.blogId))
    .prepare();
  const coAuthors = db
    .select({ other: otherPerson, blog: blogAuthors.blogId, ...invitationColumns, ...blogContext })
    .from(blogAuthors)
    .innerJoin(blogs, eq(blogs.id, blogAuthors.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .innerJoin(other, eq(other.id, blogAuthors.userId))
    .where(and(isViewer(blogs.authorId), isVisible(other.id)))
    .orderBy(asc(invitationColumns.at), asc(blogAuthors.blogId))
    .prepare();
  const followed = db
    .select({ other: otherPerson, at: follows.createdAt })
    .from(follows)
    .innerJoin(other, eq(other.id, follows.followedId))
    .where(and(isViewer(follows.followerId), isVisible(other.id)))
    .orderBy(asc(follows.createdAt))
    .prepare();
  const followers = db
    .select({ other: otherPerson, at: follows.createdAt })
    .from(follows)
    .innerJoin(other, eq(other.id, follows.followerId))
    .where(and(isViewer(follows.followedId), isVisible(other.id)))
    .orderBy(asc(follows.createdAt))
    .prepare();
  const sentRequestRows = db
    .select({ other: otherPerson, at: followRequests.createdAt })
    .from(followRequests)
    .innerJoin(other, eq(other.id, followRequests.ownerId))
    .where(and(isViewer(followRequests.requesterId), isVisible(other.id)))
    .orderBy(asc(followRequests.createdAt))
    .prepare();
  const receivedRequestRows = db
    .select({ other: otherPerson, at: followRequests.createdAt })
    .from(followRequests)
    .innerJoin(other, eq(other.id, followRequests.requesterId))
    .where(and(isViewer(followRequests.ownerId), isVisible(other.id)))
    .orderBy(asc(followRequests.createdAt))
    .prepare();
  const blocked = db
    .select({ other: otherPerson, at: sql<number>`${blocks.blockedAt}` })
    .from(blocks)
    .innerJoin(other, eq(other.id, blocks.otherId))
    .where(and(isViewer(blocks.viewerId), isNotNull(blocks.blockedAt)))
    .orderBy(asc(blocks.blockedAt))
    .prepare();
  const muted = db
    .select({ other: otherPerson, at: mutes.mutedAt })
    .from(mutes)
    .innerJoin(other, eq(other.id, mutes.mutedId))
    .where(and(isViewer(mutes.ownerId), isVisible(other.id)))
    .orderBy(asc(mutes.mutedAt))
    .prepare();
  const subscriptionRows = db
    .select({ blog: blogSubscriptions.blogId, level: blogSubscriptions.level })
    .from(blogSubscriptions)
    .innerJoin(blogs, eq(blogs.id, blogSubscriptions.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogSubscriptions.userId), mayBeSeen))
    .orderBy(asc(blogSubscriptions.blogId))
    .prepare();
  const notificationRows = db
    .select({
      notice: notifications,
      actor: otherPerson,
      // An invited person may know only the title.
      on: {
        ...blogReference,
        slug: sql<string>`case when ${notifications.kind} = 'invited' then '' else ${blogs.slug} end`,
      },
      by: author,
      firstComment: sql<
        string | null
      >`(select first.id from ${comments} first where first.seq = ${notifications.firstComment})`,
    })
    .from(notifications)
    .innerJoin(other, eq(other.id, notifications.actorId))
    .leftJoin(blogs, eq(blogs.id, notifications.blogId))
    .leftJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(notifications.userId)))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .prepare();
  const notificationSettingRows = db
    .select({
      topic: notificationSettings.topic,
      page: notificationSettings.page,
      push: notificationSettings.push,
      mail: notificationSettings.mail,
    })
    .from(notificationSettings)
    .where(isViewer(notificationSettings.userId))
    .orderBy(asc(notificationSettings.topic))
    .prepare();
  const formerNames = db
    .select({ username: reservedUsernames.username, until: reservedUsernames.until })
    .from(reservedUsernames)
    .where(isViewer(reservedUsernames.userId))
    .orderBy(asc(reservedUsernames.username))
    .prepare();
  const signupRequest = db
    .select({ answer: signupRequests.answer, since: signupRequests.requestedAt })
    .from(signupRequests)
    .where(isViewer(signupRequests.userId))
    .prepare();
  const oldSlugRows = db
    .select({ slug: oldSlugs.slug })
    .from(oldSlugs)
    .where(eq(oldSlugs.blogId, sql.placeholder("id")))
    .orderBy(asc(oldSlugs.slug))
    .prepare();
  const aliasRows = db
    .select({ path: aliases.path })
    .from(aliases)
    .where(eq(aliases.blogId, sql.placeholder("id")))
    .orderBy(asc(aliases.path))
    .prepare();

  const forViewer =
    <Row>(query: { all: (values: { viewer: string }) => Row[] }) =>
    async (id: string): Promise<Row[]> =>
      query.all({ viewer: id });
  const accountId = account ?? "";
  return {
    accounts: async (seq: number) => accounts.all({ viewer: accountId, after: seq }),
    blogs: async (seq: number) => blogRows.all({ viewer: accountId, after: seq }),
    blog: async (id: string) => oneBlog.get({ id }),
    text: async (id: string) => text.get({ id }),
    pictures: async (id: string) => pictures.all({ viewer: accountId, id }),
    comments: async (seq: number) => commentRows.all({ viewer: accountId, after: seq }),
    waiting: async () => pendingCommentRows.all({ viewer: accountId }),
    oldSlugs: async (id: string) => oldSlugRows.all({ id }).map(({ slug }) => slug),
    aliases: async (id: string) => aliasRows.all({ id }).map(({ path }) => path),
    blogLikes: forViewer(blogLikeRows),
    commentLikes: forViewer(commentLikeRows),
    saves: forViewer(saveRows),
    readingPositions: forViewer(readingPositionRows),
    coAuthoredBlogs: forViewer(coAuthoredRows),
    coAuthors: forViewer(coAuthors),
    followed: forViewer(followed),
    followers: forViewer(followers),
    sentRequests: forViewer(sentRequestRows),
    receivedRequests: forViewer(receivedRequestRows),
    blocked: forViewer(blocked),
    muted: forViewer(muted),
    subscriptions: forViewer(subscriptionRows),
    notifications: forViewer(notificationRows),
    notificationSettings: forViewer(notificationSettingRows),
    formerNames: async (id: string) => formerNames.all({ viewer: id }),
    signupRequest: async (id: string) => signupRequest.get({ viewer: id }),
    counts: async () => ({
      accounts: await db.$count(users, account === null ? undefined : eq(users.id, account)),
      blogs: await db.$count(blogs, account === null ? undefined : eq(blogs.authorId, account)),
      media: await db.$count(
        media,
        account === null ? undefined : and(eq(media.ownerId, account), isNull(media.unusedAt)),
      ),
      comments: await db.$count(comments, account === null ? undefined : eq(comments.authorId, account)),
    }),
  };
}

export type ExportQueries = ReturnType<typeof exportQueries>;
