import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";

/** Folders for what requests bring along, under `DATA_DIR/tmp`: each is gone when its request is done. */
export class Temporary {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, "tmp");
  }

  /** A folder for this long; whatever happens, it is removed. */
  async folder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = path.join(this.#folder, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes what a process left that was killed. For the server's start alone: commands run beside it. */
  async sweep(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
