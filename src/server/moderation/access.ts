import { AppError } from "../../shared/errors.ts";
import { blogFactsById, type BlogFacts } from "../blogs/queries.ts";
import type { RequestViewer } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userById, type UserRow } from "../profiles/queries.ts";
import { canActAgainst, canFind, canKeepNotes, canModerate, canRunSite } from "./policy.ts";

/** Returns a moderator's or administrator's account, read each time so that a lost role ends at once. Throws `forbidden`. */
export async function requireStaff(connection: Connection, viewer: RequestViewer): Promise<UserRow> {
  const user = await userById(connection, viewer.id);
  if (!user || user.suspendedAt !== null || !canModerate(user))
    throw new AppError("forbidden", "Only moderators can do this.");
  return user;
}

/** Returns an administrator's account. Throws `forbidden`. */
export async function requireAdmin(connection: Connection, viewer: RequestViewer): Promise<UserRow> {
  const user = await requireStaff(connection, viewer);
  if (!canRunSite(user)) throw new AppError("forbidden", "Only administrators can do this.");
  return user;
}

export const notFound = () => new AppError("not_found", "That no longer exists.");

/** Returns an account that `actor` can act against. Throws `not_found` or `forbidden`. */
export async function requireActionTarget(
  connection: Connection,
  actor: UserRow,
  userId: string,
): Promise<UserRow> {
  const user = await userById(connection, userId);
  if (!user) throw notFound();
  if (!canActAgainst(actor, user))
    throw new AppError(
      "forbidden",
      "This belongs to an administrator or another moderator. Please ask an administrator.",
    );
  return user;
}

/** Returns an account whose notes `actor` can read and write. Throws `not_found` or `forbidden`. */
export async function requireNoteSubject(
  connection: Connection,
  actor: UserRow,
  userId: string,
): Promise<UserRow> {
  const user = await userById(connection, userId);
  if (!user) throw notFound();
  if (!canKeepNotes(actor, user))
    throw new AppError("forbidden", "Only administrators see notes about you and other staff.");
  return user;
}

/** Returns a blog that moderators can see: public (even of a limited account) or taken down. */
export async function staffBlog(connection: Connection, id: string): Promise<BlogFacts> {
  const blog = await blogFactsById(connection, id, null);
  if (!blog || !canFind(blog)) throw notFound();
  return blog;
}
