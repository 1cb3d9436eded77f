import { subscriptionLevels } from "../../../shared/notifications.ts";
import { ReadingPosition } from "../../../shared/reading-position.ts";
import { notificationKinds } from "../../../shared/social.ts";
import { numbersOf } from "../../comments/place-queries.ts";
import type { Connection } from "../../database/connection.ts";
import { existingValues, insertMissingRows } from "../../database/insert-missing-rows.ts";
import { blogAuthors, blogs } from "../../database/schema/blogs.ts";
import { commentLikes, comments } from "../../database/schema/comments.ts";
import { blogSubscriptions, notifications } from "../../database/schema/notifications.ts";
import {
  blogLikes,
  blogSaves,
  followRequests,
  follows,
  readingPositions,
} from "../../database/schema/social.ts";
import { mutes } from "../../database/schema/blocks.ts";
import { users } from "../../database/schema/profiles.ts";
import { insertBlock } from "../../blocks/queries.ts";
import type { RestoreStep } from "./steps.ts";
import { idOf, oneOf, text, textOrNull, time, wordOf, type Row } from "./values.ts";

/** Rows may refer to what was deleted during the export. */
async function referencesExist(tx: Connection, rows: Row[]): Promise<(row: Row) => boolean> {
  const accountIds = (row: Row) =>
    ["account", "other", "follower", "followed", "actor"].flatMap((name) => idOf(row[name]) ?? []);
  const [existingUsers, existingBlogs, existingComments] = [
    await existingValues(tx, users.id, rows.flatMap(accountIds)),
    await existingValues(
      tx,
      blogs.id,
      rows.map(({ blog }) => textOrNull(blog)),
    ),
    await existingValues(
      tx,
      comments.id,
      rows.map(({ comment }) => textOrNull(comment)),
    ),
  ];
  return (row) =>
    accountIds(row).every((id) => existingUsers.has(id)) &&
    (typeof row.blog !== "string" || existingBlogs.has(row.blog)) &&
    (typeof row.comment !== "string" || existingComments.has(row.comment));
}

/** A step that skips rows with missing references. */
const step = (
  file: string,
  put: (tx: Parameters<RestoreStep["put"]>[0], rows: Row[]) => Promise<unknown>,
): RestoreStep => ({
  file,
  put: async (tx, rows) => {
    await put(tx, rows.filter(await referencesExist(tx, rows)));
    return 0;
  },
});

const timeOf = (row: Row): number => time(row.at) ?? 0;
const accountOf = (row: Row): string => idOf(row.account) ?? "";

export const socialSteps: RestoreStep[] = [
  step("likes.json", async (tx, rows) => {
    const likes = rows.map((row) => ({ row, userId: accountOf(row), createdAt: timeOf(row) }));
    await insertMissingRows(
      tx,
      blogLikes,
      likes.flatMap(({ row: { blog }, ...one }) =>
        typeof blog === "string" ? { ...one, blogId: blog } : [],
      ),
    );
    await insertMissingRows(
      tx,
      commentLikes,
      likes.flatMap(({ row: { comment }, ...one }) =>
        typeof comment === "string" ? { ...one, commentId: comment } : [],
      ),
    );
  }),
  step("saves.json", (tx, rows) =>
    insertMissingRows(
      tx,
      blogSaves,
      rows.map((row) => ({ blogId: text(row.blog), userId: accountOf(row), createdAt: timeOf(row) })),
    ),
  ),
  step("authors.json", (tx, rows) =>
    insertMissingRows(
      tx,
      blogAuthors,
      rows.map((row) => ({
        blogId: text(row.blog),
        userId: accountOf(row),
        invitedAt: timeOf(row),
        acceptedAt: row.accepted === true ? timeOf(row) : null,
      })),
    ),
  ),
  step("follows.json", async (tx, rows) => {
    const pair = (row: Row) => [idOf(row.follower) ?? "", idOf(row.followed) ?? "", timeOf(row)] as const;
    const [accepted, requested] = [
      rows.filter((row) => row.accepted === true),
      rows.filter((row) => row.accepted !== true),
    ];
    await insertMissingRows(
      tx,
      follows,
      accepted
        .map(pair)
        .map(([followerId, followedId, createdAt]) => ({ followerId, followedId, createdAt })),
    );
    await insertMissingRows(
      tx,
      followRequests,
      requested.map(pair).map(([requesterId, ownerId, createdAt]) => ({ requesterId, ownerId, createdAt })),
    );
  }),
  step("hidden.json", async (tx, rows) => {
    for (const row of rows) {
      const other = idOf(row.other) ?? "";
      if (row.kind === "block") await insertBlock(tx, accountOf(row), other, timeOf(row));
      else
        await insertMissingRows(tx, mutes, [
          { ownerId: accountOf(row), mutedId: other, mutedAt: timeOf(row) },
        ]);
    }
  }),
  step("watches.json", (tx, rows) =>
    insertMissingRows(
      tx,
      blogSubscriptions,
      rows.map((row) => ({
        userId: accountOf(row),
        blogId: text(row.blog),
        level: oneOf(subscriptionLevels, row.way),
      })),
    ),
  ),
  step("notifications.json", async (tx, rows) => {
    const numbers = await numbersOf(
      tx,
      rows.flatMap(({ firstComment }) => textOrNull(firstComment) ?? []),
    );
    const valid = rows.filter(
      ({ kind, actor }) => wordOf(notificationKinds, kind) !== undefined && idOf(actor) !== null,
    );
    await insertMissingRows(
      tx,
      notifications,
      valid.map((row) => ({
        id: text(row.id),
        userId: accountOf(row),
        kind: oneOf(notificationKinds, row.kind),
        actorId: idOf(row.actor) ?? "",
        blogId: textOrNull(row.blog),
        commentId: textOrNull(row.comment),
        target: textOrNull(row.target) ?? textOrNull(row.comment) ?? textOrNull(row.blog) ?? accountOf(row),
        createdAt: timeOf(row),
        readAt: time(row.readAt),
        readThrough: time(row.seenTo),
        firstComment: numbers.get(text(row.firstComment)) ?? null,
      })),
    );
  }),
  {
    ...step("places.json", (tx, rows) =>
      insertMissingRows(
        tx,
        readingPositions,
        rows.flatMap((row) => {
          const place = ReadingPosition.safeParse({ block: row.block, words: row.words, part: row.part });
          if (!place.success) return [];
          return [{ ...place.data, userId: accountOf(row), blogId: text(row.blog), leftAt: timeOf(row) }];
        }),
      ),
    ),
    isNewer: true,
  },
];
