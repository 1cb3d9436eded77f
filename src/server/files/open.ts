import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../runtime/config.ts";
import { FolderStore } from "./folder-store.ts";
import type { FileStore } from "./store.ts";

type Settings = Pick<Config, "dataDir" | "s3Url">;

/** Opens the store of the settings. Only `log` gets the reason when S3 fails. */
export async function openFiles(
  { dataDir, s3Url }: Settings,
  log?: Pick<FastifyBaseLogger, "warn">,
): Promise<FileStore> {
  if (s3Url === undefined) return new FolderStore(dataDir);
  // Loaded where it is used.
  const { S3Store } = await import("./s3-store.ts");
  return new S3Store(s3Url, dataDir, log);
}

/** Throws an Error of one line that says what to do if the bucket of the settings can't be used. */
export async function checkFiles({ s3Url }: Settings): Promise<void> {
  if (s3Url === undefined) return;
  const { checkBucket } = await import("./s3-check.ts");
  await checkBucket(s3Url);
}
