import { readFileSync } from "node:fs";
import path from "node:path";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "../../src/server/database/schema/index.ts";

const root = path.resolve(import.meta.dirname, "../..");
const text = readFileSync(path.join(root, "docs/privacy.md"), "utf8");

test("names every table of the database in docs/privacy.md, and no others", () => {
  const tables = Object.values(schema).flatMap((part: unknown) =>
    is(part, SQLiteTable) ? getTableName(part) : [],
  );
  const documented = text
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.includes("`"))
    .flatMap((line) => [...(line.split(" | ")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
  expect(tables.length).toBeGreaterThan(30);
  expect(documented.sort()).toEqual(tables.sort());
});
