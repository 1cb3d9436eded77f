import type Sqlite from "better-sqlite3";
import { fold, type SearchWord } from "../search/words.ts";
import { expressionsOf, find } from "./full-text-search.ts";
import { rowStatement, valueStatement } from "./statements.ts";

/*
 * For a reader thread (workers/reader.ts). A page reads a bounded number of rows along an index, for a bounded time; if it is
 * not full then, the next page continues there.
 */

export interface StaffSearch {
  kind: "blogs" | "comments";
  /** Null: not searched for; empty: a query without words, which finds nothing. */
  words: SearchWord[] | null;
  by: { words: SearchWord[]; username: string | null } | null;
  state: "all" | "public" | "taken-down";
  after: string;
  limit: number;
}
export interface StaffSearchResult {
  numbers: number[];
  after: string | null;
}

/** The most rows read per page, long texts among them, and people per name. */
const maxRows = { blogs: 2_000, texts: 300, comments: 20_000, people: 20 };
/** Milliseconds per page: visitors' searches wait for the same thread. */
const pageTimeMs = 40;
type Clock = () => number;

const seen = "((draft = 0 and private = 0) or hidden_for is not null)";
const before = "(published_at, id) < (@at, @id) order by published_at desc, id desc";
/** Exported for a test of their indexes. */
export const statements = {
  blogs: `select number, published_at as at, id, author_id as author, draft = 0 as isPublic, draft as takenBack
    from blogs indexed by blogs_staff where ${seen} and ${before}`,
  takenDown: `select number, published_at as at, id, author_id as author, 0 as isPublic, 1 as takenBack
    from blogs indexed by blogs_hidden where hidden_for is not null and number < @number order by number desc`,
  blogsBy: `select number, published_at as at, id, author_id as author, draft = 0 and private = 0 as isPublic,
      case when draft = 1 then hidden_for is not null else 0 end as takenBack
    from blogs indexed by blogs_written where author_id = @author and ${before}`,
  blogWords: `select rowid as number from blog_words where blog_words match @match and rowid < @number order by rowid desc`,
  blogPieces: `select rowid as number from blog_pieces where blog_pieces match @match and rowid < @number order by rowid desc`,
  blog: `select number, published_at as at, id, author_id as author, draft = 0 and private = 0 as isPublic,
      draft = 1 and hidden_for is not null as takenBack from blogs where number = ?`,
  text: "select title || ' ' || tags || ' ' || description || ' ' || text from blogs where number = ?",
  comments: `select number, blog_id as blog, author_id as author, text, deleted_at as deletedAt
    from comments where number < @number order by number desc`,
  commentsBy: `select number, blog_id as blog, author_id as author, text, deleted_at as deletedAt
    from comments indexed by comments_written where author_id = @author and number < @number order by number desc`,
  blogOfComment: `select draft = 0 and private = 0 as isPublic, author_id as author from blogs where id = ?`,
  closed: "select private from users where id = ?",
  username: "select id from users where username = ?",
  ids: "select u.id from json_each(?) j cross join users u on u.number = j.value",
} as const;

interface BlogRow {
  number: number;
  at: number;
  id: string;
  author: string;
  isPublic: number;
  takenBack: number;
}
interface CommentRow {
  number: number;
  blog: string;
  author: string | null;
  text: string;
  deletedAt: number | null;
}

/** Returns a row's cursor; greater ones come first. */
const cursorOf = (number: number, id = ""): string => `${String(number + 1e15).padStart(16, "0")}${id}`;
const first = { number: Number.MAX_SAFE_INTEGER, at: Number.MAX_SAFE_INTEGER, id: "" };
function parseCursor(after: string): { number: number; at: number; id: string } {
  const [, digits = "", id = ""] = /^(\d{16})([0-9A-Za-z_-]*)$/.exec(after) ?? [];
  if (digits === "") return first;
  const number = Number(digits) - 1e15;
  return { number, at: number, id };
}

/** Matches of one list, and how far it was read; null at its end. */
interface ListScan {
  found: { number: number; place: string }[];
  reached: string | null;
}

interface Bounds<Row> {
  wanted: number;
  most: number;
  placed: (row: Row) => string;
  clock: Clock;
  /** How many lists share the time. */
  lists: number;
}

/** Reads until the page is full or a bound is reached; at least one row, so that each page makes progress. */
function scanList<Row extends { number: number }>(
  rows: Iterable<Row>,
  { wanted, most, placed, clock, lists }: Bounds<Row>,
  fits: (row: Row) => boolean,
): ListScan {
  const found: ListScan["found"] = [];
  const end = clock() + pageTimeMs / lists;
  let looked = 0;
  for (const row of rows) {
    if (fits(row)) found.push({ number: row.number, place: placed(row) });
    if (found.length > wanted || ++looked >= most || clock() >= end) return { found, reached: placed(row) };
  }
  return { found, reached: null };
}

/** Merges lists into a page, as far as all were read. */
function mergeLists(lists: ListScan[], limit: number): StaffSearchResult {
  const floor = lists.reduce<string | null>(
    (low, { reached }) => (reached !== null && (low === null || reached > low) ? reached : low),
    null,
  );
  const all = lists
    .flatMap(({ found }) => found)
    .filter(({ place }) => floor === null || place >= floor)
    .toSorted((one, other) => (one.place < other.place ? 1 : -1));
  const shown = all.slice(0, limit);
  return {
    numbers: shown.map(({ number }) => number),
    after: all.length > limit ? (shown.at(-1)?.place ?? null) : floor,
  };
}

/** Finds what moderators can see: public and taken-down content, but no other drafts or private blogs. */
export function findForStaff(
  sqlite: Sqlite.Database,
  search: StaffSearch,
  clock: Clock = () => performance.now(),
): StaffSearchResult {
  const writers = search.by && findAuthorIds(sqlite, search.by);
  if (search.words?.length === 0 || writers?.length === 0) return { numbers: [], after: null };
  const closed = memoize(
    (id: string) => valueStatement<[string], number>(sqlite, statements.closed).get(id) === 1,
  );
  const lists = search.kind === "blogs" ? blogLists : commentLists;
  return mergeLists(lists(sqlite, search, writers, closed, clock), search.limit);
}

function blogLists(
  sqlite: Sqlite.Database,
  { words, state, after, limit }: StaffSearch,
  writers: string[] | null,
  closed: (id: string) => boolean,
  clock: Clock,
): ListScan[] {
  const at = parseCursor(after);
  const fits = (row: BlogRow): boolean =>
    row.takenBack
      ? state !== "public"
      : state !== "taken-down" && Boolean(row.isPublic) && !closed(row.author);
  // Words are searched in public and in taken-down blogs, unless `state` names one.
  const lists = words ? (state === "all" ? 2 : 1) : (writers?.length ?? 1);
  const bounds = { wanted: limit, most: maxRows.blogs, clock, lists };
  const byNumber = { ...bounds, placed: (row: { number: number }) => cursorOf(row.number) };
  const byDate = { ...bounds, placed: (row: BlogRow) => cursorOf(row.at, row.id) };
  const rows = (source: string, given: object) =>
    rowStatement<object, BlogRow>(sqlite, source).iterate({ ...at, ...given });
  const isTheirs = ({ author }: BlogRow): boolean => !writers || writers.includes(author);
  const takenBack = (most: number, has: (row: BlogRow) => boolean): ListScan =>
    scanList(
      rows(statements.takenDown, {}),
      { ...byNumber, most },
      (row) => isTheirs(row) && fits(row) && has(row),
    );
  if (words) {
    const asked = expressionsOf(sqlite, { kind: "blogs", words });
    const expression = asked.words.at(-1) ?? asked.pieces[0];
    if (!expression) return [];
    const { match, terms } = expression;
    // Taken-down blogs are drafts, so not in the index, but few enough to read.
    const text = valueStatement<[number], string>(sqlite, statements.text);
    const hidden = (): ListScan =>
      takenBack(maxRows.texts, ({ number }) => {
        const folded = fold(text.get(number) ?? "");
        const stands = (term: (text: string) => boolean): boolean => term(folded);
        // Two or three words joined as one, after the words, match too.
        return terms.slice(0, words.length).every(stands) || terms.slice(words.length).some(stands);
      });
    const source = asked.words.length > 0 ? statements.blogWords : statements.blogPieces;
    const blog = rowStatement<[number], BlogRow>(sqlite, statements.blog);
    const open = (): ListScan =>
      scanList(
        rowStatement<object, { number: number }>(sqlite, source).iterate({ ...at, match }),
        byNumber,
        ({ number }) => {
          const row = blog.get(number);
          return row !== undefined && !row.takenBack && isTheirs(row) && fits(row);
        },
      );
    return [...(state === "public" ? [] : [hidden()]), ...(state === "taken-down" ? [] : [open()])];
  }
  if (writers)
    return writers.map((author) =>
      scanList(
        rows(statements.blogsBy, { author }),
        { ...byDate, most: maxRows.blogs / writers.length },
        fits,
      ),
    );
  return state === "taken-down"
    ? [takenBack(maxRows.blogs, () => true)]
    : [scanList(rows(statements.blogs, {}), byDate, fits)];
}

function commentLists(
  sqlite: Sqlite.Database,
  { words, after, limit }: StaffSearch,
  writers: string[] | null,
  closed: (id: string) => boolean,
  clock: Clock,
): ListScan[] {
  const { number } = parseCursor(after);
  const sought = (words ?? []).map(({ text }) => fold(text));
  const talk = rowStatement<[string], { isPublic: number; author: string }>(sqlite, statements.blogOfComment);
  const isOpen = memoize((id: string) => {
    const blog = talk.get(id);
    return blog !== undefined && Boolean(blog.isPublic) && !closed(blog.author);
  });
  const fits = (row: CommentRow): boolean => {
    if (row.deletedAt !== null) return false;
    return (sought.length === 0 || hasAll(fold(row.text), sought)) && isOpen(row.blog);
  };
  const lists = writers?.length ?? 1;
  const placed = (row: CommentRow) => cursorOf(row.number);
  const bounds = { wanted: limit, most: maxRows.comments / lists, placed, clock, lists };
  const rows = (source: string, given: object) =>
    rowStatement<object, CommentRow>(sqlite, source).iterate({ number, ...given });
  if (!writers) return [scanList(rows(statements.comments, {}), bounds, fits)];
  return writers.map((author) => scanList(rows(statements.commentsBy, { author }), bounds, fits));
}

/** Returns the person with the username, or those whose names match, hidden ones included. */
function findAuthorIds(
  sqlite: Sqlite.Database,
  { words, username }: NonNullable<StaffSearch["by"]>,
): string[] {
  if (username !== null) return valueStatement<[string], string>(sqlite, statements.username).all(username);
  const { numbers } = find(sqlite, {
    kind: "people",
    words,
    viewer: null,
    staff: true,
    limit: maxRows.people,
    offset: 0,
  });
  return valueStatement<[string], string>(sqlite, statements.ids).all(JSON.stringify(numbers));
}

const hasAll = (text: string, words: string[]): boolean => words.every((word) => text.includes(word));

function memoize(look: (id: string) => boolean): (id: string) => boolean {
  const known = new Map<string, boolean>();
  return (id) => {
    let answer = known.get(id);
    if (answer === undefined) known.set(id, (answer = look(id)));
    return answer;
  };
}
