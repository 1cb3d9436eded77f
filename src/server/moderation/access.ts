import { AppError } from "../../shared/errors.ts";
import { blogFactsById, type BlogFacts } from "../blogs/queries.ts";
import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userById, type UserRow } from "../users/queries.ts";
import type { operator } from "./log.ts";
import { canActAgainst, canFind, canKeepNotes, canModerate, canRunSite } from "./policy.ts";

/** The account of whoever answers reports. Asked of the store each time: a role ends at once. Throws `forbidden`. */
export async function asStaff(connection: Connection, viewer: Asker): Promise<UserRow> {
  const user = await userById(connection, viewer.id);
  if (!user || user.suspendedAt !== null || !canModerate(user))
    throw new AppError("forbidden", "Only moderators can do this.");
  return user;
}

/** The account of an administrator. Throws `forbidden`. */
export async function asAdmin(connection: Connection, viewer: Asker): Promise<UserRow> {
  const user = await asStaff(connection, viewer);
  if (!canRunSite(user)) throw new AppError("forbidden", "Only administrators can do this.");
  return user;
}

export const gone = () => new AppError("not_found", "That no longer exists.");

/** The account, where the moderator may act against it. */
export async function against(
  connection: Connection,
  actor: UserRow | typeof operator,
  userId: string,
): Promise<UserRow> {
  const user = await userById(connection, userId);
  if (!user) throw gone();
  if (!("isOperator" in actor) && !canActAgainst(actor, user))
    throw new AppError(
      "forbidden",
      "This belongs to an administrator or another moderator. Please ask an administrator.",
    );
  return user;
}

/** The account, where the moderator may read and write notes about it. */
export async function aboutThem(connection: Connection, actor: UserRow, userId: string): Promise<UserRow> {
  const user = await userById(connection, userId);
  if (!user) throw gone();
  if (!canKeepNotes(actor, user))
    throw new AppError("forbidden", "Only administrators see notes about you and other staff.");
  return user;
}

/** A blog that is for moderators: public, whoever they left to their followers wrote it, or taken back. Nobody's drafts are theirs to look at. */
export async function staffBlog(connection: Connection, id: string): Promise<BlogFacts> {
  const blog = await blogFactsById(connection, id, null);
  if (!blog || !canFind(blog)) throw gone();
  return blog;
}
