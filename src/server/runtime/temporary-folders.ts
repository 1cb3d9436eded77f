import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";

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

  /** Removes a killed process's folders. Only at the server's start: commands run beside it. */
  async sweep(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
