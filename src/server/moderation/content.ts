import type { z } from "zod";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type {
  OfBlog,
  StaffBlogList,
  StaffBlogs,
  StaffCommentList,
  StaffComments,
} from "../../shared/staff-content.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { blogText } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userByUsername } from "../profiles/queries.ts";
import { requireStaff, staffBlog } from "./access.ts";
import * as queries from "./content-queries.ts";
import { presentStaffBlog, presentStaffComment } from "./present.ts";

const { page: pageSize } = staffLimits.reports;

/** Returns public and taken-down blogs, of everyone or of one person, newest first. */
export async function staffBlogs(
  ctx: MemberContext,
  { by, page, state }: z.output<typeof StaffBlogList>,
): Promise<StaffBlogs> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  const rows = await pageOf(read, by, page, (at) =>
    queries.listBlogs(read, { ...at, state, viewerId: me.id }),
  );
  return {
    blogs: rows.slice(0, pageSize).map((row) => presentStaffBlog(row, me)),
    page,
    hasMore: rows.length > pageSize,
  };
}

/** Returns comments below public blogs, of everyone or of one person, newest first. */
export async function staffComments(
  ctx: MemberContext,
  { by, page }: z.output<typeof StaffCommentList>,
): Promise<StaffComments> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  const rows = await pageOf(read, by, page, (at) => queries.listComments(read, { ...at, viewerId: me.id }));
  return {
    comments: rows.slice(0, pageSize).map((row) => presentStaffComment(row, me)),
    page,
    hasMore: rows.length > pageSize,
  };
}

/** Returns the rows of a page, and one more if there are more. */
async function pageOf<Row>(
  connection: Connection,
  by: string,
  page: number,
  list: (at: { authorId: string | null; limit: number; offset: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const author = by === "" ? null : await userByUsername(connection, by.replace(/^@/, ""));
  if (author === undefined || isBeyondLastPage(page, pageSize)) return [];
  return list({ authorId: author?.id ?? null, limit: pageSize + 1, offset: (page - 1) * pageSize });
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
