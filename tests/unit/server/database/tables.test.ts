import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// Lint sees what a file imports, not what it does with it: a table is read wherever it is joined, and written by its room.

const server = fileURLToPath(new URL("../../../../src/server", import.meta.url));
const textOf = (file: string) => readFileSync(path.join(server, file), "utf8");

/** Schema files whose tables another room writes. */
const roomOfSchemaFile: Record<string, string> = {
  meta: "database",
  counts: "profiles",
};
/**
 * Tables of other rooms that `database` writes: events together with their change, the text that is searched, and tables
 * derived from a column, where the two have come apart.
 */
const writesOfDatabase = [
  "database/writer.ts liveEvents",
  "database/sqlite/index-text.ts blogs",
  "database/check-and-repair.ts blog_tags",
  "database/check-and-repair.ts blog_authors",
];

/** The room of each table, by its name in SQL and by its name in code. */
const byTable = new Map<string, string>();
const byName = new Map<string, string>();
for (const file of globSync("database/schema/*.ts", { cwd: server })) {
  const room = path.basename(file, ".ts");
  for (const [, name = "", table = ""] of textOf(file).matchAll(
    /export const (\w+) = defineTable\(\s*"(\w+)"/g,
  )) {
    byTable.set(table, roomOfSchemaFile[room] ?? room);
    byName.set(name, roomOfSchemaFile[room] ?? room);
  }
}

const builderWrites = /\.(?:insert|update|delete)\(\s*(\w+)\s*\)\s*\.(?:values|set|where|run|returning)\(/g;
const sqlWrites = /\b(?:insert (?:or \w+ )?into|replace into|update|delete from) (\w+)\b/g;

/** Returns the tables of other rooms that a file writes. */
function foreignWrites(file: string): string[] {
  const [ownRoom] = file.split("/");
  const text = textOf(file);
  const schemas = [...text.matchAll(/"\.\.\/database\/schema\/([\w-]+)\.ts"/g)]
    .map(([, room = ""]) => room)
    .filter((room) => room !== "columns");
  // A table that is an argument is one of those that the file knows.
  const usesOwnSchemasOnly = schemas.every((room) => room === ownRoom);
  const ofCode = [...text.matchAll(builderWrites)]
    .map(([, name = ""]) => name)
    .filter((name) => (byName.has(name) ? byName.get(name) !== ownRoom : !usesOwnSchemasOnly))
    .filter((name) => !writesOfDatabase.includes(`${file} ${name}`));
  const ofSql = [...text.matchAll(sqlWrites)]
    .map(([, table = ""]) => table)
    .filter((table) => byTable.has(table) && byTable.get(table) !== ownRoom)
    .filter((table) => !writesOfDatabase.includes(`${file} ${table}`));
  return [...ofCode, ...ofSql].map((name) => `${file} writes ${name}`);
}

test("writes each table in its own room only", () => {
  expect(byTable.size).toBeGreaterThan(15);
  const files = globSync("**/*.ts", { cwd: server }).filter((file) => !file.startsWith("database/schema/"));
  expect(files.flatMap(foreignWrites)).toEqual([]);
});
