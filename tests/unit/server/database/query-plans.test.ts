import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { withStablePlan } from "../../../../src/server/database/drizzle-client.ts";
import { openSqlite } from "../../../../src/server/database/sqlite.ts";

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
  sqlite.close();
  await rm(folder, { recursive: true });
});
