import { execute } from "../../src/server/database/connection.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { TestSite } from "./test-site.ts";

/** Inserts a failed job as a server leaves it, and returns its id. */
export async function insertFailedJob(
  testSite: TestSite,
  name: string,
  payload: object,
  error: string,
): Promise<string> {
  const id = newId();
  const now = Date.now();
  await testSite.write(async (tx) =>
    execute(
      tx,
      `insert into jobs (id, name, payload, due_at, created_at, attempts, failed_at, last_error)
         values ('${id}', '${name}', '${JSON.stringify(payload)}', ${now}, ${now}, 3, ${now}, '${error}')`,
    ),
  );
  return id;
}
