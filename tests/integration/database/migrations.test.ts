import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

test.each([
  { store: "SQLite", dialect: "sqlite", folder: "migrations", url: "" },
  { store: "PostgreSQL", dialect: "postgresql", folder: "migrations/postgres", url: "postgres://" },
])("the migrations of $store make the tables of the schema", async ({ dialect, folder, url }) => {
  const copy = await mkdtemp(path.join(tmpdir(), "reprise-migrations-"));
  try {
    await cp(path.join(root, folder), copy, { recursive: true });
    const before = await readdir(copy);
    const schema = "src/server/database/schema/index.ts";
    const { stdout } = await promisify(execFile)(
      process.execPath,
      // It takes paths from the root only.
      [
        "node_modules/drizzle-kit/bin.cjs",
        "generate",
        `--dialect=${dialect}`,
        `--schema=${schema}`,
        `--out=${path.relative(root, copy)}`,
      ],
      { cwd: root, env: { ...process.env, DATABASE_URL: url } },
    );
    expect(stdout).toContain("No schema changes");
    expect(await readdir(copy)).toEqual(before);
  } finally {
    await rm(copy, { recursive: true });
  }
});
