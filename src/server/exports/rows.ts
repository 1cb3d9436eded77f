import { presentLive } from "../blogs/present.ts";
import { draftsShown } from "../writing/queries.ts";
import { untitled } from "../database/blog-title.ts";
import type { Connection } from "../database/connection.ts";
import type { UserRow } from "../profiles/queries.ts";
import * as queries from "./queries.ts";

/* The rows of an export's files (docs/export.md) about an account, its blogs, pictures and comments. */

export const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
export const pictureFile = (id: string): string => `media/${id}.webp`;
const fileOrNull = (id: string | null): string | null => (id === null ? null : pictureFile(id));

/** Returns a name as a file or folder can have it: Windows reserves the names of devices, with any extension. */
export const fileName = (name: string): string =>
  /^(?:con|prn|aux|nul|(?:com|lpt)\d)(?:\.|$)/.test(name) ? `${name}_` : name;

export type Person = Pick<UserRow, "id" | "username" | "name">;
export const personOf = ({ id, username, name }: Person): Person => ({ id, username, name });

/** Yields the rows of all pages of a query. */
async function* allPages<Row>(
  read: (after: number) => Promise<Row[]>,
  seqOf: (row: Row) => number,
): AsyncGenerator<Row> {
  for (let rows = await read(0); rows.length > 0; rows = await read(seqOf(rows.at(-1) as Row))) yield* rows;
}

/** Yields the accounts of a site's export, oldest first. */
export const exportedAccounts = (connection: Connection): AsyncGenerator<UserRow> =>
  allPages(
    (after) => queries.confirmedAccounts(connection).all({ after }),
    ({ seq }) => seq,
  );

export async function accountRow(connection: Connection, user: UserRow) {
  const formerNames = await queries.formerNamesOf(connection).all({ viewer: user.id });
  return {
    ...personOf(user),
    bio: user.bio,
    email: user.email,
    picture: fileOrNull(user.pictureId),
    interests: user.interests,
    mutedWords: user.mutedWords,
    settings: {
      private: user.private,
      showLikedBlogs: user.showLikedBlogs,
      showSavedBlogs: user.showSavedBlogs,
      showFollowers: user.showFollowers,
      showPresence: user.showPresence,
      zone: user.zone,
      notices: await queries.notificationSettingsOf(connection).all({ viewer: user.id }),
    },
    formerUsernames: formerNames.map(({ username }) => username),
    formerUntil: formerNames.map(({ until }) => time(until)),
    createdAt: time(user.createdAt),
    verifiedAt: time(user.verifiedAt),
  };
}

type Blog = NonNullable<Awaited<ReturnType<ReturnType<typeof queries.blogById>["get"]>>>;
export type ExportedBlog = Awaited<ReturnType<typeof presentBlog>>;

/** Returns a blog as it is exported; undefined if it is gone. */
export async function exportedBlog(connection: Connection, id: string): Promise<ExportedBlog | undefined> {
  const row = await queries.blogById(connection).get({ id });
  return row && presentBlog(connection, row);
}

/** Yields the blogs that an account owns. */
export async function* exportedBlogs(connection: Connection, viewer: string): AsyncGenerator<ExportedBlog> {
  const rows = allPages(
    (after) => queries.ownBlogs(connection).all({ viewer, after }),
    ({ blog }) => blog.seq,
  );
  for await (const row of rows) yield await presentBlog(connection, row);
}

async function presentBlog(connection: Connection, { blog: row, author, imported }: Blog) {
  const draft = row.draft ? (await draftsShown(connection, [row.id])).get(row.id)?.fields : undefined;
  const blog = draft ? { ...row, ...draft, title: draft.title.trim() || untitled } : row;
  const { id } = blog;
  return {
    id,
    slug: blog.slug,
    name: fileName(blog.slug),
    author,
    title: blog.title,
    description: blog.description,
    tags: blog.tags,
    cover: fileOrNull(blog.coverId),
    coverFocus: blog.coverFocus,
    private: blog.private,
    visibility: blog.draft ? ("draft" as const) : blog.private ? ("private" as const) : ("public" as const),
    commentsFrom: blog.commentsFrom,
    createdAt: time(blog.createdAt),
    publishedAt: time(blog.publishedAt),
    editedAt: time(blog.editedAt),
    hiddenFor: blog.takedownReason,
    live: presentLive(blog),
    oldSlugs: (await queries.oldSlugsOf(connection).all({ id })).map(({ slug }) => slug),
    aliases: (await queries.aliasesOf(connection).all({ id })).map(({ path }) => path),
    canonicalUrl: blog.canonicalUrl,
    searchTitle: blog.searchTitle,
    searchDescription: blog.searchDescription,
    language: blog.language,
    guessedLanguage: blog.guessedLanguage,
    likes: blog.likesCount,
    comments: blog.commentsCount,
    saves: blog.savesCount,
    version: blog.etag,
    imported,
  };
}

/** Yields the pictures of an account and its blogs, with their owners. */
export async function* exportedPictures(connection: Connection, viewer: string) {
  const read = (id: string) => queries.usedPictures(connection).all({ viewer, id });
  for (let rows = await read(""); rows.length > 0; rows = await read(rows.at(-1)?.picture.id ?? ""))
    yield* rows;
}

/** Yields an account's comments and those on its blogs, then pending ones. */
export async function* exportedComments(connection: Connection, viewer: string) {
  const stored = allPages(
    (after) => queries.commentsOf(connection).all({ viewer, after }),
    ({ seq }) => seq,
  );
  for await (const { comment, writer, on, by, seen } of stored) {
    const { deletedAt, createdAt, editedAt, ...rest } = comment;
    yield {
      ...rest,
      author: writer && personOf(writer),
      text: deletedAt === null ? comment.text : "",
      createdAt: time(createdAt),
      editedAt: time(editedAt),
      deleted: deletedAt !== null,
      waiting: false,
      on: seen ? { ...on, author: by } : null,
    };
  }
  for (const { comment, writer, on, by, seen } of await queries.pendingCommentsOf(connection).all({
    viewer,
  }))
    yield {
      id: comment.id,
      blog: comment.blogId,
      parent: comment.parentId,
      text: comment.text,
      mark: null,
      guest: null,
      likes: 0,
      author: writer,
      createdAt: time(comment.createdAt),
      editedAt: null,
      deleted: false,
      waiting: true,
      forLink: comment.forLink,
      on: seen ? { ...on, author: by } : null,
    };
}
