import { sql } from "drizzle-orm";
import type { TestSite } from "./test-site.ts";

/* Fills sites beyond what calls could do in a test. Counters are updated with the rows, as the server does. */

/** The id of the row at this place, from 0: `kind` is a digit that keeps kinds apart. */
export const numberedId = (kind: number, index: number): string =>
  `00000000-0000-7000-8000-${kind}${String(index).padStart(11, "0")}`;
/** The same as SQL of `n`. */
export const numberedIdSql = (kind: number, index = "n") =>
  `'00000000-0000-7000-8000-${kind}' || substr(cast(100000000000 + (${index}) as text), 2)`;

/** Runs statements, each as a write of its own, in which `numbers(…)` is a table of `n` from 0. */
export async function runStatements(testSite: TestSite, ...statements: string[]): Promise<void> {
  for (const statement of statements)
    await testSite.run(
      sql.raw(
        statement.replace(
          /numbers\((\d+)\)/g,
          "(with recursive counted(n) as (select cast(0 as bigint) union all select n + 1 from counted where n < $1 - 1) select n from counted) as numbers",
        ),
      ),
    );
}

/** Inserts `total` people of a kind; `columns` sets further columns as SQL of `n`. */
export const insertPeopleSql = (kind: number, total: number, columns: Record<string, string> = {}): string =>
  `insert into users (id, username, email, name, verified_at, created_at${Object.keys(columns)
    .map((name) => `, ${name}`)
    .join("")})
   select ${numberedIdSql(kind)}, 'crowd${kind}-' || n, 'crowd${kind}-' || n || '@example.org', 'Crowd', 1, 1${Object.values(
     columns,
   )
     .map((value) => `, ${value}`)
     .join("")} from numbers(${total})`;

/** Inserts blogs of an author, a minute apart. */
export const insertBlogsSql = (
  kind: number,
  total: number,
  authorId: string,
  title = "'Blog ' || n",
): string =>
  `insert into blogs (id, slug, author_id, title, description, tags, document, html, text, excerpt, words, reading_minutes, draft, private, created_at, published_at)
   select ${numberedIdSql(kind)}, 'blog-${kind}-' || n, '${authorId}', ${title}, 'What one hears of number ' || n || ' in the night.', '["night"]',
   '{"type":"doc","content":[{"type":"paragraph"}]}', '', '', '', 0, 1, 0, 0, 60000 * n, 60000 * n from numbers(${total})`;

/** Inserts comments on a blog; `parent` is the place of each one's parent as SQL of `n`, or null. */
export const insertCommentsSql = (
  kind: number,
  total: number,
  comment: { blogId: string; authorId: string; text?: string; parent?: string },
): string[] => {
  const parent = comment.parent ?? "null";
  return [
    `insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at)
     select ${numberedIdSql(kind)}, '${comment.blogId}', case when ${parent} is null then null else ${numberedIdSql(kind, parent)} end,
     ${numberedIdSql(kind, "0")}, '${comment.authorId}', ${comment.text ?? "'Number ' || n"}, 1000 * n from numbers(${total})`,
    `update blogs set comments_count = (select count(*) from comments where blog_id = blogs.id) where id = '${comment.blogId}'`,
  ];
};

/** Makes people of a kind like or save everything that `targetsSql` (SQL of ids) selects, one after another. */
export const insertLikesSql = (
  table: "blog_likes" | "blog_saves" | "comment_likes",
  kind: number,
  total: number,
  targetsSql: string,
): string[] => {
  const [key, countedTable, column] = {
    blog_likes: ["blog_id", "blogs", "likes_count"],
    blog_saves: ["blog_id", "blogs", "saves_count"],
    comment_likes: ["comment_id", "comments", "likes_count"],
  }[table] as [string, string, string];
  return [
    `insert into ${table} (${key}, user_id, created_at) select liked.id, ${numberedIdSql(kind)}, 1000 + n from numbers(${total}), (${targetsSql}) liked`,
    `update ${countedTable} set ${column} = (select count(*) from ${table} where ${key} = ${countedTable}.id) where id in (${targetsSql})`,
  ];
};

/** Inserts entries of a live blog; `columns` sets columns as SQL of `n`. */
export const insertEntriesSql = (
  kind: number,
  total: number,
  { blogId, authorId }: { blogId: string; authorId: string },
  columns: Partial<Record<"at" | "title" | "is_key" | "withdrawn_at" | "html", string>> = {},
): string => {
  const {
    at = "1000 * n",
    title = "'Number ' || n",
    is_key = "0",
    withdrawn_at = "null",
    html = "''",
  } = columns;
  return `insert into entries (id, blog_id, author_id, at, title, is_key, withdrawn_at, html, text, created_at, document)
   select ${numberedIdSql(kind)}, '${blogId}', '${authorId}', ${at}, ${title}, ${is_key}, ${withdrawn_at}, ${html}, '', 1000 * n,
   '{"type":"doc","content":[{"type":"paragraph"}]}' from numbers(${total})`;
};
