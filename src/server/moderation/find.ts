import type { z } from "zod";
import type {
  FindBlogs,
  FindComments,
  OfBlog,
  StaffBlogs,
  StaffComments,
} from "../../shared/staff-search.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { blogText } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { StaffSearchResult, StaffSearch } from "../database/staff-search.ts";
import { searchWords } from "../search/words.ts";
import type { UserRow } from "../profiles/queries.ts";
import { requireStaff, staffBlog } from "./access.ts";
import * as queries from "./find-queries.ts";
import { presentStaffBlog, presentStaffComment } from "./present.ts";

const { page: pageSize } = staffLimits.reports;

/** How often the reader thread is asked to fill a page; visitors' searches run in between. */
const maxRounds = 10;

/** Returns public and taken-down blogs, newest first. */
export async function findBlogs(ctx: MemberContext, input: z.output<typeof FindBlogs>): Promise<StaffBlogs> {
  const { me, found } = await runSearch(ctx, { kind: "blogs", ...input });
  const rows = await queries.staffBlogs(ctx.database.read, found.numbers, me.id);
  return {
    blogs: inSearchOrder(found, rows).map((row) => presentStaffBlog(row, me)),
    after: found.after,
  };
}

export async function findComments(
  ctx: MemberContext,
  input: z.output<typeof FindComments>,
): Promise<StaffComments> {
  const { me, found } = await runSearch(ctx, { kind: "comments", state: "all", ...input });
  const rows = await queries.staffComments(ctx.database.read, found.numbers, me.id);
  return {
    comments: inSearchOrder(found, rows).map((row) => presentStaffComment(row, me)),
    after: found.after,
  };
}

/** Returns a blog's text for moderators from whom its page is hidden. */
export async function readBlog(
  ctx: MemberContext,
  { blogId }: z.output<typeof OfBlog>,
): Promise<{ title: string; text: string }> {
  const { read } = ctx.database;
  await requireStaff(read, ctx.viewer);
  const { title } = await staffBlog(read, blogId);
  return { title, text: await blogText(read, blogId) };
}

type StaffQuery = Pick<StaffSearch, "kind" | "state" | "after"> & { query: string; by: string };

async function runSearch(
  ctx: MemberContext,
  input: StaffQuery,
): Promise<{ me: UserRow; found: StaffSearchResult }> {
  const me = await requireStaff(ctx.database.read, ctx.viewer);
  return { me, found: await searchStaff(ctx, ctx.address, input) };
}

/** Searches for a page on the reader thread. The caller has checked permission. */
async function searchStaff(
  { database, readers }: Pick<MemberContext, "database" | "readers">,
  address: string,
  { kind, state, after, query, by }: StaffQuery,
): Promise<StaffSearchResult> {
  const username = /^@(\S+)$/.exec(by)?.[1]?.toLowerCase() ?? null;
  const search = {
    file: database.file,
    kind,
    state,
    words: query === "" ? null : searchWords(query),
    by: by === "" ? null : { words: searchWords(by), username },
  };
  const numbers: number[] = [];
  let position: string | null = after;
  for (let round = 0; round < maxRounds && numbers.length < pageSize && position !== null; round++) {
    const limit = pageSize - numbers.length;
    const found: StaffSearchResult = await readers.run(
      "staffSearch",
      { ...search, after: position, limit },
      address,
    );
    numbers.push(...found.numbers);
    position = found.after;
  }
  return { numbers, after: position };
}

/** Returns the rows in the order of the search. */
function inSearchOrder<Row extends { seq: number }>({ numbers }: StaffSearchResult, rows: Row[]): Row[] {
  const rowsBySeq = new Map(rows.map((row) => [row.seq, row]));
  return numbers.flatMap((number) => rowsBySeq.get(number) ?? []);
}
