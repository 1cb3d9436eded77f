import { sql } from "drizzle-orm";
import { execute } from "../../src/server/database/connection.ts";
import { comments as commentsTable } from "../../src/server/database/schema/comments.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { SignedInBrowser, TestSite } from "./test-site.ts";

/** Rows of one statement. */
const batch = 500;

interface InsertedComment {
  id: string;
  createdAt: number;
}

/** Inserts comments as if they were written one after the other long ago, far faster than by calls. */
export async function insertComments(
  testSite: TestSite,
  who: SignedInBrowser,
  blogId: string,
  texts: readonly string[],
  { under, nested = false, from = 1_000 }: { under?: string; nested?: boolean; from?: number } = {},
): Promise<InsertedComment[]> {
  const comments = texts.map((_, index) => ({ id: newId(), createdAt: from + index }));
  const rows = comments.map(({ id, createdAt }, index) => ({
    id,
    blogId,
    createdAt,
    authorId: who.me.id,
    text: texts[index] ?? "",
    parentId: (nested ? comments[index - 1]?.id : undefined) ?? under ?? null,
    rootId: under ?? id,
  }));
  await testSite.write(async (tx) => {
    for (let at = 0; at < rows.length; at += batch)
      await tx.drizzle.insert(commentsTable).values(rows.slice(at, at + batch));
    await execute(
      tx,
      sql`update blogs set comments_count = comments_count + ${rows.length} where id = ${blogId}`,
    );
  });
  return comments;
}
