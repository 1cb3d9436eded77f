import type { Config } from "../../runtime/config.ts";
import { openPostgresSource } from "./postgres-end.ts";
import { moveStore } from "./move.ts";
import { openSqliteTarget } from "./sqlite-end.ts";

/**
 * Copies a site from PostgreSQL into a new file of SQLite: as a snapshot while its servers run (for a backup), or without any. `migrations`
 * is their folder.
 */
export async function copyPostgres(
  config: Pick<Config, "databaseUrl" | "backupDir">,
  { file, migrations, runsOn, ...options }: CopyOptions,
): Promise<Awaited<ReturnType<typeof moveStore>>> {
  const target = await openSqliteTarget(file, migrations, config.backupDir);
  try {
    const source = await openPostgresSource(config.databaseUrl ?? "", target.tables, migrations, { runsOn });
    try {
      return await moveStore(source, target, options);
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}

interface CopyOptions {
  file: string;
  migrations: string;
  runsOn: boolean;
  onProgress: (done: number, of: number, what: string) => void;
  signal: AbortSignal;
}
