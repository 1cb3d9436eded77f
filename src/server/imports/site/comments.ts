import { commentMarks } from "../../../shared/comments.ts";
import { existingValues, insertMissingRows } from "../../database/insert-missing-rows.ts";
import { blogs } from "../../database/schema/blogs.ts";
import { comments, pendingComments } from "../../database/schema/comments.ts";
import { users } from "../../database/schema/profiles.ts";
import { threadsOf } from "../../comments/place-queries.ts";
import type { RestoreStep } from "./steps.ts";
import { idOf, isTrue, text, textOrNull, time, type Row } from "./values.ts";

/** Comments with their threads, each after its parent, and pending comments. */
export const commentThreads: RestoreStep = {
  file: "comments.json",
  put: async (tx, rows) => {
    const existingBlogs = await existingValues(
      tx,
      blogs.id,
      rows.map(({ blog }) => text(blog)),
    );
    const existingAuthors = await existingValues(
      tx,
      users.id,
      rows.map(({ author }) => idOf(author)),
    );
    const roots = await threadsOf(
      tx,
      rows.flatMap(({ parent }) => textOrNull(parent) ?? []),
    );
    let stored = 0;
    for (const row of rows) {
      const [id, parentId] = [text(row.id), textOrNull(row.parent)];
      const rootId = parentId === null ? id : roots.get(parentId);
      if (rootId === undefined || !existingBlogs.has(text(row.blog))) continue;
      const writer = idOf(row.author);
      const authorId = writer !== null && existingAuthors.has(writer) ? writer : null;
      if (isTrue(row.waiting)) {
        if (authorId !== null)
          stored += await insertMissingRows(tx, pendingComments, [
            { ...commonColumns(row), authorId, forLink: isTrue(row.forLink) },
          ]);
        continue;
      }
      roots.set(id, rootId);
      stored += await insertMissingRows(tx, comments, [{ ...commentOf(row), rootId, authorId }]);
    }
    return stored;
  },
};

const commonColumns = (row: Row) => ({
  id: text(row.id),
  blogId: text(row.blog),
  parentId: textOrNull(row.parent),
  text: text(row.text),
  createdAt: time(row.createdAt) ?? 0,
});

const commentOf = (row: Row) => ({
  ...commonColumns(row),
  guestName: textOrNull(row.guest),
  editedAt: time(row.editedAt),
  // The exact time is never shown.
  deletedAt: isTrue(row.deleted) ? (time(row.editedAt) ?? time(row.createdAt) ?? 0) : null,
  mark: commentMarks.find((one) => one === row.mark) ?? null,
});
