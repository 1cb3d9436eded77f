import type Sqlite from "better-sqlite3";
import { routes } from "../../shared/routes.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { rowStatement, valueStatement } from "./statements.ts";

/*
 * Runs in a reader thread (workers/reader.ts). A part is a range of numbers: fast everywhere, and changed only by its own rows.
 * Tags have no numbers: their parts are ranges of the alphabet.
 */

export interface SiteMapEntry {
  path: string;
  at: number | null;
}

export interface SiteMapPart {
  part: number;
  /** Numbers per part. */
  size: number;
  /** The site's own, without a path. */
  origin: string;
  now: number;
}

/** Excludes accounts with blogs marked public that search engines must not see; there are few. */
const closed = `author_id not in (
  select id from users indexed by users_suspended where suspended_at is not null
  union all select id from users indexed by users_limited where limited_at is not null
  union all select id from users indexed by users_visibility_sync where visibility_sync_pending = 1 and private = 1)`;

/** Selects the blogs of a part whose canonical address is here; the index of parts must count no other. */
const blogsOfPart = `from blogs indexed by blogs_mapped
    where is_public = 1 and seq > @from and seq <= @to and published_at <= @now
      and canonical_url in ('', @origin || '/blog/' || slug) and ${closed}`;

/** Selects the people of a part with public blogs. */
const peopleOfPart = `from users where seq > @from and seq <= @to and private = 0 and public_blogs > 0
      and verified_at is not null and suspended_at is null and limited_at is null`;

/** Selects when a tag's newest public blog was published. */
const newestOf = (tag: string): string => `select published_at from blog_tags
      where tag = ${tag} and is_public = 1 and published_at <= @now and ${closed} order by published_at desc limit 1`;

export const statements = {
  blogs: `select '/blog/' || slug as path, max(published_at, coalesce(edited_at, 0)) as at ${blogsOfPart} order by seq`,
  changed: `select max(max(published_at, coalesce(edited_at, 0))) ${blogsOfPart}`,
  people: `select '/' || username as path,
      (select max(published_at) from blogs where author_id = users.id and draft = 0 and private = 0 and published_at <= @now) as at
    ${peopleOfPart} order by seq`,
  // Ends at the first one.
  anyPerson: `select exists (select 1 ${peopleOfPart})`,
  // Jumps from tag to tag, however many blogs each has.
  tags: `with recursive named(tag) as (
      select min(tag) from blog_tags where tag > @after
      union all
      select (select min(tag) from blog_tags where tag > named.tag) from named where named.tag is not null
      limit @size)
    select tag, (${newestOf("named.tag")}) as at from named where tag is not null`,
  tag: newestOf("@tag"),
};

const rangeOf = ({ part, size, origin, now }: SiteMapPart) => ({
  from: (part - 1) * size,
  to: part * size,
  origin,
  now,
});

export const mappedBlogs = (sqlite: Sqlite.Database, part: SiteMapPart): SiteMapEntry[] =>
  rowStatement<object, SiteMapEntry>(sqlite, statements.blogs).all(rangeOf(part));

/** Returns the people of a part with public blogs. */
export const mappedPeople = (sqlite: Sqlite.Database, part: SiteMapPart): SiteMapEntry[] =>
  rowStatement<object, SiteMapEntry>(sqlite, statements.people).all(rangeOf(part));

/** Returns whether a part has people. */
export const hasMappedPeople = (sqlite: Sqlite.Database, part: SiteMapPart): boolean =>
  valueStatement<object, number>(sqlite, statements.anyPerson).get(rangeOf(part)) === 1;

export interface TagPart {
  /** The last tag of the part before; empty for the first. */
  after: string;
  /** Tags to read, also those without public blogs. */
  size: number;
  now: number;
}

/**
 * Returns the tags of a part with their newest public blog's time, and the next part's cursor: the last of them, since a cursor
 * is published, and a tag of private blogs must not be. Reads on while it finds no tag with public blogs.
 */
export function mappedTags(
  sqlite: Sqlite.Database,
  { after, size, now }: TagPart,
): { places: SiteMapEntry[]; next: string | null } {
  const statement = rowStatement<object, { tag: string; at: number | null }>(sqlite, statements.tags);
  for (let from = after; ;) {
    const rows = statement.all({ after: from, size, now });
    const open = rows.filter(({ tag, at }) => at !== null && hasTagPage(tag));
    const last = rows.at(-1)?.tag;
    const isEnd = last === undefined || rows.length < size;
    if (isEnd || open.length > 0)
      return {
        places: open.map(({ tag, at }) => ({ path: routes.tag(tag), at })),
        next: isEnd ? null : (open.at(-1)?.tag ?? null),
      };
    from = last;
  }
}

/** Whether each of the tags has a public blog. */
export const areTagsPublic = (sqlite: Sqlite.Database, tags: string[], now: number): boolean =>
  tags.every((tag) => valueStatement<object, number>(sqlite, statements.tag).get({ tag, now }) !== undefined);

/** Returns when a blog of a part last changed; null when it has none. */
export const lastChanged = (sqlite: Sqlite.Database, part: SiteMapPart): number | null =>
  valueStatement<object, number | null>(sqlite, statements.changed).get(rangeOf(part)) ?? null;

export const highestSeq = (sqlite: Sqlite.Database, kind: "blogs" | "people"): number =>
  valueStatement<[], number | null>(
    sqlite,
    `select max(seq) from ${kind === "blogs" ? "blogs" : "users"}`,
  ).get() ?? 0;
