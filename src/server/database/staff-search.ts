import type Sqlite from "better-sqlite3";
import { fold } from "../../shared/fold.ts";
import type { SearchWord } from "../search/words.ts";
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

const seen = "((draft = 0 and private = 0) or takedown_reason is not null)";
const before = "(published_at, id) < (@at, @id) order by published_at desc, id desc";
/** Exported for a test of their indexes. */
export const statements = {
  blogs: `select seq, published_at as at, id, author_id as author, draft = 0 as isPublic, draft as isTakenDown
    from blogs indexed by blogs_staff where ${seen} and ${before}`,
  takenDown: `select seq, published_at as at, id, author_id as author, 0 as isPublic, 1 as isTakenDown
    from blogs indexed by blogs_taken_down where takedown_reason is not null and seq < @seq order by seq desc`,
  blogsBy: `select seq, published_at as at, id, author_id as author, draft = 0 and private = 0 as isPublic,
      case when draft = 1 then takedown_reason is not null else 0 end as isTakenDown
    from blogs indexed by blogs_written where author_id = @author and ${before}`,
  blogWords: `select rowid as seq from blog_words where blog_words match @match and rowid < @seq order by rowid desc`,
  blogPieces: `select rowid as seq from blog_pieces where blog_pieces match @match and rowid < @seq order by rowid desc`,
  blog: `select seq, published_at as at, id, author_id as author, draft = 0 and private = 0 as isPublic,
      draft = 1 and takedown_reason is not null as isTakenDown from blogs where seq = ?`,
  text: "select title || ' ' || tags || ' ' || description || ' ' || text from blogs where seq = ?",
  comments: `select seq, blog_id as blog, author_id as author, text, deleted_at as deletedAt
    from comments where seq < @seq order by seq desc`,
  commentsBy: `select seq, blog_id as blog, author_id as author, text, deleted_at as deletedAt
    from comments indexed by comments_written where author_id = @author and seq < @seq order by seq desc`,
  blogOfComment: `select draft = 0 and private = 0 as isPublic, author_id as author from blogs where id = ?`,
  closed: "select private from users where id = ?",
  username: "select id from users where username = ?",
  ids: "select u.id from json_each(?) j cross join users u on u.seq = j.value",
} as const;

interface BlogRow {
  seq: number;
  at: number;
  id: string;
  author: string;
  isPublic: number;
  isTakenDown: number;
}
interface CommentRow {
  seq: number;
  blog: string;
  author: string | null;
  text: string;
  deletedAt: number | null;
}

/** Returns a row's cursor; greater ones come first. */
const cursorOf = (seq: number, id = ""): string => `${String(seq + 1e15).padStart(16, "0")}${id}`;
const first = { seq: Number.MAX_SAFE_INTEGER, at: Number.MAX_SAFE_INTEGER, id: "" };
function parseCursor(after: string): { seq: number; at: number; id: string } {
  const [, digits = "", id = ""] = /^(\d{16})([0-9A-Za-z_-]*)$/.exec(after) ?? [];
  if (digits === "") return first;
  const seq = Number(digits) - 1e15;
  return { seq, at: seq, id };
}

/** Matches of one list, and how far it was read; null at its end. */
interface ListScan {
  matches: { seq: number; place: string }[];
  position: string | null;
}

interface Bounds<Row> {
  pageLimit: number;
  maxExamined: number;
  placed: (row: Row) => string;
  clock: Clock;
  /** How many lists share the time. */
  lists: number;
}

/** Reads until the page is full or a bound is reached; at least one row, so that each page makes progress. */
function scanList<Row extends { seq: number }>(
  rows: Iterable<Row>,
  { pageLimit, maxExamined, placed, clock, lists }: Bounds<Row>,
  isMatch: (row: Row) => boolean,
): ListScan {
  const matches: ListScan["matches"] = [];
  const end = clock() + pageTimeMs / lists;
  let examined = 0;
  for (const row of rows) {
    if (isMatch(row)) matches.push({ seq: row.seq, place: placed(row) });
    if (matches.length > pageLimit || ++examined >= maxExamined || clock() >= end)
      return { matches, position: placed(row) };
  }
  return { matches, position: null };
}

/** Merges lists into a page, as far as all were read. */
function mergeLists(lists: ListScan[], limit: number): StaffSearchResult {
  const readUntil = lists.reduce<string | null>(
    (low, { position }) => (position !== null && (low === null || position > low) ? position : low),
    null,
  );
  const all = lists
    .flatMap(({ matches }) => matches)
    .filter(({ place }) => readUntil === null || place >= readUntil)
    .toSorted((a, b) => (a.place < b.place ? 1 : -1));
  const page = all.slice(0, limit);
  return {
    numbers: page.map(({ seq }) => seq),
    after: all.length > limit ? (page.at(-1)?.place ?? null) : readUntil,
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
  const isMatch = (row: BlogRow): boolean =>
    row.isTakenDown
      ? state !== "public"
      : state !== "taken-down" && Boolean(row.isPublic) && !closed(row.author);
  // Words are searched in public and in taken-down blogs, unless `state` names one.
  const lists = words ? (state === "all" ? 2 : 1) : (writers?.length ?? 1);
  const bounds = { pageLimit: limit, maxExamined: maxRows.blogs, clock, lists };
  const byNumber = { ...bounds, placed: (row: { seq: number }) => cursorOf(row.seq) };
  const byDate = { ...bounds, placed: (row: BlogRow) => cursorOf(row.at, row.id) };
  const rows = (source: string, parameters: object) =>
    rowStatement<object, BlogRow>(sqlite, source).iterate({ ...at, ...parameters });
  const isTheirs = ({ author }: BlogRow): boolean => !writers || writers.includes(author);
  const takenDown = (maxExamined: number, containsTerms: (row: BlogRow) => boolean): ListScan =>
    scanList(
      rows(statements.takenDown, {}),
      { ...byNumber, maxExamined },
      (row) => isTheirs(row) && isMatch(row) && containsTerms(row),
    );
  if (words) {
    const expressions = expressionsOf(sqlite, { kind: "blogs", words });
    const expression = expressions.words.at(-1) ?? expressions.pieces[0];
    if (!expression) return [];
    const { match, terms } = expression;
    // Taken-down blogs are drafts, so not in the index, but few enough to read.
    const text = valueStatement<[number], string>(sqlite, statements.text);
    const hidden = (): ListScan =>
      takenDown(maxRows.texts, ({ seq }) => {
        const folded = fold(text.get(seq) ?? "");
        const matchesTerm = (term: (text: string) => boolean): boolean => term(folded);
        // Two or three words joined as one, after the words, match too.
        return terms.slice(0, words.length).every(matchesTerm) || terms.slice(words.length).some(matchesTerm);
      });
    const source = expressions.words.length > 0 ? statements.blogWords : statements.blogPieces;
    const blog = rowStatement<[number], BlogRow>(sqlite, statements.blog);
    const open = (): ListScan =>
      scanList(
        rowStatement<object, { seq: number }>(sqlite, source).iterate({ ...at, match }),
        byNumber,
        ({ seq }) => {
          const row = blog.get(seq);
          return row !== undefined && !row.isTakenDown && isTheirs(row) && isMatch(row);
        },
      );
    return [...(state === "public" ? [] : [hidden()]), ...(state === "taken-down" ? [] : [open()])];
  }
  if (writers)
    return writers.map((author) =>
      scanList(
        rows(statements.blogsBy, { author }),
        { ...byDate, maxExamined: maxRows.blogs / writers.length },
        isMatch,
      ),
    );
  return state === "taken-down"
    ? [takenDown(maxRows.blogs, () => true)]
    : [scanList(rows(statements.blogs, {}), byDate, isMatch)];
}

function commentLists(
  sqlite: Sqlite.Database,
  { words, after, limit }: StaffSearch,
  writers: string[] | null,
  closed: (id: string) => boolean,
  clock: Clock,
): ListScan[] {
  const { seq } = parseCursor(after);
  const terms = (words ?? []).map(({ text }) => text);
  const blogOfComment = rowStatement<[string], { isPublic: number; author: string }>(
    sqlite,
    statements.blogOfComment,
  );
  const isOpen = memoize((id: string) => {
    const blog = blogOfComment.get(id);
    return blog !== undefined && Boolean(blog.isPublic) && !closed(blog.author);
  });
  const isMatch = (row: CommentRow): boolean => {
    if (row.deletedAt !== null) return false;
    return (terms.length === 0 || hasAll(fold(row.text), terms)) && isOpen(row.blog);
  };
  const lists = writers?.length ?? 1;
  const placed = (row: CommentRow) => cursorOf(row.seq);
  const bounds = { pageLimit: limit, maxExamined: maxRows.comments / lists, placed, clock, lists };
  const rows = (source: string, parameters: object) =>
    rowStatement<object, CommentRow>(sqlite, source).iterate({ seq, ...parameters });
  if (!writers) return [scanList(rows(statements.comments, {}), bounds, isMatch)];
  return writers.map((author) => scanList(rows(statements.commentsBy, { author }), bounds, isMatch));
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

function memoize(read: (id: string) => boolean): (id: string) => boolean {
  const answers = new Map<string, boolean>();
  return (id) => {
    let answer = answers.get(id);
    if (answer === undefined) answers.set(id, (answer = read(id)));
    return answer;
  };
}
