import { eq, sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { aliases } from "../database/schema/blogs.ts";

const blogByPath = preparedQuery((db) =>
  db
    .select({ blogId: aliases.blogId })
    .from(aliases)
    .where(eq(aliases.path, sql.placeholder("path"))),
);

/** Returns the id of the blog that had this path on another site. */
export const aliasHolder = async (connection: Connection, path: string): Promise<string | undefined> =>
  (await blogByPath(connection).get({ path }))?.blogId;

export const countAliases = async (connection: Connection, blogId: string): Promise<number> =>
  connection.drizzle.$count(aliases, eq(aliases.blogId, blogId));

export const insertAlias = async (tx: Connection, path: string, blogId: string): Promise<void> => {
  await tx.drizzle.insert(aliases).values({ path, blogId });
};
