import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { Connection } from "./connection.ts";
import { siteValue } from "./meta.ts";

/** Created with the database (sqlite/migrate.ts, postgres/migrate.ts). */
export const siteSecretKey = "site_secret";

/** Derives a purpose's secret, always the same, from the site's, which never leaves the database. */
export async function siteSecret(connection: Connection, purpose: string): Promise<string> {
  const secret = await siteValue(connection, siteSecretKey);
  if (secret === undefined) throw new Error("The store has no secret of its own.");
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

const keyFor = async (connection: Connection, purpose: string) =>
  Buffer.from(await siteSecret(connection, `seal ${purpose}`), "base64url");
const ivLength = 12;
const tagLength = 16;

/** Encrypts a text for this site and purpose (AES-256-GCM). */
export async function seal(connection: Connection, purpose: string, text: string): Promise<string> {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", await keyFor(connection, purpose), iv);
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url");
}

/** Decrypts a sealed text. Throws when it was sealed for another purpose, or changed. */
export async function unseal(connection: Connection, purpose: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, "base64url");
  const iv = bytes.subarray(0, ivLength);
  const key = await keyFor(connection, purpose);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagLength });
  decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  return decipher.update(bytes.subarray(ivLength + tagLength), undefined, "utf8") + decipher.final("utf8");
}
