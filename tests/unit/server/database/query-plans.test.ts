import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openDrizzle, withStablePlan } from "../../../../src/server/database/sqlite/drizzle.ts";
import { valueStatement } from "../../../../src/server/database/sqlite/statements.ts";
import { openSqlite } from "../../../../src/server/database/sqlite/open.ts";

test("prepares a statement so that its plan does not depend on the values", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-"));
  const sqlite = openSqlite(path.join(folder, "store.db"), false);
  const statement = sqlite.prepare(
    withStablePlan(`select 'what?' as "word?", ? as value, typeof(?) as type`),
  );
  // A plan depends on bare parameters only.
  expect(statement.source).toBe(`select 'what?' as "word?", +? as value, typeof(+?) as type`);
  expect(statement.get("1", "1")).toEqual({ "word?": "what?", value: "1", type: "text" });
  expect(statement.get(null, 2)).toEqual({ "word?": "what?", value: null, type: "real" });
  // Drizzle's statements and our own go through it.
  const { $client } = openDrizzle(sqlite) as unknown as { $client: typeof sqlite };
  expect($client.prepare("select ?").source).toBe("select +?");
  expect(valueStatement(sqlite, "select ?").source).toBe("select +?");
  sqlite.close();
  await rm(folder, { recursive: true });
});
