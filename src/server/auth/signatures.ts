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
  return isSame(mark, await signatureOf(connection, purpose, said));
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
