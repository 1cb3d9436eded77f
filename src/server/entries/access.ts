import { AppError } from "../../shared/errors.ts";
import { blogToInteract, readableBlog, writableBlog } from "../blogs/access.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { RequestViewer } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { entryById, type EntryRow } from "./queries.ts";

export interface KnownEntry {
  entry: EntryRow;
  blog: BlogFacts;
}

export const entryNotFound = () => new AppError("not_found", "This entry no longer exists.");

/** Returns an entry that the viewer can read. Throws `not_found` otherwise, and for a withdrawn one. */
export async function readableEntry(
  connection: Connection,
  viewer: RequestViewer | null,
  id: string,
): Promise<KnownEntry> {
  const entry = await entryById(connection, id, viewer?.id ?? null);
  if (!entry || entry.withdrawnAt !== null) throw entryNotFound();
  return { entry, blog: await blogOf(readableBlog(connection, viewer, { id: entry.blogId })) };
}

/**
 * Returns an entry that the viewer can like. Throws `forbidden` for an entry of a draft, `not_found` if they cannot read it, and for
 * a withdrawn one.
 */
export async function entryToInteract(
  connection: Connection,
  viewer: RequestViewer,
  id: string,
): Promise<KnownEntry> {
  const entry = await entryById(connection, id, viewer.id);
  if (!entry || entry.withdrawnAt !== null) throw entryNotFound();
  return { entry, blog: await blogOf(blogToInteract(connection, viewer, { id: entry.blogId })) };
}

/**
 * Returns an entry, also a withdrawn one, that the viewer can change: its author, while they write the blog, or the blog's owner.
 * Throws `forbidden` to others who can read it, `not_found` to everybody else.
 */
export async function changeableEntry(
  connection: Connection,
  viewer: RequestViewer,
  id: string,
): Promise<KnownEntry> {
  const entry = await entryById(connection, id, viewer.id);
  if (!entry) throw entryNotFound();
  const blog = await blogOf(writableBlog(connection, viewer, { id: entry.blogId }));
  if (entry.authorId !== viewer.id && blog.authorId !== viewer.id)
    throw new AppError("forbidden", "Only its author and the owner of the blog can change an entry.");
  return { entry, blog };
}

/** Says of a blog that cannot be read that the entry does not exist. */
const blogOf = (blog: Promise<BlogFacts>): Promise<BlogFacts> =>
  blog.catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? entryNotFound() : error;
  });
