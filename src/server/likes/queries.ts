import { and, eq, sql } from "drizzle-orm";
import { addToCount } from "../blogs/queries.ts";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";

const [likes, saves] = [
  { table: blogLikes, count: "likesCount" },
  { table: blogSaves, count: "savesCount" },
] as const;
type Kind = typeof likes | typeof saves;

/** Sets a like or a save and its count. Returns whether that changed anything. */
const set =
  ({ table, count }: Kind) =>
  async (tx: Connection, blogId: string, userId: string, isSet: boolean, now: number): Promise<boolean> => {
    const changed = await changes(
      isSet
        ? tx.drizzle.insert(table).values({ blogId, userId, createdAt: now }).onConflictDoNothing()
        : tx.drizzle.delete(table).where(and(eq(table.blogId, blogId), eq(table.userId, userId))),
    );
    if (changed > 0) await addToCount(tx, count, [blogId], isSet ? 1 : -1);
    return changed > 0;
  };
export const [setBlogLike, setBlogSave] = [set(likes), set(saves)];

function find({ table }: Kind) {
  const row = preparedQuery((db) =>
    db
      .select({ at: table.createdAt })
      .from(table)
      .where(and(eq(table.blogId, sql.placeholder("blogId")), eq(table.userId, sql.placeholder("userId")))),
  );
  return async (connection: Connection, blogId: string, userId: string): Promise<boolean> =>
    (await row(connection).get({ blogId, userId })) !== undefined;
}
export const [hasLiked, hasSaved] = [find(likes), find(saves)];
