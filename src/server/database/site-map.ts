import type Sqlite from "better-sqlite3";
import { routes } from "../../shared/routes.ts";
import { rowStatement, valueStatement } from "./statements.ts";

/*
 * What search engines are told of, for a thread that reads the store (workers/reader.ts). A part is a stretch of numbers, so that it
 * is found at once, costs the same wherever it is, and changes in nothing but what is in it. Tags have no numbers: a part of them is
 * a stretch of the alphabet.
 */

/** A place of the site, and when it changed. */
export interface Mapped {
  path: string;
  at: number | null;
}

export interface Part {
  /** From 1. */
  part: number;
  /** How many numbers one has. */
  size: number;
}

/** Accounts of which some blogs are marked as everybody's that are not for a search engine. There are few. */
const closed = `author_id not in (
  select id from users indexed by users_suspended where suspended_at is not null
  union all select id from users indexed by users_silenced where silenced_at is not null
  union all select id from users indexed by users_unsettled where unsettled = 1 and private = 1)`;

export const statements = {
  blogs: `select '/blog/' || slug as path, max(published_at, coalesce(edited_at, 0)) as at from blogs indexed by blogs_mapped
    where open = 1 and number > @from and number <= @to and published_at <= @now and ${closed} order by number`,
  changed: `select max(max(published_at, coalesce(edited_at, 0))) from blogs indexed by blogs_mapped
    where open = 1 and number > @from and number <= @to`,
  people: `select '/' || username as path,
      (select max(published_at) from blogs where author_id = users.id and draft = 0 and private = 0) as at
    from users where number > @from and number <= @to and private = 0 and public_blogs > 0
      and verified_at is not null and suspended_at is null and silenced_at is null order by number`,
  // From tag to tag, however many blogs have each.
  tags: `with recursive named(tag) as (
      select min(tag) from blog_tags where tag > @after
      union all
      select (select min(tag) from blog_tags where tag > named.tag) from named where named.tag is not null
      limit @size)
    select tag, (select published_at from blog_tags where tag = named.tag and open = 1 and published_at <= @now and ${closed}
      order by published_at desc limit 1) as at from named where tag is not null`,
};

const stretch = ({ part, size }: Part) => ({ from: (part - 1) * size, to: part * size });

/** The blogs of a part that everybody may read. */
export const mappedBlogs = (sqlite: Sqlite.Database, { now, ...part }: Part & { now: number }): Mapped[] =>
  rowStatement<object, Mapped>(sqlite, statements.blogs).all({ ...stretch(part), now });

/** The people of a part of whom everybody may read something. */
export const mappedPeople = (sqlite: Sqlite.Database, part: Part): Mapped[] =>
  rowStatement<object, Mapped>(sqlite, statements.people).all(stretch(part));

export interface TagPart {
  /** The last tag of the part before; empty for the first. */
  after: string;
  /** Tags that are looked at: so many places at most. */
  size: number;
  now: number;
}

/** The tags of a part that everybody finds something by, since when; and after which the next one begins, where there is one. */
export function mappedTags(
  sqlite: Sqlite.Database,
  part: TagPart,
): { places: Mapped[]; next: string | null } {
  const rows = rowStatement<object, { tag: string; at: number | null }>(sqlite, statements.tags).all(part);
  return {
    places: rows.flatMap(({ tag, at }) => (at === null ? [] : [{ path: routes.tag(tag), at }])),
    next: rows.length < part.size ? null : (rows.at(-1)?.tag ?? null),
  };
}

/** When a blog of a part changed last; null where it has none. */
export const lastChanged = (sqlite: Sqlite.Database, part: Part): number | null =>
  valueStatement<object, number | null>(sqlite, statements.changed).get(stretch(part)) ?? null;

/** The highest number there is. */
export const mappedUpTo = (sqlite: Sqlite.Database, kind: "blogs" | "people"): number =>
  valueStatement<[], number | null>(
    sqlite,
    `select max(number) from ${kind === "blogs" ? "blogs" : "users"}`,
  ).get() ?? 0;
