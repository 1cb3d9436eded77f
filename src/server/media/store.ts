import { chmod, copyFile, mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { FileStore } from "../files/store.ts";
import { newId } from "../runtime/ids.ts";
import type { Card } from "./render-card.ts";
import { readPictureHeader, type PictureHeader } from "./picture-header.ts";
import { fullFile, pictureFolder, pictureKey } from "./paths.ts";
import { tooManyPixels, unreadablePicture } from "./picture-errors.ts";
import { ImagePool, type Memory, type ImageJobOptions } from "./image-pool.ts";

const types: readonly PictureHeader["type"][] = ["jpeg", "png", "gif", "webp", "avif"];
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const [jpegFile, smallestFile] = ["preview.jpg", "192.webp"];

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

/** Stores pictures as files, re-encoded as WebP: no uploaded bytes or metadata are served. */
export class MediaStore {
  readonly #files: FileStore;
  readonly #imagePool: ImagePool;
  /** JPEGs in the making, by picture. */
  readonly #jpegs = new Map<string, Promise<number>>();

  /** `memory` is for tests. */
  constructor(files: FileStore, memory: Memory = limits.image.memory) {
    this.#files = files;
    this.#imagePool = new ImagePool(memory);
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
    return this.#files.put(pictureKey(id), async (folder) => {
      const source = path.join(folder, "source");
      await mkdir(folder, { mode: 0o700 });
      await copyFile(file, source);
      await chmod(source, 0o600);
      const alone = pixels === 0 || pixels > limits.image.alone;
      const encoded = await this.#imagePool.run({ source, folder }, { ...jobOptions, alone });
      if (!("widths" in encoded)) throw new Error("The image worker returned no picture.");
      await rm(source);
      return { id, type: header.type, bytes, ...encoded };
    });
  }

  /** Copies a picture's files, without the JPEG, which is made again when it is requested. Throws when they are missing. */
  copy(from: string, to: string): Promise<void> {
    return this.#files.copy(pictureKey(from), pictureKey(to), (name) => !name.startsWith("preview."));
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
    const size = await this.#files.size(pictureKey(id, jpegFile));
    if (size !== null || (await this.#files.size(pictureKey(id, fullFile))) === null) return size;
    await beforeMaking?.();
    let making = this.#jpegs.get(id);
    if (!making) {
      making = this.#makeJpeg(id, account).finally(() => this.#jpegs.delete(id));
      this.#jpegs.set(id, making);
    }
    return making;
  }

  async #makeJpeg(id: string, account: string): Promise<number> {
    const bytes = await this.#files.local(pictureKey(id, fullFile), (source) =>
      this.#imagePool.run({ source, folder: "", jpeg: true }, { account, alone: false }),
    );
    if ("widths" in bytes) throw new Error("The image worker returned no JPEG.");
    await this.#files.put(pictureKey(id, jpegFile), (part) => writeFile(part, bytes, { mode: 0o600 }));
    return bytes.length;
  }

  /** Renders a card, whose pictures are ids, to PNG. Throws `unavailable` when too many wait: as many as one account's pictures. */
  async renderCard({ picture, sitePicture, ...card }: Card): Promise<Buffer> {
    const png = await this.#withFile(picture, (file) =>
      this.#withFile(sitePicture, (siteFile) =>
        this.#imagePool.run(
          { source: "", folder: "", card: { ...card, picture: file, sitePicture: siteFile } },
          { account: "cards", alone: false },
        ),
      ),
    );
    if ("widths" in png) throw new Error("The image worker returned no card.");
    return png;
  }

  /** Calls `work` with the smallest file of a picture. */
  #withFile<T>(id: string | null, work: (file: string | null) => Promise<T>): Promise<T> {
    return id === null ? work(null) : this.#files.local(pictureKey(id, smallestFile), work);
  }

  get runningCount(): number {
    return this.#imagePool.runningCount;
  }

  close(): void {
    this.#imagePool.close();
  }

  /** Deletes a picture's files, incomplete ones too. */
  remove(id: string): Promise<void> {
    return this.#files.remove(pictureKey(id));
  }

  /** Yields batches of ids with files older than `time`. */
  async *idsOlderThan(time: number): AsyncGenerator<string[]> {
    for await (const entries of this.#files.entries(pictureFolder, 2)) {
      const old = entries.filter(({ changedAt }) => changedAt < time);
      const ids = old.map(({ key }) => path.basename(key, ".part")).filter((id) => isId.test(id));
      if (ids.length > 0) yield ids;
    }
  }

  /** Returns a check for many pictures: whether one has files. */
  async finder(): Promise<(id: string) => Promise<boolean>> {
    const hasFile = await this.#files.finder(pictureFolder, fullFile);
    return (id) => hasFile(pictureKey(id, fullFile));
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
