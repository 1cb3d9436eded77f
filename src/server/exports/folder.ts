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

const exportsFolder = "exports";

/** Returns the key of an account's folder, which contains at most one file. */
export const exportFolderKey = (userId: string): string => `${exportsFolder}/${userId}`;

/** Returns the key of an account's export. */
export const exportKey = (userId: string, { id }: Pick<ExportRecord, "id">): string =>
  `${exportFolderKey(userId)}/${id}.zip`;

/** Deletes an account's export, first the file, then its record. */
export async function deleteExport(
  services: Pick<Services, "files" | "database">,
  userId: string,
): Promise<void> {
  await services.files.remove(exportFolderKey(userId));
  await services.database.write((tx) => deleteSiteValue(tx, keyOf(userId)));
}

/** Deletes expired exports and those of deleted accounts. */
export async function deleteExpiredExports(
  services: Pick<Services, "files" | "database">,
  now: number,
): Promise<void> {
  for await (const folders of services.files.entries(exportsFolder, 1))
    for (const { key } of folders) {
      const userId = key.slice(exportsFolder.length + 1);
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
