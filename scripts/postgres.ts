// Finds PostgreSQL's programs for the tests.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Where Debian and others install PostgreSQL, a folder for each version. */
const installed = "/usr/lib/postgresql";

/** Returns the folder of the newest version's programs, or of `POSTGRES_BIN`; undefined where there are none. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const { POSTGRES_BIN } = process.env;
  const folders = POSTGRES_BIN
    ? [POSTGRES_BIN]
    : versions.map((version) => path.join(installed, version, "bin"));
  return folders.find((folder) => existsSync(path.join(folder, "initdb")));
}
