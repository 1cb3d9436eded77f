import { createHmac, timingSafeEqual } from "node:crypto";
import type { Connection } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";

/** The mark by which the site knows that it said this itself, for one purpose. */
export async function signatureOf(connection: Connection, purpose: string, said: string): Promise<string> {
  return createHmac("sha256", await siteSecret(connection, purpose))
    .update(said)
    .digest("base64url");
}

/** Whether a mark is the one of what was said. */
export async function isSigned(
  connection: Connection,
  purpose: string,
  said: string,
  mark: string,
): Promise<boolean> {
  const [given, right] = [Buffer.from(mark), Buffer.from(await signatureOf(connection, purpose, said))];
  return given.length === right.length && timingSafeEqual(given, right);
}
