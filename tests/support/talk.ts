import { sql } from "drizzle-orm";
import { newId } from "../../src/server/ids.ts";
import type { Resident, Town } from "./town.ts";

interface Said {
  id: string;
  createdAt: number;
}

/** Puts comments into the store as if they had been written one after the other, long ago; far faster than writing them. */
export async function fillTalk(
  town: Town,
  who: Resident,
  blogId: string,
  texts: readonly string[],
  { under, nested = false, from = 1_000 }: { under?: string; nested?: boolean; from?: number } = {},
): Promise<Said[]> {
  const said = texts.map((_, index) => ({ id: newId(), createdAt: from + index }));
  const rows = said.map(({ id, createdAt }, index) => ({
    id,
    createdAt,
    text: texts[index],
    parentId: (nested ? said[index - 1]?.id : undefined) ?? under ?? null,
    rootId: under ?? id,
  }));
  await town.write(async (tx) => {
    tx.drizzle.run(sql`
      insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at)
      select value ->> 'id', ${blogId}, value ->> 'parentId', value ->> 'rootId', ${who.me.id}, value ->> 'text', value ->> 'createdAt'
      from json_each(${JSON.stringify(rows)})`);
    tx.drizzle.run(
      sql`update blogs set comments_count = comments_count + ${rows.length} where id = ${blogId}`,
    );
  });
  return said;
}
