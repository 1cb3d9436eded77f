import { newestNotifications } from "../notifications/queries.ts";
import { draftsShown } from "../blogs/draft-queries.ts";
import { untitled } from "../database/blog-title.ts";
import type { Connection } from "../database/connection.ts";
import { signUpMode, signUpQuestion } from "../signup/signup-policy-queries.ts";
import { siteQueries } from "./site-queries.ts";
import { exportQueries, type ExportQueries } from "./queries.ts";

/* The rows of the files in docs/export.md. */

type Account = Awaited<ReturnType<ExportQueries["accounts"]>>[number];
type Blog = Awaited<ReturnType<ExportQueries["blogs"]>>[number];
type Picture = Awaited<ReturnType<ExportQueries["pictures"]>>[number];

export const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
export const pictureFile = (id: string): string => `media/${id}.webp`;
const fileOrNull = (id: string | null): string | null => (id === null ? null : pictureFile(id));

/** Windows reserves the names of devices, with any extension. */
const nameOfFile = (slug: string): string =>
  /^(?:con|prn|aux|nul|(?:com|lpt)\d)$/.test(slug) ? `${slug}_` : slug;

/** Per account; notifications are deleted after half a year. */
const maxNotifications = 20_000;

/** Yields all rows, batch by batch. */
async function* allBySeq<Row>(
  read: (after: number) => Promise<Row[]>,
  seqOf: (row: Row) => number,
): AsyncGenerator<Row> {
  for (let rows = await read(0); rows.length > 0; rows = await read(seqOf(rows.at(-1) as Row))) yield* rows;
}

export interface ExportScope {
  /** Null: the whole site. */
  account: string | null;
  /** Includes password hashes. */
  passwords?: boolean;
}

/** Returns generators of the exported rows by kind. */
export function exportRows(connection: Connection, { account, passwords = false }: ExportScope) {
  const queries = exportQueries(connection, account);
  const queriesOfSite = siteQueries(connection);
  const accounts = () => allBySeq(queries.accounts, ({ seq }) => seq);
  const personOf = ({ id, username, name }: Pick<Account, "id" | "username" | "name">) => ({
    id,
    username,
    name,
  });
  const isWhole = account === null;

  async function* forEachAccount<Row>(
    rows: (user: Account) => AsyncIterable<Row> | Promise<Row[]>,
  ): AsyncGenerator<Row> {
    for await (const user of accounts()) yield* await rows(user);
  }

  const exportedAccount = async (user: Account) => {
    const formerNames = await queries.formerNames(user.id);
    const signupRequest = isWhole ? await queries.signupRequest(user.id) : undefined;
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
        notices: await queries.notificationSettings(user.id),
      },
      formerUsernames: formerNames.map(({ username }) => username),
      formerUntil: formerNames.map(({ until }) => time(until)),
      createdAt: time(user.createdAt),
      verifiedAt: time(user.verifiedAt),
      ...(isWhole && {
        isAdmin: user.isAdmin,
        isModerator: user.isModerator,
        writer: user.canPublish,
        suspendedAt: time(user.suspendedAt),
        suspendedFor: user.suspensionReason,
        limitedAt: time(user.limitedAt),
        limitReason: user.limitReason,
        textsSeenAt: time(user.textsSeenAt),
        signedInAt: time(user.signedInAt),
        waits: signupRequest ? { answer: signupRequest.answer, since: time(signupRequest.since) } : null,
      }),
      ...(isWhole && passwords && { passwordHash: user.passwordHash, googleId: user.googleId }),
    };
  };

  const exportedBlog = async ({ blog: row, author, imported }: Blog) => {
    const draft = row.draft ? (await draftsShown(connection, [row.id])).get(row.id)?.fields : undefined;
    const blog = draft ? { ...row, ...draft, title: draft.title.trim() || untitled } : row;
    return present(blog, author, imported);
  };
  const present = async (blog: Blog["blog"], author: Blog["author"], imported: Blog["imported"]) => ({
    id: blog.id,
    slug: blog.slug,
    name: nameOfFile(blog.slug),
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
    oldSlugs: await queries.oldSlugs(blog.id),
    aliases: await queries.aliases(blog.id),
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
  });

  async function* comments() {
    for await (const { comment, writer, on, by, seen } of allBySeq(queries.comments, ({ seq }) => seq)) {
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
    for (const { comment, writer, on, by, seen } of await queries.waiting())
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

  async function* likes(user: Account) {
    for (const { blog, at, on, by } of await queries.blogLikes(user.id))
      yield { account: personOf(user), blog, comment: null, at: time(at), on: { ...on, author: by } };
    for (const { comment, at, on, by } of await queries.commentLikes(user.id))
      yield { account: personOf(user), blog: null, comment, at: time(at), on: { ...on, author: by } };
  }
  async function* saves(user: Account) {
    for (const { blog, at, on, by } of await queries.saves(user.id))
      yield { account: personOf(user), blog, comment: null, at: time(at), on: { ...on, author: by } };
  }
  async function* readingPositions(user: Account) {
    for (const { blog, block, words, part, at, on, by } of await queries.readingPositions(user.id))
      yield { account: personOf(user), blog, block, words, part, at: time(at), on: { ...on, author: by } };
  }
  async function* authors(user: Account) {
    for (const { blog, at, accepted, on, by } of await queries.coAuthoredBlogs(user.id))
      yield { account: personOf(user), blog, at: time(at), accepted, on: { ...on, author: by } };
    // In an export of the whole site each co-author's own rows list them.
    if (isWhole) return;
    for (const { other, blog, at, accepted, on, by } of await queries.coAuthors(user.id))
      yield { account: other, blog, at: time(at), accepted, on: { ...on, author: by } };
  }
  async function* follows(user: Account) {
    const person = personOf(user);
    const outgoing =
      (accepted: boolean) =>
      ({ other, at }: { other: ReturnType<typeof personOf>; at: number }) => ({
        follower: person,
        followed: other,
        at: time(at),
        accepted,
      });
    const incoming =
      (accepted: boolean) =>
      ({ other, at }: { other: ReturnType<typeof personOf>; at: number }) => ({
        follower: other,
        followed: person,
        at: time(at),
        accepted,
      });
    yield* (await queries.followed(user.id)).map(outgoing(true));
    yield* (await queries.sentRequests(user.id)).map(outgoing(false));
    // In an export of the whole site each follower's own rows list them.
    if (isWhole) return;
    yield* (await queries.followers(user.id)).map(incoming(true));
    yield* (await queries.receivedRequests(user.id)).map(incoming(false));
  }
  async function* blocksAndMutes(user: Account) {
    const person = personOf(user);
    for (const { other, at } of await queries.blocked(user.id))
      yield { account: person, other, kind: "block", at: time(at) };
    for (const { other, at } of await queries.muted(user.id))
      yield { account: person, other, kind: "mute", at: time(at) };
  }
  async function* subscriptions(user: Account) {
    for (const { blog, level } of await queries.subscriptions(user.id))
      yield { account: personOf(user), blog, way: level };
  }
  async function* notifications(user: Account) {
    // Only what the notifications page shows; people who hide their likes are unnamed.
    const shownRows = isWhole
      ? null
      : new Map(
          (await newestNotifications(connection, user.id, maxNotifications)).map((row) => [row.id, row]),
        );
    for (const { notice, actor, on, by, firstComment } of await queries.notifications(user.id)) {
      const row = shownRows?.get(notice.id);
      if (shownRows && !row) continue;
      yield {
        id: notice.id,
        account: personOf(user),
        kind: notice.kind,
        actor: row && !row.named ? null : actor,
        blog: notice.blogId,
        comment: notice.commentId,
        at: time(notice.createdAt),
        readAt: time(notice.readAt),
        ...(isWhole && { target: notice.target, seenTo: time(notice.readThrough), firstComment }),
        on: on && { ...on, author: by },
      };
    }
  }

  return {
    counts: queries.counts,
    accounts: () => forEachAccount(async (user) => [await exportedAccount(user)]),
    blogs: async function* () {
      for await (const row of allBySeq(queries.blogs, ({ blog }) => blog.seq)) yield await exportedBlog(row);
    },
    blog: async (id: string) => {
      const row = await queries.blog(id);
      return row && exportedBlog(row);
    },
    text: queries.text,
    pictures: async function* (): AsyncGenerator<Picture> {
      for (
        let rows = await queries.pictures("");
        rows.length > 0;
        rows = await queries.pictures(rows.at(-1)?.picture.id ?? "")
      )
        yield* rows;
    },
    comments,
    likes: () => forEachAccount(likes),
    saves: () => forEachAccount(saves),
    places: () => forEachAccount(readingPositions),
    authors: () => forEachAccount(authors),
    follows: () => forEachAccount(follows),
    hidden: () => forEachAccount(blocksAndMutes),
    watches: () => forEachAccount(subscriptions),
    notifications: () => forEachAccount(notifications),
    site: async () => ({
      signUp: await signUpMode(connection),
      question: await signUpQuestion(connection),
      days: await queriesOfSite.days(),
      values: Object.fromEntries(
        (await queriesOfSite.siteValues()).map(({ key, value }) => [key.slice("site.".length), value]),
      ),
      texts: (await queriesOfSite.siteTexts()).map(({ createdAt, ...text }) => ({
        ...text,
        createdAt: time(createdAt),
      })),
    }),
  };
}

export type ExportedBlog = Awaited<
  ReturnType<ReturnType<typeof exportRows>["blogs"]> extends AsyncGenerator<infer Row> ? Row : never
>;
