import { newestNotifications } from "../notifications/queries.ts";
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
async function* allByNumber<Row>(
  read: (after: number) => Promise<Row[]>,
  numberOf: (row: Row) => number,
): AsyncGenerator<Row> {
  for (let rows = await read(0); rows.length > 0; rows = await read(numberOf(rows.at(-1) as Row)))
    yield* rows;
}

export interface ExportScope {
  /** Null: the whole site. */
  account: string | null;
  /** Includes password hashes. */
  passwords?: boolean;
}

/** Returns generators of the exported rows by kind. */
export function exportRows(connection: Connection, { account, passwords = false }: ExportScope) {
  const ask = exportQueries(connection, account);
  const askSite = siteQueries(connection);
  const accounts = () => allByNumber(ask.accounts, ({ seq }) => seq);
  const name = ({ id, username, name: called }: Pick<Account, "id" | "username" | "name">) => ({
    id,
    username,
    name: called,
  });
  const isWhole = account === null;

  async function* each<Row>(
    rows: (who: Account) => AsyncIterable<Row> | Promise<Row[]>,
  ): AsyncGenerator<Row> {
    for await (const who of accounts()) yield* await rows(who);
  }

  const oneAccount = async (who: Account) => {
    const former = await ask.formerNames(who.id);
    const waits = isWhole ? await ask.application(who.id) : undefined;
    return {
      ...name(who),
      bio: who.bio,
      email: who.email,
      picture: fileOrNull(who.pictureId),
      interests: who.interests,
      mutedWords: who.mutedWords,
      settings: {
        private: who.private,
        showLikedBlogs: who.showLikedBlogs,
        showSavedBlogs: who.showSavedBlogs,
        showFollowers: who.showFollowers,
        showPresence: who.showPresence,
        zone: who.zone,
        notices: await ask.noticeWays(who.id),
      },
      formerUsernames: former.map(({ username }) => username),
      formerUntil: former.map(({ until }) => time(until)),
      createdAt: time(who.createdAt),
      verifiedAt: time(who.verifiedAt),
      ...(isWhole && {
        isAdmin: who.isAdmin,
        isModerator: who.isModerator,
        writer: who.canPublish,
        suspendedAt: time(who.suspendedAt),
        suspendedFor: who.suspensionReason,
        silencedAt: time(who.limitedAt),
        silencedFor: who.limitReason,
        textsSeenAt: time(who.textsSeenAt),
        signedInAt: time(who.signedInAt),
        waits: waits ? { answer: waits.answer, since: time(waits.since) } : null,
      }),
      ...(isWhole && passwords && { passwordHash: who.passwordHash, googleId: who.googleId }),
    };
  };

  const oneBlog = async ({ blog, author, imported }: Blog) => ({
    id: blog.id,
    slug: blog.slug,
    name: nameOfFile(blog.slug),
    author,
    title: blog.title,
    description: blog.description,
    tags: blog.tags,
    cover: fileOrNull(blog.coverId),
    coverFocus: blog.coverFocus,
    visibility: blog.draft ? ("draft" as const) : blog.private ? ("private" as const) : ("public" as const),
    commentsFrom: blog.commentsFrom,
    createdAt: time(blog.createdAt),
    publishedAt: time(blog.publishedAt),
    editedAt: time(blog.editedAt),
    hiddenFor: blog.takedownReason,
    oldSlugs: await ask.oldSlugs(blog.id),
    aliases: await ask.aliases(blog.id),
    canonicalUrl: blog.canonicalUrl,
    searchTitle: blog.searchTitle,
    searchDescription: blog.searchDescription,
    language: blog.language,
    guessedLanguage: blog.guessedLanguage,
    likes: blog.likesCount,
    comments: blog.commentsCount,
    saves: blog.savesCount,
    version: blog.version,
    imported,
  });

  async function* comments() {
    for await (const { comment, writer, on, by, seen } of allByNumber(ask.comments, ({ seq }) => seq)) {
      const { deletedAt, createdAt, editedAt, ...rest } = comment;
      yield {
        ...rest,
        author: writer && name(writer),
        text: deletedAt === null ? comment.text : "",
        createdAt: time(createdAt),
        editedAt: time(editedAt),
        deleted: deletedAt !== null,
        waiting: false,
        on: seen ? { ...on, author: by } : null,
      };
    }
    for (const { comment, writer, on, by, seen } of await ask.waiting())
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

  async function* likes(who: Account) {
    for (const { blog, at, on, by } of await ask.blogLikes(who.id))
      yield { account: name(who), blog, comment: null, at: time(at), on: { ...on, author: by } };
    for (const { comment, at, on, by } of await ask.commentLikes(who.id))
      yield { account: name(who), blog: null, comment, at: time(at), on: { ...on, author: by } };
  }
  async function* saves(who: Account) {
    for (const { blog, at, on, by } of await ask.saves(who.id))
      yield { account: name(who), blog, comment: null, at: time(at), on: { ...on, author: by } };
  }
  async function* places(who: Account) {
    for (const { blog, block, words, part, at, on, by } of await ask.left(who.id))
      yield { account: name(who), blog, block, words, part, at: time(at), on: { ...on, author: by } };
  }
  async function* authors(who: Account) {
    for (const { blog, at, accepted, on, by } of await ask.written(who.id))
      yield { account: name(who), blog, at: time(at), accepted, on: { ...on, author: by } };
    // In an export of the whole site each co-author's own rows list them.
    if (isWhole) return;
    for (const { other, blog, at, accepted, on, by } of await ask.coAuthors(who.id))
      yield { account: other, blog, at: time(at), accepted, on: { ...on, author: by } };
  }
  async function* follows(who: Account) {
    const me = name(who);
    const to =
      (accepted: boolean) =>
      ({ other, at }: { other: ReturnType<typeof name>; at: number }) => ({
        follower: me,
        followed: other,
        at: time(at),
        accepted,
      });
    const from =
      (accepted: boolean) =>
      ({ other, at }: { other: ReturnType<typeof name>; at: number }) => ({
        follower: other,
        followed: me,
        at: time(at),
        accepted,
      });
    yield* (await ask.followed(who.id)).map(to(true));
    yield* (await ask.asked(who.id)).map(to(false));
    // In an export of the whole site each follower's own rows list them.
    if (isWhole) return;
    yield* (await ask.followers(who.id)).map(from(true));
    yield* (await ask.askers(who.id)).map(from(false));
  }
  async function* hidden(who: Account) {
    const me = name(who);
    for (const { other, at } of await ask.blocked(who.id))
      yield { account: me, other, kind: "block", at: time(at) };
    for (const { other, at } of await ask.muted(who.id))
      yield { account: me, other, kind: "mute", at: time(at) };
  }
  async function* watches(who: Account) {
    for (const { blog, level } of await ask.watched(who.id)) yield { account: name(who), blog, way: level };
  }
  async function* notifications(who: Account) {
    // Only what the notifications page shows; people who hide their likes are unnamed.
    const told = isWhole
      ? null
      : new Map(
          (await newestNotifications(connection, who.id, maxNotifications)).map((row) => [row.id, row]),
        );
    for (const { notice, actor, on, by, firstComment } of await ask.notices(who.id)) {
      const row = told?.get(notice.id);
      if (told && !row) continue;
      yield {
        id: notice.id,
        account: name(who),
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
    counts: ask.counts,
    accounts: () => each(async (who) => [await oneAccount(who)]),
    blogs: async function* () {
      for await (const row of allByNumber(ask.blogs, ({ blog }) => blog.seq)) yield await oneBlog(row);
    },
    blog: async (id: string) => {
      const row = await ask.blog(id);
      return row && oneBlog(row);
    },
    text: ask.text,
    pictures: async function* (): AsyncGenerator<Picture> {
      for (
        let rows = await ask.pictures("");
        rows.length > 0;
        rows = await ask.pictures(rows.at(-1)?.picture.id ?? "")
      )
        yield* rows;
    },
    comments,
    likes: () => each(likes),
    saves: () => each(saves),
    places: () => each(places),
    authors: () => each(authors),
    follows: () => each(follows),
    hidden: () => each(hidden),
    watches: () => each(watches),
    notifications: () => each(notifications),
    site: async () => ({
      signUp: await signUpMode(connection),
      question: await signUpQuestion(connection),
      days: await askSite.days(),
      values: Object.fromEntries(
        (await askSite.siteValues()).map(({ key, value }) => [key.slice("site.".length), value]),
      ),
      texts: (await askSite.siteTexts()).map(({ createdAt, ...said }) => ({
        ...said,
        createdAt: time(createdAt),
      })),
    }),
  };
}

export type ExportedBlog = Awaited<
  ReturnType<ReturnType<typeof exportRows>["blogs"]> extends AsyncGenerator<infer Row> ? Row : never
>;
