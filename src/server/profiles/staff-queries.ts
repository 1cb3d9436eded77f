import { sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { pendingComments } from "../database/schema/comments.ts";
import { users } from "../database/schema/profiles.ts";

const staff = preparedQuery((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(sql`(is_admin = 1 or is_moderator = 1)`)
    .prepare(),
);
/** Returns who handles reports and sign-ups. */
export const staffIds = async (connection: Connection): Promise<string[]> =>
  (await staff(connection).all()).map(({ id }) => id);

const anyPendingForLink = preparedQuery((db) =>
  db
    .select({ id: pendingComments.id })
    .from(pendingComments)
    .where(sql`${pendingComments}.for_link = 1`)
    .limit(1)
    .prepare(),
);
/** Returns whether any comment is pending for a first link. */
export const hasPendingForLink = async (connection: Connection): Promise<boolean> =>
  (await anyPendingForLink(connection).get()) !== undefined;
