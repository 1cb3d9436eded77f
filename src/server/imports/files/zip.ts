import path from "node:path";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { formatBytes } from "../../../shared/format-bytes.ts";
import { importBounds as bounds } from "../bounds.ts";
import { FileProblem, type Files, type SkippedFile } from "../source.ts";
import { readAll, tooLarge, tooManyFiles } from "./folder.ts";

/** Bytes of a local file header before the name. */
const localHeaderBytes = 30;

/** The highest expansion by deflate. */
const maxDeflateRatio = 1_032;

interface ListedEntry {
  entry: Entry;
  bytes: number;
}

/**
 * A ZIP read like a folder: its directory once, then each file on request. The directory is not trusted: names are checked and
 * bytes counted as they arrive.
 */
export class Zip implements Files {
  readonly skipped: SkippedFile[] = [];
  readonly #zip: ZipFile;
  #list: { name: string; bytes: number }[] | undefined;
  readonly #entries = new Map<string, ListedEntry>();
  /** The most bytes it may unpack to. */
  readonly #maxUnpackedBytes: number;
  #unpacked = 0;

  private constructor(zip: ZipFile) {
    this.#zip = zip;
    this.#maxUnpackedBytes = Math.max(bounds.unpacked.least, bounds.unpacked.times * zip.fileSize);
  }

  /** Throws `FileProblem` for a broken or malicious ZIP. */
  static async at(file: string): Promise<Zip> {
    let zipFile: ZipFile | undefined;
    try {
      zipFile = await openZip(file);
      const zip = new Zip(zipFile);
      await zip.#readList();
      return zip;
    } catch (cause) {
      zipFile?.close();
      throw cause instanceof FileProblem
        ? cause
        : new FileProblem("the ZIP file is incomplete. Please create or download it again", { cause });
    }
  }

  list(): Promise<{ name: string; bytes: number }[]> {
    if (this.#list) return Promise.resolve(this.#list);
    const all = [...this.#entries].map(([name, { bytes }]) => ({ name, bytes }));
    this.#list = all.sort((one, other) => (one.name < other.name ? -1 : 1));
    return Promise.resolve(this.#list);
  }

  async read(name: string, maxBytes: number): Promise<Buffer> {
    const { bytes } = this.#at(name);
    if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
    try {
      return await readAll(await this.stream(name), maxBytes);
    } catch (cause) {
      throw cause instanceof FileProblem ? cause : broken(cause);
    }
  }

  stream(name: string): Promise<NodeJS.ReadableStream> {
    const { entry } = this.#at(name);
    if ((this.#unpacked += unpackedBytes(entry)) > bounds.unpacked.readings * this.#maxUnpackedBytes)
      return Promise.reject(
        new FileProblem("this ZIP file has reached its size limit. Please import the rest separately"),
      );
    return new Promise((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, stream) => {
        if (error) reject(broken(error));
        else resolve(stream);
      });
    });
  }

  close(): Promise<void> {
    this.#zip.close();
    return Promise.resolve();
  }

  #at(name: string): ListedEntry {
    const normalizedName = path.posix.normalize(name).replace(/^\.?\/+/, "");
    if (normalizedName === ".." || normalizedName.startsWith("../"))
      throw new FileProblem("it is outside the ZIP file");
    const listed = this.#entries.get(normalizedName);
    if (!listed) throw new FileProblem("file not found");
    return listed;
  }

  async #readList(): Promise<void> {
    if (this.#zip.entryCount > bounds.entries) throw tooManyFiles();
    const ranges: [start: number, end: number][] = [];
    await new Promise<void>((resolve, reject) => {
      let entryCount = 0;
      this.#zip.on("error", reject);
      this.#zip.on("end", resolve);
      this.#zip.on("entry", (entry: Entry) => {
        // The count in the header may be wrong.
        if (++entryCount > bounds.entries) return reject(tooManyFiles());
        this.#addEntry(entry, ranges);
        // Yields to the event loop.
        if (entryCount % 500 === 0) setImmediate(() => this.#zip.readEntry());
        else this.#zip.readEntry();
      });
      this.#zip.readEntry();
    });
    let totalBytes = 0;
    for (const { entry } of this.#entries.values()) totalBytes += unpackedBytes(entry);
    if (totalBytes > this.#maxUnpackedBytes)
      throw new FileProblem(
        `it unpacks to ${formatBytes(totalBytes)}, more than the ${formatBytes(this.#maxUnpackedBytes)} allowed for a ZIP file of its size. Please import it in parts`,
      );
    ranges.sort(([one], [other]) => one - other);
    if (ranges.some(([start], index) => start < (ranges[index - 1]?.[1] ?? 0)))
      throw new FileProblem("files in this ZIP overlap. Please create it again");
  }

  #addEntry(entry: Entry, ranges: [number, number][]): void {
    const name = nameOf(entry);
    const shortName = name.slice(0, 200);
    const skip = (reason: string) => void this.skipped.push({ file: shortName, reason });
    ranges.push([
      entry.relativeOffsetOfLocalHeader,
      entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.compressedSize,
    ]);
    if (/^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/.test(name) || name.endsWith("/")) return;
    const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
    if (name.length > bounds.name || name === "") return skip("its name is empty or too long");
    if (/[\0-\x1f\x7f]/.test(name)) return skip("its name has invalid characters");
    if (/^(?:\/|[a-z]:)/i.test(name)) return skip("its path is absolute");
    if (name.split("/").includes("..")) return skip("its path contains “..”");
    if (kind === 0o120000) return skip("symbolic links are not followed");
    if (kind !== 0 && kind !== 0o100000) return skip("it is not a file");
    if (entry.isEncrypted()) return skip("it is encrypted. Create the ZIP file without a password");
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      return skip("unsupported compression. Create the ZIP file with the default one");
    if (/\.(?:zip|jar|7z|rar|t?gz|tar)$/i.test(name))
      return skip("an archive within the ZIP file. Unpack it and import it separately");
    if (this.#entries.has(name)) return skip("the ZIP file has another file with this name");
    this.#entries.set(name, { entry, bytes: entry.uncompressedSize });
  }
}

/** Returns the most bytes after unpacking; reading fails beyond the listed size. */
const unpackedBytes = ({ compressionMethod, compressedSize, uncompressedSize }: Entry): number =>
  Math.min(uncompressedSize, compressionMethod === 0 ? compressedSize : compressedSize * maxDeflateRatio);

const openZip = (file: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    // Raw names: the library would give up at the first bad one.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true };
    yauzl.open(file, options, (error, zip) => {
      if (error) reject(error);
      else resolve(zip);
    });
  });

function nameOf(entry: Entry): string {
  const raw = entry.fileName as unknown as Buffer;
  const isUtf8 = (entry.generalPurposeBitFlag & 0x800) !== 0;
  const text = raw.toString("utf8");
  // Many programs omit the UTF-8 flag; other encodings are from old machines.
  const name = isUtf8 || !text.includes("\ufffd") ? text : raw.toString("latin1");
  return name.replaceAll("\\", "/").normalize("NFC");
}

const broken = (cause: unknown) => new FileProblem("damaged within the ZIP file", { cause });
