import { open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { FileProblem, type Files } from "../source.ts";
import { Folder, readAll, tooLarge } from "./folder.ts";
import { Zip } from "./zip.ts";

/** Opens a folder, a ZIP (recognized by its bytes) or a single file. `name` is its file name where the path lacks it. */
export async function openFiles(location: string, name = path.basename(location)): Promise<Files> {
  const stats = await stat(location).catch(() => undefined);
  if (!stats) throw new FileProblem(`${location} doesn’t exist`);
  if (stats.isDirectory()) return Folder.at(location);
  if (!stats.isFile()) throw new FileProblem(`${location} is neither a file nor a folder`);
  return (await beginsAsZip(location)) ? Zip.at(location) : OneFile.at(location, name);
}

async function beginsAsZip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && /^PK(?:\x03\x04|\x05\x06)$/.test(buffer.toString("latin1"));
  } finally {
    await handle.close();
  }
}

/** A single file as a source. */
class OneFile implements Files {
  readonly #path: string;
  readonly #name: string;

  private constructor(file: string, name: string) {
    this.#path = file;
    this.#name = name;
  }

  static async at(file: string, name: string): Promise<OneFile> {
    return new OneFile(await realpath(file), name);
  }

  async list(): Promise<{ name: string; bytes: number }[]> {
    return [{ name: this.#name, bytes: (await stat(this.#path)).size }];
  }

  async read(name: string, maxBytes: number): Promise<Buffer> {
    const { size } = await stat(this.#path);
    if (name === this.#name && size > maxBytes) throw tooLarge(size, maxBytes);
    return readAll(await this.stream(name), maxBytes);
  }

  async stream(name: string): Promise<NodeJS.ReadableStream> {
    if (name !== this.#name) throw new FileProblem("file not found");
    return (await open(this.#path)).createReadStream();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
