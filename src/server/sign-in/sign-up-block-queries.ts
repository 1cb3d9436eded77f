import { and, asc, eq, inArray } from "drizzle-orm";
import { type Connection, first, changes } from "../database/connection.ts";
import { signupBlocks } from "../database/schema/sign-in.ts";

export type SignupBlock = typeof signupBlocks.$inferSelect;

export const findBlockedDomain = async (connection: Connection, domains: string[]) =>
  first(
    connection.drizzle
      .select({ value: signupBlocks.value })
      .from(signupBlocks)
      .where(and(eq(signupBlocks.kind, "domain"), inArray(signupBlocks.value, domains))),
  );

export const listBlockedNetworks = async (connection: Connection): Promise<string[]> =>
  (
    await connection.drizzle
      .select({ value: signupBlocks.value })
      .from(signupBlocks)
      .where(eq(signupBlocks.kind, "network"))
  ).map(({ value }) => value);

export const listSignupBlocks = async (connection: Connection, limit: number): Promise<SignupBlock[]> =>
  connection.drizzle
    .select()
    .from(signupBlocks)
    .orderBy(asc(signupBlocks.kind), asc(signupBlocks.value))
    .limit(limit);

/** Inserts a block. Returns false if it existed. */
export const insertSignupBlock = async (tx: Connection, row: SignupBlock): Promise<boolean> =>
  (await changes(tx.drizzle.insert(signupBlocks).values(row).onConflictDoNothing())) > 0;

export const deleteSignupBlock = async (
  tx: Connection,
  { kind, value }: Pick<SignupBlock, "kind" | "value">,
): Promise<boolean> =>
  (await changes(
    tx.drizzle.delete(signupBlocks).where(and(eq(signupBlocks.kind, kind), eq(signupBlocks.value, value))),
  )) > 0;
