import { sql } from "drizzle-orm";
import type { Town } from "./town.ts";

/* Towns so full that no test could fill them call by call. Counts are kept with the rows, as the server keeps them. */

/** The ids of things made in numbers, from 0: `kind` is a digit of one's own. */
export const numbered = (kind: number, place: number): string =>
  `00000000-0000-7000-8000-${kind}${String(place).padStart(11, "0")}`;
const numberedSql = (kind: number, place = "n") => `printf('00000000-0000-7000-8000-${kind}%011d', ${place})`;

/** Runs statements; in them `numbers(…)` is a table of `n` from 0. */
export async function fill(town: Town, ...statements: string[]): Promise<void> {
  await town.write(async (tx) => {
    for (const statement of statements)
      tx.drizzle.run(
        sql.raw(
          statement.replace(
            /numbers\((\d+)\)/g,
            "(with recursive counted(n) as (select 0 union all select n + 1 from counted where n < $1 - 1) select n from counted)",
          ),
        ),
      );
  });
}

/** People: of `kind`, so many; `columns` sets more of what they are, by `n`. */
export const people = (kind: number, total: number, columns: Record<string, string> = {}): string =>
  `insert into users (id, username, email, name, verified_at, created_at${Object.keys(columns)
    .map((name) => `, ${name}`)
    .join("")})
   select ${numberedSql(kind)}, 'crowd${kind}-' || n, 'crowd${kind}-' || n || '@example.org', 'Crowd', 1, 1${Object.values(
     columns,
   )
     .map((value) => `, ${value}`)
     .join("")} from numbers(${total})`;

/** Blogs of somebody, each a minute after the one before. */
export const blogs = (kind: number, total: number, authorId: string, title = "'Blog ' || n"): string =>
  `insert into blogs (id, slug, author_id, title, description, tags, document, html, text, excerpt, words, reading_minutes, draft, private, created_at, published_at)
   select ${numberedSql(kind)}, 'blog-${kind}-' || n, '${authorId}', ${title}, 'What one hears of number ' || n || ' in the night.', '["night"]',
   '{"type":"doc","content":[{"type":"paragraph"}]}', '', '', '', 0, 1, 0, 0, 60000 * n, 60000 * n from numbers(${total})`;

/** Comments on a blog; `parent` is the place of the one that each answers, as SQL of `n`, or null. */
export const talk = (
  kind: number,
  total: number,
  at: { blogId: string; authorId: string; text?: string; parent?: string },
): string[] => {
  const parent = at.parent ?? "null";
  return [
    `insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at)
     select ${numberedSql(kind)}, '${at.blogId}', case when ${parent} is null then null else ${numberedSql(kind, parent)} end,
     ${numberedSql(kind, "0")}, '${at.authorId}', ${at.text ?? "'Number ' || n"}, 1000 * n from numbers(${total})`,
    `update blogs set comments_count = (select count(*) from comments where blog_id = blogs.id) where id = '${at.blogId}'`,
  ];
};

/** People of a kind who like or save all that `of` (SQL of ids) names, one after another. */
export const doing = (
  what: "blog_likes" | "blog_saves" | "comment_likes",
  kind: number,
  total: number,
  of: string,
): string[] => {
  const [key, counted, column] = {
    blog_likes: ["blog_id", "blogs", "likes_count"],
    blog_saves: ["blog_id", "blogs", "saves_count"],
    comment_likes: ["comment_id", "comments", "likes_count"],
  }[what] as [string, string, string];
  return [
    `insert into ${what} (${key}, user_id, created_at) select liked.id, ${numberedSql(kind)}, 1000 + n from numbers(${total}), (${of}) liked`,
    `update ${counted} set ${column} = (select count(*) from ${what} where ${key} = ${counted}.id) where id in (${of})`,
  ];
};
