import { chmodSync, mkdirSync } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { checkedKey, isName, type Entry, type FileStore, type OpenedFile } from "./store.ts";

/** No access for other accounts of the machine: some pictures are private. */
export const ownerOnlyMode = 0o700;

/** Files under `DATA_DIR`, at the paths of their keys. */
export class FolderStore implements FileStore {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = dataDir;
    const pictures = this.#pathOf("media");
    mkdirSync(pictures, { recursive: true, mode: ownerOnlyMode });
    chmodSync(pictures, ownerOnlyMode);
  }

  #pathOf(key: string): string {
    return path.join(this.#root, checkedKey(key));
  }

  async put<T>(key: string, write: (part: string) => Promise<T>): Promise<T> {
    const file = this.#pathOf(key);
    const part = `${file}.part`;
    await mkdir(path.dirname(file), { recursive: true, mode: ownerOnlyMode });
    try {
      const result = await write(part);
      await rename(part, file);
      return result;
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  }

  copy(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
    return this.put(to, async (part) => {
      await mkdir(part, { mode: ownerOnlyMode });
      for (const name of await readdir(this.#pathOf(from))) {
        if (!isWanted(name)) continue;
        const [file, copy] = [path.join(this.#pathOf(from), name), path.join(part, name)];
        // Safe, as files never change; some file systems have no hard links.
        await link(file, copy).catch(() => copyFile(file, copy));
      }
    });
  }

  async read(key: string): Promise<OpenedFile | null> {
    const handle = await open(this.#pathOf(key)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (!handle) return null;
    const { size, mtimeMs } = await handle.stat();
    return {
      bytes: size,
      changedAt: mtimeMs,
      content: handle.createReadStream({ highWaterMark: 256 * 1024 }),
    };
  }

  size(key: string): Promise<number | null> {
    return stat(this.#pathOf(key)).then(
      ({ size }) => size,
      () => null,
    );
  }

  async finder(): Promise<(key: string) => Promise<boolean>> {
    return async (key) => (await this.size(key)) !== null;
  }

  async send(
    _request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    options?: { lastModified: boolean },
  ): Promise<FastifyReply> {
    const file = this.#pathOf(key);
    return reply.sendFile(path.basename(file), path.dirname(file), { cacheControl: false, ...options });
  }

  local<T>(key: string, work: (file: string) => Promise<T>): Promise<T> {
    return work(this.#pathOf(key));
  }

  async remove(key: string): Promise<void> {
    const file = this.#pathOf(key);
    for (const each of [file, `${file}.part`]) await rm(each, { recursive: true, force: true });
  }

  async *entries(folder: string, depth: number): AsyncGenerator<Entry[]> {
    const found: Entry[] = [];
    const names = await readdir(this.#pathOf(folder)).catch(() => []);
    for (const name of names.filter(isName)) {
      const key = `${folder}/${name}`;
      if (depth > 1) {
        yield* this.entries(key, depth - 1);
        continue;
      }
      const file = await stat(this.#pathOf(key)).catch(() => undefined);
      if (file) found.push({ key, bytes: file.size, changedAt: file.mtimeMs });
    }
    if (found.length > 0) yield found;
  }
}
