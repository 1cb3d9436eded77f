import { newId } from "../../src/server/ids.ts";
import type { Town } from "./town.ts";

/** A job that was given up, as a server leaves it. */
export async function failedJob(town: Town, name: string, payload: object, error: string): Promise<string> {
  const id = newId();
  const now = Date.now();
  await town.write(
    async (tx) =>
      void (await tx.drizzle.run(
        `insert into jobs (id, name, payload, due_at, created_at, attempts, failed_at, last_error)
         values ('${id}', '${name}', '${JSON.stringify(payload)}', ${now}, ${now}, 3, ${now}, '${error}')`,
      )),
  );
  return id;
}
