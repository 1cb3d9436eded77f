import { constants } from "node:fs";
import { open, readdir, realpath, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { importBounds as bounds } from "../bounds.ts";
import { FileProblem, type Files, type SkippedFile } from "../source.ts";

/** Skipped: they contain many files, none written by the author. */
const skippedFolders = new Set(["node_modules", "bower_components", ".git"]);

/** A folder as a source, which is never left, wherever links and paths lead. */
export class Folder implements Files {
  readonly skipped: SkippedFile[] = [];
  readonly #root: string;
  #list: { name: string; bytes: number }[] | undefined;

  private constructor(root: string) {
    this.#root = root;
  }

  static async at(folder: string): Promise<Folder> {
    return new Folder(await realpath(folder));
  }

  /** Throws `FileProblem` for too many files. Sizes are checked on reading. */
  async list(): Promise<{ name: string; bytes: number }[]> {
    if (this.#list) return this.#list;
    const files: { name: string; bytes: number }[] = [];
    let entryCount = 0;
    const walk = async (folder: string, depth: number): Promise<void> => {
      const entries = await readdir(path.join(this.#root, folder), { withFileTypes: true }).catch(
        (error: unknown) => {
          this.skipped.push({ file: `${folder}/`, reason: reasonOf(error) });
          return [];
        },
      );
      for (const entry of entries) {
        if (++entryCount > bounds.entries) throw tooManyFiles();
        const name = folder ? `${folder}/${entry.name}` : entry.name;
        if (entry.isSymbolicLink()) {
          const isFolder = !path.extname(entry.name);
          if (isFolder || /\.(?:md|markdown|html?|json|xml|csv)$/i.test(entry.name))
            this.skipped.push({ file: name, reason: "symbolic links are not followed" });
        } else if (entry.isDirectory()) {
          if (skippedFolders.has(entry.name)) {
            if (entry.name !== ".git")
              this.skipped.push({ file: `${name}/`, reason: "folder of third-party files" });
          } else if (depth >= bounds.depth)
            this.skipped.push({ file: `${name}/`, reason: "too many folders deep" });
          else await walk(name, depth + 1);
        } else if (entry.isFile()) files.push({ name, bytes: 0 });
      }
    };
    await walk("", 1);
    return (this.#list = files.sort((one, other) => (one.name < other.name ? -1 : 1)));
  }

  read(file: string, maxBytes: number): Promise<Buffer> {
    return this.#withOpenFile(file, async (handle) => {
      const { size } = await handle.stat();
      if (size > maxBytes) throw tooLarge(size, maxBytes);
      // The file may grow during the read.
      return readAll(handle.createReadStream({ autoClose: false }), maxBytes);
    });
  }

  async stream(file: string): Promise<NodeJS.ReadableStream> {
    const handle = await this.#withOpenFile(file, (openFile) => Promise.resolve(openFile), false);
    return handle.createReadStream();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #withOpenFile<T>(
    file: string,
    work: (handle: FileHandle) => Promise<T>,
    shouldClose = true,
  ): Promise<T> {
    try {
      const realPath = await realpath(path.resolve(this.#root, file));
      const relative = path.relative(this.#root, realPath);
      if (relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
        throw new FileProblem("it is outside the folder");
      // `realpath` leaves no links, and one created since is refused. Pipes do not block.
      const handle = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      let staysOpen = false;
      try {
        if (!(await handle.stat()).isFile()) throw new FileProblem("it is not a file");
        const result = await work(handle);
        staysOpen = !shouldClose;
        return result;
      } finally {
        if (!staysOpen) await handle.close();
      }
    } catch (error) {
      throw error instanceof FileProblem ? error : new FileProblem(reasonOf(error), { cause: error });
    }
  }
}

/** Reads a whole stream. Throws `FileProblem` beyond `maxBytes` bytes, whatever size was announced. */
export async function readAll(stream: NodeJS.ReadableStream, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    if ((size += part.length) > maxBytes) throw tooLarge(size, maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export const tooLarge = (size: number, maxBytes: number): FileProblem =>
  new FileProblem(`too large: ${megabytes(size)} (at most ${megabytes(maxBytes)})`);

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

export const tooManyFiles = () =>
  new FileProblem(`it has more than ${bounds.entries.toLocaleString("en")} files. Please import it in parts`);

const reasons: Record<string, string> = {
  ENOENT: "file not found",
  ENOTDIR: "file not found",
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  EISDIR: "it is not a file",
  ELOOP: "broken link",
  ENXIO: "it is not a file",
  ENAMETOOLONG: "its name is too long",
};
const reasonOf = (error: unknown): string =>
  reasons[(error as NodeJS.ErrnoException).code ?? ""] ?? "can’t be read";
