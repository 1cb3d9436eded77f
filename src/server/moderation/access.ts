import { AppError } from "../../shared/errors.ts";
import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userById, type UserRow } from "../users/queries.ts";
import { canModerate, canRunSite } from "./policy.ts";

/** The account of whoever answers reports. Asked of the store each time: a role ends at once. Throws `forbidden`. */
export async function asStaff(connection: Connection, viewer: Asker): Promise<UserRow> {
  const user = await userById(connection, viewer.id);
  if (!user || user.suspendedAt !== null || !canModerate(user))
    throw new AppError("forbidden", "This is for the site’s moderators.");
  return user;
}

/** The account of an administrator. Throws `forbidden`. */
export async function asAdmin(connection: Connection, viewer: Asker): Promise<UserRow> {
  const user = await asStaff(connection, viewer);
  if (!canRunSite(user)) throw new AppError("forbidden", "This is for the site’s administrators.");
  return user;
}
