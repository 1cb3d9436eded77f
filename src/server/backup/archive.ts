import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { z } from "zod";

/*
 * A tar through gzip and optionally age, containing in this order: the manifest, the database, the picture files, and their
 * SHA-256 as `sha256sum` writes them.
 */

export const parts = { manifest: "manifest.json", store: "reprise.db", sums: "SHA256SUMS" };

/** Whether `name` is a picture file's path. An archive contains no other files besides the three above. */
export const isPictureFile = (name: string): boolean =>
  /^media\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[a-z0-9]{1,20}\.webp$/.test(name);

const count = z.number().int().nonnegative();

/** The first file of an archive. */
export const Manifest = z.object({
  /** A later version may have another. */
  format: z.literal(1),
  version: z.string(),
  made: z.iso.datetime(),
  /** The newest migration of the database. */
  migration: z.string(),
  epoch: z.string(),
  counts: z.object({ users: count, blogs: count, comments: count, media: count }),
  /** The database and picture files, and their total bytes. */
  files: count,
  bytes: count,
  /** Pictures in the database that had no files. */
  missing: count,
});
export type Manifest = z.infer<typeof Manifest>;

/** A line of the checksum file. */
export const sumLine = (hash: string, name: string): string => `${hash}  ${name}\n`;

/** Returns a name that `archiveTime` recognizes, so that rotation deletes only the site's own archives. */
export const archiveName = (now: Date, isClosed: boolean): string =>
  `reprise-${now.toISOString().replace(/[:.]/g, "-")}.tar.gz${isClosed ? ".age" : ""}`;

/** Returns when the site made and named an archive; undefined for other files. */
export function archiveTime(name: string): number | undefined {
  const [, day, hours, minutes, seconds, thousandths] =
    /^reprise-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.gz(?:\.age)?$/.exec(name) ?? [];
  if (day === undefined) return undefined;
  const time = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${thousandths}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Its ciphers are the largest code of the server, and only encrypted backups need them. */
const library = () => import("age-encryption");

/** What encrypts an archive: a passphrase or a public key. */
export interface EncryptionKeys {
  passphrase?: string | undefined;
  recipient?: string | undefined;
}

export const hasEncryptionKey = ({ passphrase, recipient }: EncryptionKeys): boolean =>
  passphrase !== undefined || recipient !== undefined;

/** Encrypts with age, compatible with `age -d`. */
export async function encryptArchive(
  source: Readable,
  { passphrase, recipient }: EncryptionKeys,
): Promise<Readable> {
  const { Encrypter } = await library();
  const age = new Encrypter();
  if (passphrase !== undefined) age.setPassphrase(passphrase);
  if (recipient !== undefined) age.addRecipient(recipient);
  const stream = await age.encrypt(Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>);
  return Readable.fromWeb(stream as ReadableStream);
}

/** What decrypts an archive. */
export interface DecryptionKeys {
  passphrase?: string | undefined;
  /** Lines of an age identity: `AGE-SECRET-KEY-1…`. */
  identities?: string[] | undefined;
}

/** An unusable archive, with a one-line reason. */
export class ArchiveError extends Error {}

/** Whether an archive is encrypted. Throws `ArchiveError` when it is missing or no archive. */
export async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) throw new ArchiveError(`There is no file ${file}.`);
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
  throw new ArchiveError(`${file} is not a backup of Reprise.`);
}

/** Decrypts with age. Throws `ArchiveError` for a wrong key. */
export async function decryptArchive(
  source: Readable,
  file: string,
  { passphrase, identities = [] }: DecryptionKeys,
): Promise<Readable> {
  const { Decrypter } = await library();
  const age = new Decrypter();
  try {
    if (passphrase !== undefined) age.addPassphrase(passphrase);
    for (const identity of identities) age.addIdentity(identity);
  } catch (cause) {
    throw new ArchiveError("This is not an age identity.", { cause });
  }
  try {
    const stream = await age.decrypt(Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>);
    return Readable.fromWeb(stream as ReadableStream);
  } catch (cause) {
    source.destroy();
    if (!String(cause).includes("no identity matched")) throw cause;
    throw new ArchiveError(`The passphrase or identity doesn’t match ${file}.`, { cause });
  }
}
