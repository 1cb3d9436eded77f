import { chmodSync, mkdirSync } from "node:fs";
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { newId } from "../runtime/ids.ts";
import type { Card } from "./render-card.ts";
import { readPictureHeader, type PictureHeader } from "./picture-header.ts";
import { folderOfPicture } from "./paths.ts";
import { tooManyPixels, unreadablePicture } from "./picture-errors.ts";
import { ImagePool, type Memory, type ImageJobOptions } from "./image-pool.ts";

const types: readonly PictureHeader["type"][] = ["jpeg", "png", "gif", "webp", "avif"];
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** No access for other accounts of the machine: some pictures are private. */
const ownerOnlyMode = 0o700;

/** Bytes read for type and size; after long EXIF data encoding finds the size. */
const maxHeaderBytes = 256 * 1024;

export interface StoredPicture {
  id: string;
  type: PictureHeader["type"];
  width: number;
  height: number;
  bytes: number;
  color: string;
  widths: number[];
}

/** Stores pictures as files under `DATA_DIR/media`, re-encoded as WebP: no uploaded bytes or metadata are served. */
export class MediaStore {
  readonly folder: string;
  readonly #imagePool: ImagePool;
  /** JPEGs in the making, by picture. */
  readonly #jpegs = new Map<string, Promise<number>>();

  /** `memory` is for tests. */
  constructor(folder: string, memory: Memory = limits.image.memory) {
    this.folder = folder;
    this.#imagePool = new ImagePool(memory);
    mkdirSync(folder, { recursive: true, mode: ownerOnlyMode });
    chmodSync(folder, ownerOnlyMode);
  }

  folderOf(id: string): string {
    return path.join(this.folder, folderOfPicture(id));
  }

  /**
   * Stores the picture in `file`, which stays. Reads the type from the bytes, never the name. Throws `wrong_type` for all but
   * `accepted`, `too_large` beyond 8 MB or 40 megapixels, `bad_request` for a broken one, `unavailable` when too many wait.
   */
  async store(
    file: string,
    {
      accepted = types,
      ...jobOptions
    }: Omit<ImageJobOptions, "alone"> & { accepted?: readonly string[] | undefined },
  ): Promise<StoredPicture> {
    const { size: bytes } = await stat(file);
    if (bytes === 0) throw new AppError("wrong_type", "That file is empty.");
    if (bytes > limits.image.bytes) throw new AppError("too_large", "A picture can have up to 8 MB.");
    const header = readPictureHeader(await readFirstBytes(file));
    if (!header) throw unreadablePicture();
    if (!accepted.includes(header.type))
      throw new AppError(
        "wrong_type",
        `We can’t use this kind of picture. Please use ${accepted.map((name) => name.toUpperCase()).join(", ")}.`,
      );
    const pixels = header.width * header.height;
    if (pixels > limits.image.pixels) throw tooManyPixels();

    const id = newId();
    const folder = this.folderOf(id);
    const part = `${folder}.part`;
    const source = path.join(part, "source");
    await mkdir(part, { recursive: true, mode: ownerOnlyMode });
    try {
      await copyFile(file, source);
      await chmod(source, 0o600);
      const alone = pixels === 0 || pixels > limits.image.alone;
      const encoded = await this.#imagePool.run({ source, folder: part }, { ...jobOptions, alone });
      if (!("widths" in encoded)) throw new Error("The image worker returned no picture.");
      await rm(source);
      await rename(part, folder);
      return { id, type: header.type, bytes, ...encoded };
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  }

  /** Copies a picture's files. Throws when they are missing. */
  async copy(from: string, to: string): Promise<void> {
    const folder = this.folderOf(to);
    const part = `${folder}.part`;
    await mkdir(part, { recursive: true, mode: ownerOnlyMode });
    try {
      for (const name of await readdir(this.folderOf(from))) {
        // Made again when it is requested.
        if (name.startsWith("preview.")) continue;
        const [file, copy] = [path.join(this.folderOf(from), name), path.join(part, name)];
        // Safe, as files never change; some file systems have no hard links.
        await link(file, copy).catch(() => copyFile(file, copy));
      }
      await rename(part, folder);
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Returns the size of a picture's JPEG in bytes, made when first requested, after `beforeMaking`; null if there is no such
   * picture. Throws `unavailable` when too many of the account wait: requests of pictures do not stop feeds.
   */
  async jpegBytes(
    id: string,
    account: "feeds" | "previews",
    beforeMaking?: () => Promise<unknown>,
  ): Promise<number | null> {
    const sizeOf = (name: string) =>
      stat(path.join(this.folderOf(id), name)).then(
        ({ size }) => size,
        () => null,
      );
    const size = await sizeOf("preview.jpg");
    if (size !== null || (await sizeOf("full.webp")) === null) return size;
    await beforeMaking?.();
    let making = this.#jpegs.get(id);
    if (!making) {
      making = this.#makeJpeg(id, account).finally(() => this.#jpegs.delete(id));
      this.#jpegs.set(id, making);
    }
    return making;
  }

  async #makeJpeg(id: string, account: string): Promise<number> {
    const source = path.join(this.folderOf(id), "full.webp");
    const job = { source, folder: "", jpeg: true } as const;
    const bytes = await this.#imagePool.run(job, { account, alone: false });
    if ("widths" in bytes) throw new Error("The image worker returned no JPEG.");
    const file = path.join(this.folderOf(id), "preview.jpg");
    await writeFile(`${file}.part`, bytes, { mode: 0o600 });
    await rename(`${file}.part`, file);
    return bytes.length;
  }

  /** Renders a card to PNG. Throws `unavailable` when too many wait: as many as one account's pictures. */
  async renderCard(card: Card): Promise<Buffer> {
    const png = await this.#imagePool.run(
      { source: "", folder: "", card },
      { account: "cards", alone: false },
    );
    if ("widths" in png) throw new Error("The image worker returned no card.");
    return png;
  }

  get runningCount(): number {
    return this.#imagePool.runningCount;
  }

  close(): void {
    this.#imagePool.close();
  }

  /** Deletes a picture's files, incomplete ones too. */
  async remove(id: string): Promise<void> {
    const folder = this.folderOf(id);
    for (const each of [folder, `${folder}.part`]) await rm(each, { recursive: true, force: true });
  }

  /** Yields batches of ids with files older than `time`. */
  async *idsOlderThan(time: number): AsyncGenerator<string[]> {
    for (const part of await readdir(this.folder).catch(() => [])) {
      const ids: string[] = [];
      for (const name of await readdir(path.join(this.folder, part)).catch(() => [])) {
        const id = name.replace(/\.part$/, "");
        const file = await stat(path.join(this.folder, part, name)).catch(() => undefined);
        if (isId.test(id) && file && file.mtimeMs < time) ids.push(id);
      }
      if (ids.length > 0) yield ids;
    }
  }
}

async function readFirstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
