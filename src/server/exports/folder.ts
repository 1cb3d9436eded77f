import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { exportLimits } from "../../shared/exports.ts";
import type { Parts } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { deleteSiteValue, setSiteValue, siteValue } from "../database/meta.ts";
import { userById } from "../users/queries.ts";

/** What is written down of an account's newest export. */
export interface Noted {
  id: string;
  state: "making" | "ready" | "failed";
  askedAt: number;
  madeAt?: number;
  bytes?: number;
  problem?: string;
}

const keyOf = (userId: string) => `export:${userId}`;

export async function notedExport(connection: Connection, userId: string): Promise<Noted | undefined> {
  const value = await siteValue(connection, keyOf(userId));
  return value === undefined ? undefined : (JSON.parse(value) as Noted);
}

export const noteExport = (tx: Connection, userId: string, noted: Noted): Promise<void> =>
  setSiteValue(tx, keyOf(userId), JSON.stringify(noted));

/** Exports by the accounts whose they are. */
const exportsIn = ({ config }: Pick<Parts, "config">): string => path.join(config.dataDir, "exports");

/** The folder of one account's: there is one file in it, or none. */
export const folderOfExport = (parts: Pick<Parts, "config">, userId: string): string =>
  path.join(exportsIn(parts), userId);

export const nameOfExport = ({ id }: Pick<Noted, "id">): string => `${id}.zip`;

/** Takes an account's export away, the file before the note that tells of it. */
export async function dropExport(parts: Pick<Parts, "config" | "database">, userId: string): Promise<void> {
  await rm(folderOfExport(parts, userId), { recursive: true, force: true });
  await parts.database.write((tx) => deleteSiteValue(tx, keyOf(userId)));
}

/** Takes away what is older than it is kept, and what is of accounts that are gone. */
export async function forgetExports(parts: Pick<Parts, "config" | "database">, now: number): Promise<void> {
  for (const userId of await readdir(exportsIn(parts)).catch(() => [])) {
    const noted = await notedExport(parts.database.read, userId);
    const isThere = noted && (await userById(parts.database.read, userId));
    if (isThere && (noted.state === "making" || (noted.madeAt ?? noted.askedAt) + exportLimits.keptFor > now))
      continue;
    await dropExport(parts, userId);
  }
}
