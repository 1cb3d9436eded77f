import { createHmac } from "node:crypto";
import type { Connection } from "./connection.ts";
import { siteValue } from "./meta.ts";

/** Made with the store (migrate.ts). */
export const siteSecretKey = "site_secret";

/** A secret of the site's own for one purpose, the same for as long as there is the store, which it never leaves. */
export async function siteSecret(connection: Connection, purpose: string): Promise<string> {
  const secret = await siteValue(connection, siteSecretKey);
  if (secret === undefined) throw new Error("The store has no secret of its own.");
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}
