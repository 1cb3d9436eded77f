import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import { alias, union, type StoredColumn } from "../database/schema/columns.ts";
import { visible } from "../blogs/card-queries.ts";
import { blogTitle } from "../database/blog-title.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { aliases, blogMedia, blogs, oldSlugs } from "../database/schema/blogs.ts";
import { comments, pendingComments } from "../database/schema/comments.ts";
import { draftMedia } from "../database/schema/writing.ts";
import { entries, entryMedia } from "../database/schema/entries.ts";
import { imports } from "../database/schema/imports.ts";
import { media } from "../database/schema/media.ts";
import { notificationSettings } from "../database/schema/notifications.ts";
import { reservedUsernames, users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/* The queries of an export: what the account `viewer` has written, and others below it, as far as it can see them. */

/** Rows per query. */
const batchSize = 200;
const after = sql.placeholder("after");

/** Whether a column has the account whose export it is. */
export const isViewer = (column: StoredColumn): SQL => eq(column, sql.placeholder("viewer"));

export const other = alias(users, "other");
export const author = { id: users.id, username: users.username, name: users.name };
export const otherPerson = { id: other.id, username: other.username, name: other.name };
export const blogReference = { title: blogTitle, slug: blogs.slug };
/** The blog that a row refers to, its author, and whether the account can read it. */
const blogContext = { on: blogReference, by: author, seen: sql<number>`${visible}` };

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
    liveSince: blogs.liveSince,
    liveEnded: blogs.liveEnded,
    embeddable: blogs.embeddable,
    summary: blogs.summary,
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
/** A page of the blogs that an account owns. */
export const ownBlogs = preparedQuery((db) =>
  db
    .select(blogColumns)
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(isViewer(blogs.authorId), gt(blogs.seq, after)))
    .orderBy(asc(blogs.seq))
    .limit(batchSize),
);
export const blogById = preparedQuery((db) =>
  db
    .select(blogColumns)
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(eq(blogs.id, sql.placeholder("id"))),
);
export const blogText = preparedQuery((db) =>
  db
    .select({ document: sql<string>`${blogs.document}`, html: blogs.html })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id"))),
);
/** Selects the pictures that an account's blogs show. */
const picturesOfOwnBlogs = (db: Connection["drizzle"]) =>
  union(
    db
      .select({ id: sql<string>`${blogs.coverId}`.as("id") })
      .from(blogs)
      .where(and(isViewer(blogs.authorId), isNotNull(blogs.coverId))),
    db
      .select({ id: blogMedia.mediaId })
      .from(blogMedia)
      .innerJoin(blogs, eq(blogs.id, blogMedia.blogId))
      .where(isViewer(blogs.authorId)),
    db
      .select({ id: entryMedia.mediaId })
      .from(entryMedia)
      .innerJoin(entries, eq(entries.id, entryMedia.entryId))
      .innerJoin(blogs, eq(blogs.id, entries.blogId))
      .where(and(isViewer(blogs.authorId), isNull(entries.withdrawnAt))),
    db
      .select({ id: draftMedia.mediaId })
      .from(draftMedia)
      .innerJoin(blogs, eq(blogs.id, draftMedia.blogId))
      .where(and(isViewer(blogs.authorId), eq(blogs.draft, true))),
  );
/** A page of the pictures in use that an account owns, or that its blogs show: co-authors add some, too. */
export const usedPictures = preparedQuery((db) =>
  db
    .select({ picture: media, owner: author })
    .from(media)
    .leftJoin(users, eq(users.id, media.ownerId))
    .where(
      and(
        or(and(isViewer(media.ownerId), isNull(media.unusedAt)), inArray(media.id, picturesOfOwnBlogs(db))),
        gt(media.id, sql.placeholder("id")),
      ),
    )
    .orderBy(asc(media.id))
    .limit(batchSize),
);
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
/** Selects an account's comments and those below its blogs, by the index of each. */
const ownAndReceivedComments = (db: Connection["drizzle"]) =>
  union(
    db.select({ seq: comments.seq }).from(comments).where(isViewer(comments.authorId)),
    db
      .select({ seq: comments.seq })
      .from(comments)
      .innerJoin(blogs, eq(blogs.id, comments.blogId))
      .where(isViewer(blogs.authorId)),
  );
/** A page of an account's comments, and of others' below its blogs. */
export const commentsOf = preparedQuery((db) =>
  db
    .select({ seq: comments.seq, comment: commentColumns, writer: otherPerson, ...blogContext })
    .from(comments)
    .innerJoin(blogs, eq(blogs.id, comments.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .leftJoin(other, eq(other.id, comments.authorId))
    .where(
      and(
        gt(comments.seq, after),
        inArray(comments.seq, ownAndReceivedComments(db)),
        or(isNull(comments.authorId), isVisibleTo(comments.authorId)),
      ),
    )
    .orderBy(asc(comments.seq))
    .limit(batchSize),
);
export const pendingCommentsOf = preparedQuery((db) =>
  db
    .select({ comment: pendingComments, writer: otherPerson, ...blogContext })
    .from(pendingComments)
    .innerJoin(blogs, eq(blogs.id, pendingComments.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .innerJoin(other, eq(other.id, pendingComments.authorId))
    .where(
      and(
        or(isViewer(pendingComments.authorId), isViewer(blogs.authorId)),
        isVisibleTo(pendingComments.authorId),
      ),
    )
    .orderBy(asc(pendingComments.createdAt)),
);
export const oldSlugsOf = preparedQuery((db) =>
  db
    .select({ slug: oldSlugs.slug })
    .from(oldSlugs)
    .where(eq(oldSlugs.blogId, sql.placeholder("id")))
    .orderBy(asc(oldSlugs.slug)),
);
export const aliasesOf = preparedQuery((db) =>
  db
    .select({ path: aliases.path })
    .from(aliases)
    .where(eq(aliases.blogId, sql.placeholder("id")))
    .orderBy(asc(aliases.path)),
);

export const notificationSettingsOf = preparedQuery((db) =>
  db
    .select({
      topic: notificationSettings.topic,
      page: notificationSettings.page,
      push: notificationSettings.push,
      mail: notificationSettings.mail,
    })
    .from(notificationSettings)
    .where(isViewer(notificationSettings.userId))
    .orderBy(asc(notificationSettings.topic)),
);
export const formerNamesOf = preparedQuery((db) =>
  db
    .select({ username: reservedUsernames.username, until: reservedUsernames.until })
    .from(reservedUsernames)
    .where(isViewer(reservedUsernames.userId))
    .orderBy(asc(reservedUsernames.username)),
);

/** Counts what the export of an account has. */
export const countsOf = async ({ drizzle: db }: Connection, account: string) => ({
  accounts: 1,
  blogs: await db.$count(blogs, eq(blogs.authorId, account)),
  media: await db.$count(media, and(eq(media.ownerId, account), isNull(media.unusedAt))),
  comments: await db.$count(comments, eq(comments.authorId, account)),
});

/** A page of the accounts with a confirmed address: others have nothing to export. */
export const confirmedAccounts = preparedQuery((db) =>
  db
    .select()
    .from(users)
    .where(and(isNotNull(users.verifiedAt), gt(users.seq, after)))
    .orderBy(asc(users.seq))
    .limit(batchSize),
);

export const countConfirmed = ({ drizzle: db }: Connection): Promise<number> =>
  db.$count(users, isNotNull(users.verifiedAt));
