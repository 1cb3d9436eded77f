import type { Services } from "../context.ts";
import { siteValue, setSiteValue } from "../database/meta.ts";

const key = "public_url";
type Site = Pick<Services, "config" | "database">;

/** Stores the server's address for commands, which may run without its settings. */
export async function storePublicUrl({ config: { publicUrl }, database }: Site): Promise<void> {
  if ((await siteValue(database.read, key)) !== publicUrl)
    await database.write((tx) => setSiteValue(tx, key, publicUrl));
}

/** Makes a command without a `PUBLIC_URL` of its own use the address of the server's last start. */
export async function usePublicUrl({ config, database }: Site): Promise<void> {
  if (config.isPublicUrlSet) return;
  config.publicUrl = (await siteValue(database.read, key)) ?? config.publicUrl;
  config.https = config.publicUrl.startsWith("https:");
}
