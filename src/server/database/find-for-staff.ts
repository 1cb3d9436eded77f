import type Sqlite from "better-sqlite3";
import { fold, type SearchWord } from "../search/words.ts";
import { expressionsOf, find } from "./find.ts";
import { rowStatement, valueStatement } from "./statements.ts";

/*
 * What moderators find, the newest first, for the thread that reads the store (workers/reader.ts): of each page so many rows are
 * looked at, for so long, and no more, along an index; where that ends before the page is full, the next one goes on from there.
 */

export interface StaffSearch {
  kind: "blogs" | "comments";
  /** Null where nothing is asked for; none of something that has no words finds nothing. */
  words: SearchWord[] | null;
  by: { words: SearchWord[]; username: string | null } | null;
  state: "all" | "public" | "taken-down";
  after: string;
  limit: number;
}
export interface StaffFound {
  numbers: number[];
  after: string | null;
}

/** Rows looked at for one page, long texts among them, and people that a name may mean. */
const room = { blogs: 2_000, texts: 300, comments: 20_000, people: 20 };
/** Milliseconds for which all lists of one page are looked through: visitors' searches wait for the same thread. */
const patience = 40;
type Clock = () => number;

const seen = "((draft = 0 and private = 0) or hidden_for is not null)";
const before = "(published_at, id) < (@at, @id) order by published_at desc, id desc";
/** Exported so that a test sees which index each goes along. */
export const statements = {
  blogs: `select number, published_at as at, id, author_id as author, draft = 0 as isPublic, draft as takenBack
    from blogs indexed by blogs_staff where ${seen} and ${before}`,
  takenBack: `select number, published_at as at, id, author_id as author, 0 as isPublic, 1 as takenBack
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
  talk: `select draft = 0 and private = 0 as isPublic, author_id as author from blogs where id = ?`,
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

/** A place in a list that goes down: of two the later text comes first. */
const placeOf = (number: number, id = ""): string => `${String(number + 1e15).padStart(16, "0")}${id}`;
const first = { number: Number.MAX_SAFE_INTEGER, at: Number.MAX_SAFE_INTEGER, id: "" };
function placeIn(after: string): { number: number; at: number; id: string } {
  const [, digits = "", id = ""] = /^(\d{16})([0-9A-Za-z_-]*)$/.exec(after) ?? [];
  if (digits === "") return first;
  const number = Number(digits) - 1e15;
  return { number, at: number, id };
}

/** One list that is looked through: what fits, and how far it was looked at; null where that is all of it. */
interface Walked {
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

/** However late it is, one row is looked at: the next page is to come further. */
function walk<Row extends { number: number }>(
  rows: Iterable<Row>,
  { wanted, most, placed, clock, lists }: Bounds<Row>,
  fits: (row: Row) => boolean,
): Walked {
  const found: Walked["found"] = [];
  const end = clock() + patience / lists;
  let looked = 0;
  for (const row of rows) {
    if (fits(row)) found.push({ number: row.number, place: placed(row) });
    if (found.length > wanted || ++looked >= most || clock() >= end) return { found, reached: placed(row) };
  }
  return { found, reached: null };
}

/** A page of several lists, as far as all of them were looked at. */
function together(lists: Walked[], limit: number): StaffFound {
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

/** Finds for a moderator, whoever wrote it: what is public, or was taken back, and nobody's drafts and private blogs. */
export function findForStaff(
  sqlite: Sqlite.Database,
  search: StaffSearch,
  clock: Clock = () => performance.now(),
): StaffFound {
  const writers = search.by && peopleNamed(sqlite, search.by);
  if (search.words?.length === 0 || writers?.length === 0) return { numbers: [], after: null };
  const closed = remembered(
    (id: string) => valueStatement<[string], number>(sqlite, statements.closed).get(id) === 1,
  );
  const lists = search.kind === "blogs" ? blogLists : commentLists;
  return together(lists(sqlite, search, writers, closed, clock), search.limit);
}

function blogLists(
  sqlite: Sqlite.Database,
  { words, state, after, limit }: StaffSearch,
  writers: string[] | null,
  closed: (id: string) => boolean,
  clock: Clock,
): Walked[] {
  const at = placeIn(after);
  const fits = (row: BlogRow): boolean =>
    row.takenBack
      ? state !== "public"
      : state !== "taken-down" && Boolean(row.isPublic) && !closed(row.author);
  // Words are looked for in two lists, of what is public and of what was taken back, unless one of them is asked for.
  const lists = words ? (state === "all" ? 2 : 1) : (writers?.length ?? 1);
  const bounds = { wanted: limit, most: room.blogs, clock, lists };
  const byNumber = { ...bounds, placed: (row: { number: number }) => placeOf(row.number) };
  const byDate = { ...bounds, placed: (row: BlogRow) => placeOf(row.at, row.id) };
  const rows = (source: string, given: object) =>
    rowStatement<object, BlogRow>(sqlite, source).iterate({ ...at, ...given });
  const isTheirs = ({ author }: BlogRow): boolean => !writers || writers.includes(author);
  const takenBack = (most: number, has: (row: BlogRow) => boolean): Walked =>
    walk(
      rows(statements.takenBack, {}),
      { ...byNumber, most },
      (row) => isTheirs(row) && fits(row) && has(row),
    );
  if (words) {
    const asked = expressionsOf(sqlite, { kind: "blogs", words });
    const expression = asked.words.at(-1) ?? asked.pieces[0];
    if (!expression) return [];
    const { match, terms } = expression;
    // Drafts are in no index of words, and what is taken back is one: few enough to be read themselves.
    const text = valueStatement<[number], string>(sqlite, statements.text);
    const hidden = (): Walked =>
      takenBack(room.texts, ({ number }) => {
        const folded = fold(text.get(number) ?? "");
        const stands = (term: (text: string) => boolean): boolean => term(folded);
        // Behind the words stands what two or three of them are when written as one: that will do as well.
        return terms.slice(0, words.length).every(stands) || terms.slice(words.length).some(stands);
      });
    const source = asked.words.length > 0 ? statements.blogWords : statements.blogPieces;
    const blog = rowStatement<[number], BlogRow>(sqlite, statements.blog);
    const open = (): Walked =>
      walk(
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
      walk(rows(statements.blogsBy, { author }), { ...byDate, most: room.blogs / writers.length }, fits),
    );
  return state === "taken-down"
    ? [takenBack(room.blogs, () => true)]
    : [walk(rows(statements.blogs, {}), byDate, fits)];
}

function commentLists(
  sqlite: Sqlite.Database,
  { words, after, limit }: StaffSearch,
  writers: string[] | null,
  closed: (id: string) => boolean,
  clock: Clock,
): Walked[] {
  const { number } = placeIn(after);
  const sought = (words ?? []).map(({ text }) => fold(text));
  const talk = rowStatement<[string], { isPublic: number; author: string }>(sqlite, statements.talk);
  const isOpen = remembered((id: string) => {
    const blog = talk.get(id);
    return blog !== undefined && Boolean(blog.isPublic) && !closed(blog.author);
  });
  const fits = (row: CommentRow): boolean => {
    if (row.deletedAt !== null) return false;
    return (sought.length === 0 || hasAll(fold(row.text), sought)) && isOpen(row.blog);
  };
  const lists = writers?.length ?? 1;
  const placed = (row: CommentRow) => placeOf(row.number);
  const bounds = { wanted: limit, most: room.comments / lists, placed, clock, lists };
  const rows = (source: string, given: object) =>
    rowStatement<object, CommentRow>(sqlite, source).iterate({ number, ...given });
  if (!writers) return [walk(rows(statements.comments, {}), bounds, fits)];
  return writers.map((author) => walk(rows(statements.commentsBy, { author }), bounds, fits));
}

/** Whom a name means, whoever they are: the one with this username, or those whose name has these words. */
function peopleNamed(sqlite: Sqlite.Database, { words, username }: NonNullable<StaffSearch["by"]>): string[] {
  if (username !== null) return valueStatement<[string], string>(sqlite, statements.username).all(username);
  const { numbers } = find(sqlite, {
    kind: "people",
    words,
    viewer: null,
    staff: true,
    limit: room.people,
    offset: 0,
  });
  return valueStatement<[string], string>(sqlite, statements.ids).all(JSON.stringify(numbers));
}

const hasAll = (text: string, words: string[]): boolean => words.every((word) => text.includes(word));

function remembered(look: (id: string) => boolean): (id: string) => boolean {
  const known = new Map<string, boolean>();
  return (id) => {
    let answer = known.get(id);
    if (answer === undefined) known.set(id, (answer = look(id)));
    return answer;
  };
}
