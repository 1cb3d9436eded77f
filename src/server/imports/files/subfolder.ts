import path from "node:path";
import { FileProblem, type Files } from "../source.ts";

/** One folder of other files, which cannot be left. */
export class Subfolder implements Files {
  readonly #files: Files;
  readonly #prefix: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#prefix = `${folder}/`;
  }

  async list(): Promise<{ name: string; bytes: number }[]> {
    const all = await this.#files.list();
    return all
      .filter(({ name }) => name.startsWith(this.#prefix))
      .map(({ name, bytes }) => ({ name: name.slice(this.#prefix.length), bytes }));
  }

  async read(name: string, maxBytes: number): Promise<Buffer> {
    return this.#files.read(this.#nameOf(name), maxBytes);
  }

  async stream(name: string): Promise<NodeJS.ReadableStream> {
    return this.#files.stream(this.#nameOf(name));
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  #nameOf(name: string): string {
    const whole = path.posix.normalize(this.#prefix + name);
    if (!whole.startsWith(this.#prefix)) throw new FileProblem("it is outside the folder");
    return whole;
  }
}
