import { sql } from "drizzle-orm";
import { newId } from "../../src/server/runtime/ids.ts";
import type { SignedInBrowser, TestSite } from "./test-site.ts";

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
    createdAt,
    text: texts[index],
    parentId: (nested ? comments[index - 1]?.id : undefined) ?? under ?? null,
    rootId: under ?? id,
  }));
  await testSite.write(async (tx) => {
    tx.drizzle.run(sql`
      insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at)
      select value ->> 'id', ${blogId}, value ->> 'parentId', value ->> 'rootId', ${who.me.id}, value ->> 'text', value ->> 'createdAt'
      from json_each(${JSON.stringify(rows)})`);
    tx.drizzle.run(
      sql`update blogs set comments_count = comments_count + ${rows.length} where id = ${blogId}`,
    );
  });
  return comments;
}
