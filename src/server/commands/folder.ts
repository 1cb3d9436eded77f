import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { whyNoPosts } from "./not-public.ts";

/** What stands in the way of reading a file, said for the person who reads the summary. */
export class FileProblem extends Error {
  override name = "FileProblem";
}

/** A file or folder that was passed by, and why. */
export interface PassedBy {
  file: string;
  reason: string;
}

/** A folder to read from, and nothing outside it: wherever links and paths lead, what is read lies within. */
export class Folder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async at(folder: string): Promise<Folder> {
    return new Folder(await realpath(folder));
  }

  /** The Markdown in it, by paths from the folder; what is not gone through is told of. */
  async markdown(deepest = 8): Promise<{ files: string[]; passedBy: PassedBy[] }> {
    const files: string[] = [];
    const passedBy: PassedBy[] = [];
    const walk = async (folder: string, depth: number): Promise<void> => {
      const entries = await readdir(path.join(this.#root, folder), { withFileTypes: true }).catch(
        (error: unknown) => {
          passedBy.push({ file: `${folder}${path.sep}`, reason: reasonOf(error) });
          return [];
        },
      );
      for (const entry of entries) {
        const file = path.join(folder, entry.name);
        const isMarkdown = /\.(md|markdown)$/i.test(entry.name);
        if (entry.isSymbolicLink()) {
          const isFolder = !path.extname(entry.name);
          if (isMarkdown || isFolder) passedBy.push({ file, reason: "a link, and links are not followed" });
        } else if (entry.isDirectory()) {
          const reason = depth >= deepest ? "too deep within the folder" : whyNoPosts(entry.name);
          if (reason === null) await walk(file, depth + 1);
          else if (entry.name !== ".git") passedBy.push({ file: `${file}${path.sep}`, reason });
        } else if (isMarkdown && entry.isFile()) files.push(file);
      }
    };
    await walk("", 1);
    return { files: files.sort(), passedBy };
  }

  /** The bytes of a file, by its path from the folder. Throws `FileProblem` where it is outside, larger than `most`, or no file. */
  async read(file: string, most: number): Promise<Buffer> {
    try {
      const real = await realpath(path.resolve(this.#root, file));
      const within = path.relative(this.#root, real);
      if (within === ".." || within.startsWith(`..${path.sep}`) || path.isAbsolute(within))
        throw new FileProblem("it lies outside the folder");
      // What `realpath` answered with has no links in it; should one have come meanwhile, it is not followed. A pipe is not waited for.
      const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const stats = await handle.stat();
        if (!stats.isFile()) throw new FileProblem("it is no file");
        if (stats.size > most)
          throw new FileProblem(`it has ${megabytes(stats.size)}; at most ${megabytes(most)} are taken`);
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw error instanceof FileProblem ? error : new FileProblem(reasonOf(error), { cause: error });
    }
  }
}

const reasons: Record<string, string> = {
  ENOENT: "it is not there",
  ENOTDIR: "it is not there",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
  EISDIR: "it is no file",
  ELOOP: "it is a link that leads nowhere",
  ENXIO: "it is no file",
  ENAMETOOLONG: "its name is too long",
};
const reasonOf = (error: unknown): string =>
  reasons[(error as NodeJS.ErrnoException).code ?? ""] ?? "it cannot be read";

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
