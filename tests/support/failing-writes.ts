import { execute } from "../../src/server/database/connection.ts";
import type { Database } from "../../src/server/database/connection.ts";
import { isPostgres } from "../../src/server/database/schema/store.ts";

/**
 * Makes writes of a kind fail, such as `insert on media` or `update of document on blogs`. Returns the function that ends this.
 */
export async function failWrites(
  { write }: Pick<Database, "write">,
  kind: string,
  message = "no",
): Promise<() => Promise<void>> {
  const run = (...statements: string[]) =>
    write(async (tx) => {
      for (const statement of statements) await execute(tx, statement);
    });
  const text = `'${message.replaceAll("'", "''")}'`;
  if (isPostgres) {
    await run(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception using message = ${text}; end $$`,
      `create trigger failing after ${kind} for each row execute function fail()`,
    );
    return () => run("drop function fail cascade");
  }
  await run(`create trigger failing after ${kind} begin select raise(abort, ${text}); end`);
  return () => run("drop trigger failing");
}
