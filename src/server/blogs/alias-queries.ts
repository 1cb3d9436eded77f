import { eq, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { aliases } from "../database/schema/blogs.ts";

const holder = hot((db) =>
  db
    .select({ blogId: aliases.blogId })
    .from(aliases)
    .where(eq(aliases.path, sql.placeholder("path")))
    .prepare(),
);

/** The id of the blog that stood at a path elsewhere. */
export const aliasHolder = async (connection: Connection, path: string): Promise<string | undefined> =>
  (await holder(connection).get({ path }))?.blogId;

export const countAliases = async (connection: Connection, blogId: string): Promise<number> =>
  connection.drizzle.$count(aliases, eq(aliases.blogId, blogId));

export const insertAlias = async (tx: Connection, path: string, blogId: string): Promise<void> => {
  await tx.drizzle.insert(aliases).values({ path, blogId }).run();
};

/** The paths that a blog had elsewhere, in order. */
export const aliasesOf = async (connection: Connection, blogId: string): Promise<string[]> =>
  (
    await connection.drizzle
      .select({ path: aliases.path })
      .from(aliases)
      .where(eq(aliases.blogId, blogId))
      .orderBy(aliases.path)
      .all()
  ).map(({ path }) => path);
