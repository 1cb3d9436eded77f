import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");
const rows = textOf("docs/specification.md")
  .split("\n")
  .filter((line) => /^\| \d+\.\d+ \|/.test(line))
  .map((line) => {
    const [nr = "", , tests = ""] = line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, ""));
    return { nr, tests };
  });

/** Returns the files that a cell names, each with the text after it. */
const filesNamed = (cell: string): { file: string; behind: string }[] =>
  [...cell.matchAll(/`((?:src|tests|scripts|docs)\/[^`]+)`([^`]*)/g)].map(([, file = "", rest = ""]) => ({
    file,
    behind: rest,
  }));

test("every test file named in docs/specification.md exists", () => {
  expect(rows.length).toBeGreaterThan(200);
  const missing = rows.flatMap(({ nr, tests }) =>
    filesNamed(tests)
      .filter(({ file }) => !existsSync(path.join(root, file)))
      .map(({ file }) => `${nr}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test("every test title and access matrix row named there is in its file", () => {
  const missing = rows.flatMap(({ nr, tests }) =>
    filesNamed(tests).flatMap(({ file, behind: rest }) => {
      const text = existsSync(path.join(root, file)) ? textOf(file) : "";
      const names = [...rest.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
      const [, ofMatrix = ""] = /access-matrix/.test(file) ? (/^ rows? ([^;(]*)/.exec(rest) ?? []) : [];
      return [...names, ...ofMatrix.split(",").flatMap((row) => row.trim() || [])]
        .filter((name) => !text.includes(name))
        .map((name) => `${nr}: ${file} "${name}"`);
    }),
  );
  expect(missing).toEqual([]);
});

const records = globSync("docs/decisions/*.md", { cwd: root }).map((file) => path.basename(file));

test("every decision that documents refer to is the record with that number", () => {
  const problems = globSync("{*.md,docs/*.md,docs/decisions/*.md}", { cwd: root }).flatMap((file) => {
    const text = textOf(file);
    const links = [
      ...text.matchAll(/\[(?:(?:decision|record)\s+(\d+))?[^\]]*\]\([\w/.]*?(\d{4}-[\w-]+\.md)\)/g),
    ].filter(
      ([, nr, name = ""]) =>
        !records.includes(name) || (nr !== undefined && Number(nr) !== Number(name.slice(0, 4))),
    );
    const numbers = [...text.matchAll(/\b(?:decision|record)s? (\d+)(?: and (\d+))?/g)].filter(
      ([, ...named]) =>
        !named
          .filter(Boolean)
          .every((nr) => records.some((name) => name.startsWith(`${nr.padStart(4, "0")}-`))),
    );
    return [...links, ...numbers].map(([reference]) => `${file}: ${reference}`);
  });
  expect(problems).toEqual([]);
});

test("every decision record and statement that code refers to exists", () => {
  const numbers = new Set(rows.map(({ nr }) => nr));
  const problems = globSync("{src,tests,scripts}/**/*.{ts,tsx,mjs,css}", { cwd: root }).flatMap((file) => {
    const text = textOf(file);
    const missingDecisions = [...text.matchAll(/docs\/decisions\/(\d[\w-]*(?:\.md)?)/g)].filter(
      ([, name = ""]) => !records.includes(name),
    );
    const unknownSections = [
      ...text.matchAll(/docs\/specification\.md, (\d+(?:\.\d+)?)(?: to (\d+\.\d+))?/g),
    ].filter(
      ([, from = "", to = from]) =>
        ![from, to].every((nr) => numbers.has(nr) || (!nr.includes(".") && numbers.has(`${nr}.1`))),
    );
    const unprefixed = [...text.matchAll(/\((?:design|decisions|rest contract|specification), /g)];
    return [...missingDecisions, ...unknownSections, ...unprefixed].map(
      ([reference]) => `${file}: ${reference}`,
    );
  });
  expect(problems).toEqual([]);
});
