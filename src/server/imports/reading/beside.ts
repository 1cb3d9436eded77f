import { FileProblem, type Files } from "../source.ts";

/** The files that stand beside a text, found by the names that texts use for them. */
export class Beside {
  readonly #files: Files;
  /** By the end of a name, small, from one of these folders on. */
  readonly #byEnd = new Map<string, string>();
  readonly #roots: RegExp;

  private constructor(files: Files, names: string[], roots: RegExp) {
    this.#files = files;
    this.#roots = roots;
    for (const name of names) {
      const end = this.#endOf(name);
      if (end && !this.#byEnd.has(end)) this.#byEnd.set(end, name);
    }
  }

  /** `roots` finds the folder, within a name or an address, from which on the two are the same. */
  static async of(files: Files, roots: RegExp): Promise<Beside> {
    return new Beside(
      files,
      (await files.list()).map(({ name }) => name),
      roots,
    );
  }

  /** The file that an address or a path means, by its name; null where none is there. */
  find(address: string): string | null {
    const end = this.#endOf(plainName(address));
    return (end && this.#byEnd.get(end)) || null;
  }

  async read(address: string, most: number): Promise<Buffer> {
    const name = this.find(address);
    if (name === null) throw new FileProblem("file not found");
    return this.#files.read(name, most);
  }

  #endOf(name: string): string | null {
    const found = this.#roots.exec(name);
    return found ? name.slice(found.index).normalize("NFC").toLowerCase() : null;
  }
}

/** A path without what stands behind it in an address, as the file is called. */
export function plainName(address: string): string {
  const path = address.replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
