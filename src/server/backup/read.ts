import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Extract } from "tar-stream";
import { isDiskFull } from "../database/errors.ts";
import {
  ArchiveError,
  isEncrypted,
  isPictureFile,
  Manifest,
  parts,
  sumLine,
  decryptArchive,
  type DecryptionKeys,
} from "./archive.ts";

/** The most bytes of the manifest, and between two files. */
const maxMetadataBytes = 1024 * 1024;
/** The most bytes of a checksum line. */
const maxChecksumLineBytes = 200;

type Entry = Extract extends AsyncIterable<infer One> ? One : never;

export interface ReadOptions extends DecryptionKeys {
  onProgress?: (done: number, of: number, what: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Unpacks and verifies an archive into an empty folder. Throws `ArchiveError` for an unexpected name, a link, more bytes than
 * announced or available, and a wrong or missing checksum.
 */
export async function unpack(archive: string, folder: string, options: ReadOptions): Promise<Manifest> {
  const encrypted = await isEncrypted(archive);
  if (encrypted && options.passphrase === undefined && (options.identities ?? []).length === 0)
    throw new ArchiveError(
      `${archive} is encrypted. Set BACKUP_PASSPHRASE, or name an age identity by --identity FILE.`,
    );
  const unpacker = new Unpacker(archive, folder);
  const total = (await stat(archive)).size;
  let bytesRead = 0;
  const source = createReadStream(archive, { highWaterMark: 256 * 1024 });
  source.on("data", (chunk) => options.onProgress?.((bytesRead += chunk.length), total, "the archive"));
  source.pause();
  try {
    const decrypted = encrypted ? await decryptArchive(source, archive, options) : source;
    const tar = extract();
    const pipelineOptions = options.signal ? { signal: options.signal } : {};
    const writing = pipeline(decrypted, createGunzip(), unpacker.guard(), tar, pipelineOptions);
    // The loop below reports the error.
    writing.catch(() => undefined);
    try {
      for await (const entry of tar) await unpacker.addEntry(entry);
    } catch (error) {
      tar.destroy();
      await writing.catch((cause: unknown) => {
        if (!isPremature(cause)) throw cause;
      });
      throw error;
    }
    await writing;
    return unpacker.finished();
  } catch (error) {
    source.destroy();
    options.signal?.throwIfAborted();
    if (error instanceof ArchiveError) throw error;
    if (isDiskFull(error))
      throw new ArchiveError(`Not enough disk space for ${archive} in ${folder}.`, { cause: error });
    throw new ArchiveError(`${archive} is damaged or incomplete (${String(error)}).`, { cause: error });
  }
}

const isPremature = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";

class Unpacker {
  readonly #archive: string;
  readonly #folder: string;
  readonly #sums: Hash = createHash("sha256");
  #manifest: Manifest | undefined;
  #hasStore = false;
  #isOver = false;
  #files = 0;
  #bytes = 0;
  /** Bytes since the last file content. */
  #metadataBytes = 0;

  constructor(archive: string, folder: string) {
    this.#archive = archive;
    this.#folder = folder;
  }

  #invalid(reason: string, cause?: unknown): ArchiveError {
    return new ArchiveError(`${this.#archive} is not a complete backup of Reprise: ${reason}.`, { cause });
  }

  /** Limits tar metadata, which tar-stream would buffer without bound. */
  guard(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#metadataBytes += chunk.length;
        done(
          this.#metadataBytes > maxMetadataBytes
            ? this.#invalid("there is unexpected data between files")
            : null,
          chunk,
        );
      },
    });
  }

  async addEntry(entry: Entry): Promise<void> {
    const { name, type, size } = entry.header;
    this.#metadataBytes = 0;
    if (type !== "file") throw this.#invalid(`"${printable(name)}" is not a file`);
    if (this.#isOver) throw this.#invalid(`"${printable(name)}" comes after its end`);
    if (!this.#manifest) return this.#begin(entry, name, size);
    if (name === parts.sums) return this.#end(entry, size);
    const isStore = name === parts.store && !this.#hasStore;
    if (isStore === this.#hasStore || !(isStore || isPictureFile(name)))
      throw this.#invalid(`"${printable(name)}" is unexpected`);
    this.#hasStore = true;
    this.#files += 1;
    this.#bytes += size;
    if (this.#files > this.#manifest.files || this.#bytes > this.#manifest.bytes)
      throw this.#invalid("it is larger than its manifest says");
    const file = path.join(this.#folder, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // Refuses a second file of one name.
    const hash = await this.#read(entry, createWriteStream(file, { flags: "wx", mode: 0o600 }));
    this.#sums.update(sumLine(hash, name));
  }

  /** Returns the entry's SHA-256. */
  async #read(
    entry: Entry,
    to?: ReturnType<typeof createWriteStream>,
    collected?: Buffer[],
  ): Promise<string> {
    const hash = createHash("sha256");
    const readChunks = async function* (this: Unpacker, chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        this.#metadataBytes = 0;
        hash.update(chunk);
        collected?.push(chunk);
        yield chunk;
      }
    }.bind(this);
    const chunks = readChunks(entry as AsyncIterable<Buffer>);
    if (to) await pipeline(chunks, to);
    else for await (const _chunk of chunks);
    this.#metadataBytes = 0;
    return hash.digest("hex");
  }

  async #begin(entry: Entry, name: string, size: number): Promise<void> {
    if (name !== parts.manifest || size > maxMetadataBytes) throw this.#invalid("its manifest is missing");
    const bytes: Buffer[] = [];
    this.#sums.update(sumLine(await this.#read(entry, undefined, bytes), name));
    let parsed: unknown;
    try {
      parsed = JSON.parse(Buffer.concat(bytes).toString("utf8"));
    } catch (cause) {
      throw this.#invalid("its manifest can’t be read", cause);
    }
    if (((parsed as { format?: unknown } | null)?.format ?? 0) !== 1)
      throw new ArchiveError(
        `${this.#archive} was made by another version of Reprise. Restore it with that version.`,
      );
    const manifest = Manifest.safeParse(parsed);
    if (!manifest.success) throw this.#invalid("its manifest can’t be read", manifest.error);
    const { bavail, bsize } = await statfs(this.#folder);
    if (manifest.data.bytes > bavail * bsize)
      throw new ArchiveError(
        `${this.#archive} needs ${manifest.data.bytes} bytes, but there isn’t enough space in ${path.dirname(this.#folder)}.`,
      );
    this.#manifest = manifest.data;
  }

  async #end(entry: Entry, size: number): Promise<void> {
    if (size > (this.#files + 1) * maxChecksumLineBytes)
      throw this.#invalid("it is larger than its manifest says");
    this.#isOver = true;
    const checksum = this.#sums.digest("hex");
    if ((await this.#read(entry)) !== checksum) throw this.#invalid("its checksums don’t match its files");
  }

  finished(): Manifest {
    if (!this.#manifest || !this.#isOver || !this.#hasStore) throw this.#invalid("its end is missing");
    return this.#manifest;
  }
}

const printable = (name: string) => name.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "�").slice(0, 100);
