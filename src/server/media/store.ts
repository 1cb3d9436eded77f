import { chmodSync, mkdirSync } from "node:fs";
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { newId } from "../ids.ts";
import type { Card } from "./draw-card.ts";
import { headOf, type Head } from "./heads.ts";
import { folderOfPicture } from "./paths.ts";
import { tooManyPixels, unread } from "./refusals.ts";
import { Workshop, type Memory, type Order } from "./workshop.ts";

const types: readonly Head["type"][] = ["jpeg", "png", "gif", "webp", "avif"];
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** For nobody else on the machine: private pictures lie here as well. */
const ownAlone = 0o700;

/** As much of a file as says what it is. A camera's notes may stand before the size: then it is found out later. */
const mostOfHead = 256 * 1024;

/** A picture as it was stored: what the `media` row holds. */
export interface StoredPicture {
  id: string;
  type: Head["type"];
  width: number;
  height: number;
  bytes: number;
  color: string;
  widths: number[];
}

/** Pictures as files under `DATA_DIR/media`, re-encoded as WebP: nothing of what came in is served, its metadata is gone. */
export class MediaStore {
  readonly folder: string;
  readonly #workshop: Workshop;

  /** `memory` is another bound for tests. */
  constructor(folder: string, memory: Memory = limits.image.memory) {
    this.folder = folder;
    this.#workshop = new Workshop(memory);
    mkdirSync(folder, { recursive: true, mode: ownAlone });
    chmodSync(folder, ownAlone);
  }

  folderOf(id: string): string {
    return path.join(this.folder, folderOfPicture(id));
  }

  /**
   * Stores the picture in `file`, which is the caller's and stays. The type is read from the bytes, never from a name. Throws `wrong_type` for anything but the
   * `accepted` ones (jpeg, png, gif, webp, avif), `too_large` beyond 8 MB or 40 megapixels, `bad_request` for a broken one,
   * `unavailable` where too many wait.
   */
  async store(
    file: string,
    { accepted = types, ...order }: Omit<Order, "alone"> & { accepted?: readonly string[] | undefined },
  ): Promise<StoredPicture> {
    const { size: bytes } = await stat(file);
    if (bytes === 0) throw new AppError("wrong_type", "That file is empty.");
    if (bytes > limits.image.bytes) throw new AppError("too_large", "A picture can have up to 8 MB.");
    const head = headOf(await beginningOf(file));
    if (!head) throw unread();
    if (!accepted.includes(head.type))
      throw new AppError(
        "wrong_type",
        `We can’t use this kind of picture. Please use ${accepted.map((name) => name.toUpperCase()).join(", ")}.`,
      );
    const pixels = head.width * head.height;
    if (pixels > limits.image.pixels) throw tooManyPixels();

    const id = newId();
    const folder = this.folderOf(id);
    const part = `${folder}.part`;
    const source = path.join(part, "source");
    await mkdir(part, { recursive: true, mode: ownAlone });
    try {
      await copyFile(file, source);
      await chmod(source, 0o600);
      const alone = pixels === 0 || pixels > limits.image.alone;
      const made = await this.#workshop.do({ source, folder: part }, { ...order, alone });
      if (!made) throw new Error("A picture was taken for a card.");
      await rm(source);
      await rename(part, folder);
      return { id, type: head.type, bytes, ...made };
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  }

  /** Puts a picture's files back, of its full one as an export brought it. Throws an `AppError` where that is none of ours. */
  async putBack(id: string, full: Buffer): Promise<void> {
    const folder = this.folderOf(id);
    const part = `${folder}.part`;
    await this.remove(id);
    await mkdir(part, { recursive: true, mode: ownAlone });
    try {
      const source = path.join(part, "full.webp");
      await writeFile(source, full, { mode: 0o600 });
      await this.#workshop.do({ source, folder: part, again: true }, { account: "restore", alone: false });
      await rename(part, folder);
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  }

  /** Gives the files of a picture to another one too. Throws where they are not there. */
  async copy(from: string, to: string): Promise<void> {
    const folder = this.folderOf(to);
    const part = `${folder}.part`;
    await mkdir(part, { recursive: true, mode: ownAlone });
    try {
      for (const name of await readdir(this.folderOf(from))) {
        const [file, twin] = [path.join(this.folderOf(from), name), path.join(part, name)];
        // What is served never changes, so that two names for one file do. Some file systems know of no such thing.
        await link(file, twin).catch(() => copyFile(file, twin));
      }
      await rename(part, folder);
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  }

  /** Draws a card into a file. Throws `unavailable` where too many wait: no more of them at once than one account has pictures. */
  async draw(card: Card, file: string): Promise<void> {
    await this.#workshop.do({ source: file, folder: "", card }, { account: "cards", alone: false });
  }

  /** How many pictures are being worked on. */
  get atWork(): number {
    return this.#workshop.atWork;
  }

  /** Ends the work on pictures. */
  close(): void {
    this.#workshop.close();
  }

  /** Deletes a picture's files, whether they were stored to the end or not. */
  async remove(id: string): Promise<void> {
    const folder = this.folderOf(id);
    for (const each of [folder, `${folder}.part`]) await rm(each, { recursive: true, force: true });
  }

  /** The ids of pictures that have files from before a time, some of them at once. */
  async *storedBefore(time: number): AsyncGenerator<string[]> {
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

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostOfHead), 0, mostOfHead, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
