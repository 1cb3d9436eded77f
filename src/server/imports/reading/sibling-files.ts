import { decodeUri } from "../../../shared/decode-uri.ts";
import { FileProblem, type Files, type Source } from "../source.ts";

/** The files that texts refer to, found by name. */
export interface SiblingFiles extends Pick<Source, "file" | "close"> {
  /** Returns the name of the file at an address, or null. */
  find: (address: string) => string | null;
  /** Returns the address of that file from the root, or null. */
  addressOf: (address: string) => string | null;
}

/** `roots` finds the folder from which names and addresses agree. Case does not count. */
export async function siblingFiles(files: Files, roots: RegExp): Promise<SiblingFiles> {
  const endOf = (name: string): string => {
    const at = name.search(roots);
    return at < 0 ? "" : name.slice(at).normalize("NFC").toLowerCase();
  };
  // Of several the first counts.
  const names = (await files.list()).map(({ name }) => [endOf(name), name] as const);
  const byEnd = new Map(names.filter(([end]) => end).toReversed());
  const find = (address: string) => byEnd.get(endOf(decodedPath(address))) ?? null;
  return {
    find,
    addressOf: (address) => {
      const file = find(address);
      return file && `/${file.split("/").map(encodeURIComponent).join("/")}`;
    },
    file: async (_post, address, maxBytes) => {
      const name = find(address);
      if (name === null) throw new FileProblem("file not found");
      return files.read(name, maxBytes);
    },
    close: () => files.close(),
  };
}

/** Decodes a path without query and hash. */
export function decodedPath(address: string): string {
  const path = address.replace(/[?#].*$/s, "");
  return decodeUri(path) ?? path;
}
