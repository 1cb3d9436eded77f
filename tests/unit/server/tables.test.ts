import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// Lint sees what a file imports and not what it does with it: a table is read wherever it is joined, and written at home.

const server = fileURLToPath(new URL("../../../src/server", import.meta.url));
const textOf = (file: string) => readFileSync(path.join(server, file), "utf8");

/** Single values of the site are kept by the store itself; how people sign in, by their area; what a blog said and will say, by its own. */
const homes: Record<string, string> = {
  site: "database",
  access: "users",
  texts: "users",
  counts: "users",
  writing: "blogs",
  revisions: "blogs",
};
/**
 * What the store writes of others' tables: facts together with the change they tell of, the words that a search looks through,
 * and what it keeps beside a column by itself where the two have come apart.
 */
const byTheStore = [
  "database/writer.ts live_events",
  "database/index-text.ts blogs",
  "database/examine.ts blog_tags",
  "database/examine.ts blog_authors",
];

/** The home of each table, by the name that SQL has for it and by the one that code has. */
const byTable = new Map<string, string>();
const byName = new Map<string, string>();
for (const file of globSync("database/schema/*.ts", { cwd: server })) {
  const area = path.basename(file, ".ts");
  for (const [, name = "", table = ""] of textOf(file).matchAll(
    /export const (\w+) = sqliteTable\(\s*"(\w+)"/g,
  )) {
    byTable.set(table, homes[area] ?? area);
    byName.set(name, homes[area] ?? area);
  }
}

const built = /\.(?:insert|update|delete)\(\s*(\w+)\s*\)\s*\.(?:values|set|where|run|returning)\(/g;
const spelled = /\b(?:insert (?:or \w+ )?into|replace into|update|delete from) (\w+)\b/g;

/** The tables that a file writes which are not of its folder. */
function foreignWrites(file: string): string[] {
  const [home] = file.split("/");
  const text = textOf(file);
  const schemas = [...text.matchAll(/"\.\.\/database\/schema\/(\w+)\.ts"/g)].map(([, area = ""]) => area);
  // Where the table is an argument it is one of those that the file knows.
  const known = schemas.every((area) => area === home);
  const ofCode = [...text.matchAll(built)]
    .map(([, name = ""]) => name)
    .filter((name) => (byName.has(name) ? byName.get(name) !== home : !known));
  const ofSql = [...text.matchAll(spelled)]
    .map(([, table = ""]) => table)
    .filter((table) => byTable.has(table) && byTable.get(table) !== home)
    .filter((table) => !byTheStore.includes(`${file} ${table}`));
  return [...ofCode, ...ofSql].map((name) => `${file} writes ${name}`);
}

test("a table is written by the area whose it is, and by no other", () => {
  expect(byTable.size).toBeGreaterThan(15);
  const files = globSync("**/*.ts", { cwd: server }).filter((file) => !file.startsWith("database/schema/"));
  expect(files.flatMap(foreignWrites)).toEqual([]);
});
