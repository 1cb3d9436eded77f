import type { z } from "zod";
import type { FindBlogs, FindComments, OfBlog, StaffBlogs, StaffComments } from "../../shared/finding.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { blogText } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { StaffFound, StaffSearch } from "../database/find-for-staff.ts";
import { searchWords } from "../search/words.ts";
import type { UserRow } from "../users/queries.ts";
import { asStaff, staffBlog } from "./access.ts";
import * as queries from "./find-queries.ts";
import { presentStaffBlog, presentStaffComment } from "./present.ts";

const { page: size } = staffLimits.reports;

/** How often the thread is asked to go on while the page is not full: visitors' searches have their turns in between. */
const turns = 10;

/** Blogs that anybody may read, or that were taken back, the newest first, whether or not anybody reported them. */
export async function findBlogs(ctx: MemberContext, input: z.output<typeof FindBlogs>): Promise<StaffBlogs> {
  const { me, found } = await ask(ctx, { kind: "blogs", ...input });
  const rows = await queries.staffBlogs(ctx.database.read, found.numbers, me.id);
  return {
    blogs: inOrder(found, rows).map((row) => presentStaffBlog(row, me)),
    after: found.after,
  };
}

/** The newest comments of the whole site below blogs that anybody may read. */
export async function findComments(
  ctx: MemberContext,
  input: z.output<typeof FindComments>,
): Promise<StaffComments> {
  const { me, found } = await ask(ctx, { kind: "comments", state: "all", ...input });
  const rows = await queries.staffComments(ctx.database.read, found.numbers, me.id);
  return {
    comments: inOrder(found, rows).map((row) => presentStaffComment(row, me)),
    after: found.after,
  };
}

/** The text of a blog, for moderators from whom its page is hidden. */
export async function readBlog(
  ctx: MemberContext,
  { blogId }: z.output<typeof OfBlog>,
): Promise<{ title: string; text: string }> {
  const { read } = ctx.database;
  await asStaff(read, ctx.viewer);
  const { title } = await staffBlog(read, blogId);
  return { title, text: await blogText(read, blogId) };
}

type Asked = Pick<StaffSearch, "kind" | "state" | "after"> & { query: string; by: string };

async function ask(ctx: MemberContext, asked: Asked): Promise<{ me: UserRow; found: StaffFound }> {
  const me = await asStaff(ctx.database.read, ctx.viewer);
  return { me, found: await seek(ctx, ctx.address, asked) };
}

/** Asks the thread that reads the store for a page, for whoever may look. */
export async function seek(
  { database, readers }: Pick<MemberContext, "database" | "readers">,
  address: string,
  { kind, state, after, query, by }: Asked,
): Promise<StaffFound> {
  const username = /^@(\S+)$/.exec(by)?.[1]?.toLowerCase() ?? null;
  const asked = {
    file: database.file,
    kind,
    state,
    words: query === "" ? null : searchWords(query),
    by: by === "" ? null : { words: searchWords(by), username },
  };
  const numbers: number[] = [];
  let place: string | null = after;
  for (let turn = 0; turn < turns && numbers.length < size && place !== null; turn++) {
    const limit = size - numbers.length;
    const found: StaffFound = await readers.run("staffSearch", { ...asked, after: place, limit }, address);
    numbers.push(...found.numbers);
    place = found.after;
  }
  return { numbers, after: place };
}

/** Rows as they were found. */
export function inOrder<Row extends { number: number }>({ numbers }: StaffFound, rows: Row[]): Row[] {
  const known = new Map(rows.map((row) => [row.number, row]));
  return numbers.flatMap((number) => known.get(number) ?? []);
}
