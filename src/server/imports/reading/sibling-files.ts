import { decodeUri } from "../../../shared/decode-uri.ts";
import { FileProblem, type Files } from "../source.ts";

/** Finds the files that texts refer to, by name. */
export class SiblingFiles {
  readonly #files: Files;
  /** By the end of the name from the root on, in lower case. */
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

  /** `roots` finds the folder from which names and addresses agree. */
  static async of(files: Files, roots: RegExp): Promise<SiblingFiles> {
    return new SiblingFiles(
      files,
      (await files.list()).map(({ name }) => name),
      roots,
    );
  }

  /** Returns the file's name, or null. */
  find(address: string): string | null {
    const end = this.#endOf(decodedPath(address));
    return (end && this.#byEnd.get(end)) || null;
  }

  async read(address: string, maxBytes: number): Promise<Buffer> {
    const name = this.find(address);
    if (name === null) throw new FileProblem("file not found");
    return this.#files.read(name, maxBytes);
  }

  #endOf(name: string): string | null {
    const match = this.#roots.exec(name);
    return match ? name.slice(match.index).normalize("NFC").toLowerCase() : null;
  }
}

/** Decodes a path without query and hash. */
export function decodedPath(address: string): string {
  const path = address.replace(/[?#].*$/s, "");
  return decodeUri(path) ?? path;
}
