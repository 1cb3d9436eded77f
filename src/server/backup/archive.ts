import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Decrypter, Encrypter } from "age-encryption";
import { z } from "zod";

/*
 * An archive is a tar of these, in this order, through gzip and maybe age: the manifest, the store in one file, the files of
 * its pictures, and last the SHA-256 of each as `sha256sum` writes them.
 */

export const parts = { manifest: "manifest.json", store: "reprise.db", sums: "SHA256SUMS" };

/** The file of a picture, as it lies in the data folder too: nothing else may stand in an archive beside the three above. */
export const isPictureFile = (name: string): boolean =>
  /^media\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[a-z0-9]{1,20}\.webp$/.test(name);

const count = z.number().int().nonnegative();

/** What stands first in an archive and says what follows. */
export const Manifest = z.object({
  /** Of the archive: a later version may have another. */
  format: z.literal(1),
  /** The version of Reprise that made it. */
  version: z.string(),
  made: z.iso.datetime(),
  /** The newest migration of its store. */
  migration: z.string(),
  epoch: z.string(),
  counts: z.object({ users: count, blogs: count, comments: count, media: count }),
  /** The store and the files of pictures, and their bytes in all. */
  files: count,
  bytes: count,
  /** Pictures that the store knows and that had no files. */
  missing: count,
});
export type Manifest = z.infer<typeof Manifest>;

/** A line of the sums. */
export const sumLine = (hash: string, name: string): string => `${hash}  ${name}\n`;

/** Archives that the site named itself, so that older ones of its own, and nothing else, can be told. */
export const nameOfArchive = (now: Date, isClosed: boolean): string =>
  `reprise-${now.toISOString().replace(/[:.]/g, "-")}.tar.gz${isClosed ? ".age" : ""}`;

/** When an archive was made, by the name that the site gave it; undefined for any other file. */
export function timeOfArchive(name: string): number | undefined {
  const [, day, hours, minutes, seconds, thousandths] =
    /^reprise-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.gz(?:\.age)?$/.exec(name) ?? [];
  if (day === undefined) return undefined;
  const time = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${thousandths}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** What closes an archive: a passphrase, or the public key of whoever may open it. */
export interface Seal {
  passphrase?: string | undefined;
  recipient?: string | undefined;
}

export const isSeal = ({ passphrase, recipient }: Seal): boolean =>
  passphrase !== undefined || recipient !== undefined;

/** The same bytes as age encrypts them: `age -d` opens them, too. */
export async function sealed(source: Readable, { passphrase, recipient }: Seal): Promise<Readable> {
  const age = new Encrypter();
  if (passphrase !== undefined) age.setPassphrase(passphrase);
  if (recipient !== undefined) age.addRecipient(recipient);
  const stream = await age.encrypt(Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>);
  return Readable.fromWeb(stream as ReadableStream);
}

/** What opens an archive. */
export interface Keys {
  passphrase?: string | undefined;
  /** Lines of an age identity: `AGE-SECRET-KEY-1…`. */
  identities?: string[] | undefined;
}

/** Why an archive can't be taken, in one line. */
export class BadArchive extends Error {}

/** Whether an archive is encrypted. Throws where it is none at all. */
export async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) throw new BadArchive(`There is no file ${file}.`);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0).catch(() => ({
      buffer: Buffer.alloc(0),
      bytesRead: 0,
    }));
    const head = buffer.subarray(0, bytesRead);
    if (head.toString("latin1").startsWith("age-encryption.org/v1\n")) return true;
    if (head[0] === 0x1f && head[1] === 0x8b) return false;
  } finally {
    await handle.close();
  }
  throw new BadArchive(`${file} is not a backup of Reprise.`);
}

/** What age encrypted, open again. */
export async function unsealed(
  source: Readable,
  file: string,
  { passphrase, identities = [] }: Keys,
): Promise<Readable> {
  const age = new Decrypter();
  try {
    if (passphrase !== undefined) age.addPassphrase(passphrase);
    for (const identity of identities) age.addIdentity(identity);
  } catch (cause) {
    throw new BadArchive("This is not an age identity.", { cause });
  }
  try {
    const stream = await age.decrypt(Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>);
    return Readable.fromWeb(stream as ReadableStream);
  } catch (cause) {
    source.destroy();
    if (!String(cause).includes("no identity matched")) throw cause;
    throw new BadArchive(`The passphrase or identity doesn’t match ${file}.`, { cause });
  }
}
