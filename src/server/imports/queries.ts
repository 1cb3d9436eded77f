import { and, count, desc, eq, getTableColumns, gt, inArray, isNotNull } from "drizzle-orm";
import type { RunState } from "../../shared/imports.ts";
import { blogTitle } from "../database/blog-title.ts";
import { type Connection, first, changes } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { importRuns, imports, type CommentsTaken } from "../database/schema/imports.ts";

export type RunRow = typeof importRuns.$inferSelect;
export type ImportRow = typeof imports.$inferSelect;

/** An earlier import of a source, and its blog. */
export interface EarlierImport extends Pick<
  ImportRow,
  "blogId" | "runId" | "hash" | "etag" | "report" | "comments"
> {
  slug: string | null;
  /** The blog's present values. */
  current: number | null;
  title: string | null;
  publishedAt: number | null;
  /** Of the import's run; null without one. */
  kind: string | null;
  name: string | null;
}

export const importedBlog = async (
  connection: Connection,
  authorId: string,
  source: string,
): Promise<EarlierImport | undefined> =>
  first(
    connection.drizzle
      .select({
        blogId: imports.blogId,
        runId: imports.runId,
        hash: imports.hash,
        etag: imports.etag,
        report: imports.report,
        comments: imports.comments,
        slug: blogs.slug,
        current: blogs.etag,
        title: blogTitle,
        publishedAt: blogs.publishedAt,
        kind: importRuns.kind,
        name: importRuns.name,
      })
      .from(imports)
      .leftJoin(blogs, eq(blogs.id, imports.blogId))
      .leftJoin(importRuns, eq(importRuns.id, imports.runId))
      .where(and(eq(imports.authorId, authorId), eq(imports.source, source))),
  );

export async function saveImport(
  tx: Connection,
  row: Omit<ImportRow, "comments"> & { comments?: null },
): Promise<void> {
  await tx.drizzle
    .insert(imports)
    .values(row)
    .onConflictDoUpdate({ target: [imports.authorId, imports.source], set: row });
}

/** Saves how far comments were imported. */
export async function saveCommentsTaken(
  tx: Connection,
  authorId: string,
  source: string,
  taken: CommentsTaken,
): Promise<void> {
  await tx.drizzle
    .update(imports)
    .set({ comments: taken })
    .where(and(eq(imports.authorId, authorId), eq(imports.source, source)));
}

export async function insertRun(tx: Connection, run: typeof importRuns.$inferInsert): Promise<void> {
  await tx.drizzle.insert(importRuns).values(run);
}

export const runById = async (connection: Connection, id: string): Promise<RunRow | undefined> =>
  first(connection.drizzle.select().from(importRuns).where(eq(importRuns.id, id)));

/** Returns false when the run is in none of these states. */
export const changeRun = async (
  tx: Connection,
  id: string,
  change: Partial<Omit<RunRow, "id">>,
  states: RunState[],
): Promise<boolean> =>
  (await changes(
    tx.drizzle
      .update(importRuns)
      .set(change)
      .where(and(eq(importRuns.id, id), inArray(importRuns.state, states))),
  )) > 0;

/** A report can have megabytes, which lists do not show. */
const { report: _report, ...listedColumns } = getTableColumns(importRuns);

/** Returns the runs of an author, or of all without one, newest first. */
export const listRuns = async (
  connection: Connection,
  { authorId, limit }: { authorId?: string; limit: number },
): Promise<Omit<RunRow, "report">[]> =>
  connection.drizzle
    .select(listedColumns)
    .from(importRuns)
    .where(authorId === undefined ? undefined : eq(importRuns.authorId, authorId))
    .orderBy(desc(importRuns.createdAt))
    .limit(limit);

/** Counts the remaining blogs of a run. */
export const blogsOfRun = async (connection: Connection, runId: string): Promise<number> =>
  (
    await first(
      connection.drizzle
        .select({ count: count() })
        .from(imports)
        .where(and(eq(imports.runId, runId), isNotNull(imports.blogId))),
    )
  )?.count ?? 0;

/** Returns the remaining blogs of a run by ID. */
export const remainingBlogsOfRun = async (
  connection: Connection,
  runId: string,
  after: string,
  limit: number,
) =>
  connection.drizzle
    .select({
      authorId: imports.authorId,
      source: imports.source,
      blogId: blogs.id,
      title: blogTitle,
      etag: imports.etag,
      current: blogs.etag,
    })
    .from(imports)
    .innerJoin(blogs, eq(blogs.id, imports.blogId))
    .where(and(eq(imports.runId, runId), gt(blogs.id, after)))
    .orderBy(blogs.id)
    .limit(limit);

/** Makes the source count as new. */
export async function deleteImport(tx: Connection, authorId: string, source: string): Promise<void> {
  await tx.drizzle.delete(imports).where(and(eq(imports.authorId, authorId), eq(imports.source, source)));
}
