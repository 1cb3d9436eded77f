import type { Connection } from "../database/connection.ts";
import { newestNotifications } from "../notifications/queries.ts";
import * as queries from "./relation-queries.ts";
import { time, type Person } from "./rows.ts";

/* The rows of an export's files (docs/export.md) about how an account relates to blogs, comments and people. */

/** Per account; notifications are deleted after half a year. */
const maxNotifications = 20_000;

/** Returns the rows of each file. */
export function relationRows(
  connection: Connection,
  account: Person,
): Record<string, () => AsyncIterable<unknown>> {
  const viewer = { viewer: account.id };
  return {
    "likes.json": async function* () {
      for (const { blog, at, on, by } of await queries.blogLikesOf(connection).all(viewer))
        yield { account, blog, comment: null, at: time(at), on: { ...on, author: by } };
      for (const { comment, at, on, by } of await queries.commentLikesOf(connection).all(viewer))
        yield { account, blog: null, comment, at: time(at), on: { ...on, author: by } };
    },
    "saves.json": async function* () {
      for (const { blog, at, on, by } of await queries.savesOf(connection).all(viewer))
        yield { account, blog, comment: null, at: time(at), on: { ...on, author: by } };
    },
    "places.json": async function* () {
      for (const row of await queries.readingPositionsOf(connection).all(viewer)) {
        const { blog, block, words, part, at, on, by } = row;
        yield { account, blog, block, words, part, at: time(at), on: { ...on, author: by } };
      }
    },
    "authors.json": async function* () {
      for (const { blog, at, accepted, on, by } of await queries.coAuthoredBlogsOf(connection).all(viewer))
        yield { account, blog, at: time(at), accepted, on: { ...on, author: by } };
      for (const { other, blog, at, accepted, on, by } of await queries.coAuthorsOf(connection).all(viewer))
        yield { account: other, blog, at: time(at), accepted, on: { ...on, author: by } };
    },
    "follows.json": async function* () {
      const followed = (accepted: boolean) => (row: { other: Person; at: number }) => ({
        follower: account,
        followed: row.other,
        at: time(row.at),
        accepted,
      });
      const follower = (accepted: boolean) => (row: { other: Person; at: number }) => ({
        follower: row.other,
        followed: account,
        at: time(row.at),
        accepted,
      });
      yield* (await queries.followedBy(connection).all(viewer)).map(followed(true));
      yield* (await queries.sentRequestsOf(connection).all(viewer)).map(followed(false));
      yield* (await queries.followersOf(connection).all(viewer)).map(follower(true));
      yield* (await queries.receivedRequestsOf(connection).all(viewer)).map(follower(false));
    },
    "hidden.json": async function* () {
      for (const { other, at } of await queries.blockedBy(connection).all(viewer))
        yield { account, other, kind: "block", at: time(at) };
      for (const { other, at } of await queries.mutedBy(connection).all(viewer))
        yield { account, other, kind: "mute", at: time(at) };
    },
    "watches.json": async function* () {
      for (const { blog, level } of await queries.subscriptionsOf(connection).all(viewer))
        yield { account, blog, way: level };
    },
    "notifications.json": () => notifications(connection, account),
  };
}

/** Yields what the notifications page shows; people who hide their likes are unnamed. */
async function* notifications(connection: Connection, account: Person) {
  const shownRows = new Map(
    (await newestNotifications(connection, account.id, maxNotifications)).map((row) => [row.id, row]),
  );
  for (const { notice, actor, on, by } of await queries.notificationsOf(connection).all({
    viewer: account.id,
  })) {
    const shown = shownRows.get(notice.id);
    if (!shown) continue;
    yield {
      id: notice.id,
      account,
      kind: notice.kind,
      actor: shown.named ? actor : null,
      blog: notice.blogId,
      comment: notice.commentId,
      at: time(notice.createdAt),
      readAt: time(notice.readAt),
      on: on && { ...on, author: by },
    };
  }
}
