import { and, eq, ne, sql } from "drizzle-orm";
import { first, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";

/** Returns a blog's document as JSON, if it exists and is no draft: a draft's is elsewhere. */
export const documentOf = (
  connection: Connection,
  blogId: string,
): Promise<{ document: string; etag: number } | undefined> =>
  first(
    connection.drizzle
      .select({ document: sql<string>`${blogs.document}`, etag: blogs.etag })
      .from(blogs)
      .where(and(eq(blogs.id, blogId), eq(blogs.draft, false))),
  );

/** Stores a blog's text, unless the blog was saved meanwhile. */
export async function storeText(tx: Connection, blogId: string, etag: number, text: string): Promise<void> {
  await tx.drizzle
    .update(blogs)
    .set({ text })
    .where(and(eq(blogs.id, blogId), eq(blogs.etag, etag), ne(blogs.text, text)));
}
