import type { Connection } from "../database/connection.ts";
import { newestNotifications } from "../notifications/queries.ts";
import * as queries from "./relation-queries.ts";
import { allRows, time, type Person } from "./rows.ts";

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
      for (const { blog, at, on, by } of await allRows(queries.blogLikesOf(connection), viewer))
        yield { account, blog, comment: null, at: time(at), on: { ...on, author: by } };
      for (const { comment, at, on, by } of await allRows(queries.commentLikesOf(connection), viewer))
        yield { account, blog: null, comment, at: time(at), on: { ...on, author: by } };
    },
    "saves.json": async function* () {
      for (const { blog, at, on, by } of await allRows(queries.savesOf(connection), viewer))
        yield { account, blog, comment: null, at: time(at), on: { ...on, author: by } };
    },
    "places.json": async function* () {
      for (const row of await allRows(queries.readingPositionsOf(connection), viewer)) {
        const { blog, block, words, part, at, on, by } = row;
        yield { account, blog, block, words, part, at: time(at), on: { ...on, author: by } };
      }
    },
    "authors.json": async function* () {
      for (const { blog, at, accepted, on, by } of await allRows(
        queries.coAuthoredBlogsOf(connection),
        viewer,
      ))
        yield { account, blog, at: time(at), accepted, on: { ...on, author: by } };
      for (const { other, blog, at, accepted, on, by } of await allRows(
        queries.coAuthorsOf(connection),
        viewer,
      ))
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
      yield* (await allRows(queries.followedBy(connection), viewer)).map(followed(true));
      yield* (await allRows(queries.sentRequestsOf(connection), viewer)).map(followed(false));
      yield* (await allRows(queries.followersOf(connection), viewer)).map(follower(true));
      yield* (await allRows(queries.receivedRequestsOf(connection), viewer)).map(follower(false));
    },
    "hidden.json": async function* () {
      for (const { other, at } of await allRows(queries.blockedBy(connection), viewer))
        yield { account, other, kind: "block", at: time(at) };
      for (const { other, at } of await allRows(queries.mutedBy(connection), viewer))
        yield { account, other, kind: "mute", at: time(at) };
    },
    "watches.json": async function* () {
      for (const { blog, level } of await allRows(queries.subscriptionsOf(connection), viewer))
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
  for (const { notice, actor, on, by } of await allRows(queries.notificationsOf(connection), {
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
