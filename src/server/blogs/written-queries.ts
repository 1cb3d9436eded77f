import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { z } from "zod";
import type { ListOwnBlogs } from "../../shared/blogs.ts";
import { blogTitle } from "../database/blog-title.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { joinInOrder } from "../database/dialect.ts";
import { blogs } from "../database/schema/blogs.ts";
import { loadCards, number, page, visible, type CardRow, type ListPage } from "./card-queries.ts";
import type { Kind } from "./policy.ts";

/* Cards of the blogs that a person writes, alone or with others. */

const author = sql.placeholder("author");
/** Merges a person's own blogs with readable co-authored ones: two indexes in one order. */
const withShared = (ownCondition: SQL, shared: SQL, order = sql`desc`) =>
  preparedQuery((db) =>
    db.select({ seq: sql<number>`seq` }).from(
      sql`(select blogs.seq, blogs.published_at, blogs.id from blogs where blogs.author_id = ${author} and ${ownCondition}
          union all
          select blogs.seq, w.published_at, w.blog_id from blog_authors w
            ${joinInOrder} blogs on blogs.id = w.blog_id ${joinInOrder} users on users.id = blogs.author_id
            where w.user_id = ${author} and w.accepted_at is not null and ${shared} and ${visible}
          order by 2 ${order}, 3 ${order} limit ${page.limit} offset ${page.offset}) as listed`,
    ),
  );

const isPrivate = sql.placeholder("private");
const openAndShared = withShared(
  sql`blogs.draft = 0 and blogs.private = ${isPrivate}`,
  sql`w.draft = 0 and w.private = ${isPrivate}`,
);
const allAndShared = withShared(
  sql`+blogs.draft between ${sql.placeholder("draft")} and ${sql.placeholder("drafts")} and +blogs.private <= ${sql.placeholder("closed")}`,
  sql`w.draft between ${sql.placeholder("draft")} and ${sql.placeholder("drafts")} and w.private <= ${sql.placeholder("closed")}`,
);

const [plan, typed, small, large] = ["plan", "typed", "small", "large"].map((name) => sql.placeholder(name));

/** The filtered list of one's own blogs: reads only that author's titles. */
const someAndShared = (order?: SQL) => {
  const only = (
    table: SQL,
  ) => sql`+${table}.draft between ${sql.placeholder("draft")} and ${sql.placeholder("drafts")}
    and +${table}.private between ${sql.placeholder("open")} and ${sql.placeholder("closed")}
    and (${plan} < 0 or case when exists (select 1 from schedules where schedules.blog_id = blogs.id) then 1 else 0 end = ${plan})
    and (${blogTitle} like ${typed} escape '!' or ${blogTitle} like ${small} escape '!' or ${blogTitle} like ${large} escape '!')`;
  return withShared(only(sql`blogs`), only(sql`w`), order);
};
const someWritten = { latest: someAndShared(), oldest: someAndShared(sql`asc`) };

/** Column ranges for each part of the list. `plan`: whether a schedule is set, -1 for either. */
const parts: Record<OwnList["show"], Record<"draft" | "drafts" | "open" | "closed" | "plan", number>> = {
  all: { draft: 0, drafts: 1, open: 0, closed: 1, plan: -1 },
  published: { draft: 0, drafts: 0, open: 0, closed: 0, plan: -1 },
  scheduled: { draft: 1, drafts: 1, open: 0, closed: 1, plan: 1 },
  drafts: { draft: 1, drafts: 1, open: 0, closed: 1, plan: 0 },
  private: { draft: 0, drafts: 0, open: 1, closed: 1, plan: -1 },
};

/** With `drafts` and `closed` 1: all; 0: only public blogs. */
const ownBlogs = preparedQuery((db) =>
  db
    .select(number)
    .from(blogs)
    .where(
      and(
        eq(blogs.authorId, author),
        // The sign keeps these from choosing an index: the order chooses one that has them.
        sql`+blogs.draft between ${sql.placeholder("draft")} and ${sql.placeholder("drafts")}`,
        sql`+blogs.private <= ${sql.placeholder("closed")}`,
      ),
    )
    .orderBy(desc(blogs.publishedAt), desc(blogs.id))
    .limit(page.limit)
    .offset(page.offset),
);

/** Returns an author's blogs of a kind, all readable for the viewer, with readable co-authored ones. */
export const listByAuthor = async (
  connection: Connection,
  authorId: string,
  kind: Kind,
  at: ListPage,
): Promise<CardRow[]> => {
  const rows =
    kind === "drafts"
      ? await allAndShared(connection).all({ author: authorId, draft: 1, drafts: 1, closed: 1, ...at })
      : await openAndShared(connection).all({ author: authorId, private: kind === "private" ? 1 : 0, ...at });
  return loadCards(connection, rows, at.viewer);
};

export type OwnList = Omit<z.output<typeof ListOwnBlogs>, "page">;

/** Returns the viewer's own and co-authored blogs, all or filtered. */
export const listWritten = async (
  connection: Connection,
  { show, sort, words }: OwnList,
  at: ListPage & { viewer: string },
): Promise<CardRow[]> => {
  const viewerId = at.viewer;
  const isAll = show === "all" && sort === "latest" && words === "";
  const rows = isAll
    ? await allAndShared(connection).all({ author: viewerId, draft: 0, drafts: 1, closed: 1, ...at })
    : await someWritten[sort](connection).all({ author: viewerId, ...parts[show], ...titled(words), ...at });
  return loadCards(connection, rows, viewerId);
};

/** SQLite's LIKE ignores case only for English letters: also matches lower case and capitalized words. */
function titled(words: string): Record<"typed" | "small" | "large", string> {
  const patternOf = (text: string) => `%${text.replaceAll(/[!%_]/g, "!$&")}%`;
  const lower = words.toLowerCase();
  const [first = ""] = lower;
  return {
    typed: patternOf(words),
    small: patternOf(lower),
    large: patternOf(first.toUpperCase() + lower.slice(first.length)),
  };
}

/** Returns an author's own blogs of these kinds that the viewer can read, newest first. */
export const listReadable = async (
  connection: Connection,
  authorId: string,
  kinds: Kind[],
  { viewer: viewerId, ...where }: ListPage,
): Promise<CardRow[]> => {
  const [drafts, closed] = [kinds.includes("drafts") ? 1 : 0, kinds.includes("private") ? 1 : 0];
  const rows = await ownBlogs(connection).all({ author: authorId, draft: 0, drafts, closed, ...where });
  return loadCards(connection, rows, viewerId);
};
