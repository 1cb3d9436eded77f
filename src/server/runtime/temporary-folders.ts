import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

/** Milliseconds for which a request may need its folder. */
const oldest = 24 * 60 * 60_000;

/** Temporary folders of requests, under `DATA_DIR/tmp`. */
export class Temporary {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, "tmp");
  }

  /** Runs `work` with a new folder, which is always removed. */
  async folder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = path.join(this.#folder, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes the folders of processes that were killed: those older than a day, since other servers may share `DATA_DIR`. */
  async sweep(now: number): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const folder = path.join(this.#folder, name);
      const changedAt = (await stat(folder).catch(() => undefined))?.mtimeMs ?? now;
      if (now - changedAt > oldest) await rm(folder, { recursive: true, force: true });
    }
  }
}
