import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { exportLimits } from "../../shared/exports.ts";
import type { Services } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { deleteSiteValue, setSiteValue, siteValue } from "../database/meta.ts";
import { userById } from "../profiles/queries.ts";

/** The record of an account's newest export. */
export interface ExportRecord {
  id: string;
  state: "making" | "ready" | "failed";
  askedAt: number;
  madeAt?: number;
  bytes?: number;
  problem?: string;
}

const keyOf = (userId: string) => `export:${userId}`;

export async function exportRecord(
  connection: Connection,
  userId: string,
): Promise<ExportRecord | undefined> {
  const value = await siteValue(connection, keyOf(userId));
  return value === undefined ? undefined : (JSON.parse(value) as ExportRecord);
}

export const saveExportRecord = (tx: Connection, userId: string, record: ExportRecord): Promise<void> =>
  setSiteValue(tx, keyOf(userId), JSON.stringify(record));

/** Contains a subfolder per account. */
const exportsIn = ({ config }: Pick<Services, "config">): string => path.join(config.dataDir, "exports");

/** Returns an account's folder, which contains at most one file. */
export const folderOfExport = (services: Pick<Services, "config">, userId: string): string =>
  path.join(exportsIn(services), userId);

export const nameOfExport = ({ id }: Pick<ExportRecord, "id">): string => `${id}.zip`;

/** Deletes an account's export, first the file, then its record. */
export async function deleteExport(
  services: Pick<Services, "config" | "database">,
  userId: string,
): Promise<void> {
  await rm(folderOfExport(services, userId), { recursive: true, force: true });
  await services.database.write((tx) => deleteSiteValue(tx, keyOf(userId)));
}

/** Deletes expired exports and those of deleted accounts. */
export async function deleteExpiredExports(
  services: Pick<Services, "config" | "database">,
  now: number,
): Promise<void> {
  for (const userId of await readdir(exportsIn(services)).catch(() => [])) {
    const record = await exportRecord(services.database.read, userId);
    const owner = record && (await userById(services.database.read, userId));
    if (
      owner &&
      (record.state === "making" || (record.madeAt ?? record.askedAt) + exportLimits.keptFor > now)
    )
      continue;
    await deleteExport(services, userId);
  }
}
