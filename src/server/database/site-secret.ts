import { eq } from "drizzle-orm";
import { createHmac } from "node:crypto";
import { hot, type Connection } from "./connection.ts";
import { meta } from "./schema/site.ts";

/** Made with the store (migrate.ts). */
export const siteSecretKey = "site_secret";

const stored = hot((db) =>
  db.select({ value: meta.value }).from(meta).where(eq(meta.key, siteSecretKey)).prepare(),
);

/** A secret of the site's own for one purpose, the same for as long as there is the store, which it never leaves. */
export async function siteSecret(connection: Connection, purpose: string): Promise<string> {
  const row = await stored(connection).get();
  if (!row) throw new Error("The store has no secret of its own.");
  return createHmac("sha256", row.value).update(purpose).digest("base64url");
}
