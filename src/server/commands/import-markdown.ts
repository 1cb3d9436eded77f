import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { NewBlog } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { createBlog } from "../blogs/service.ts";
import { importedBlog } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../ids.ts";
import { addPicture } from "../media/service.ts";
import { markdownToDocument, readPost } from "./markdown.ts";

/** What became of an import. `problems` has a line for each thing that could not be taken. */
export interface ImportSummary {
  found: number;
  imported: number;
  before: number;
  pictures: number;
  problems: { file: string; problem: string }[];
}

const largestText = 2 * 1024 * 1024;
const deepest = 8;

/**
 * Imports a folder of Markdown as blogs of the context's viewer, with the pictures beside the text. What was imported
 * before is left alone; what can't be taken is told of and harms nothing else.
 */
export async function importMarkdown(
  ctx: MemberContext,
  folder: string,
  onProgress: (done: number, of: number, file: string) => void = () => undefined,
): Promise<ImportSummary> {
  const files = await markdownFiles(folder);
  const summary: ImportSummary = { found: files.length, imported: 0, before: 0, pictures: 0, problems: [] };
  for (const [index, file] of files.entries()) {
    onProgress(index, files.length, file);
    const tell = (problem: string) => {
      summary.problems.push({ file, problem });
    };
    try {
      await importFile(ctx, folder, file, summary, tell);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  }
  onProgress(files.length, files.length, "");
  return summary;
}

async function importFile(
  ctx: MemberContext,
  folder: string,
  file: string,
  summary: ImportSummary,
  tell: (problem: string) => void,
): Promise<void> {
  const full = path.join(folder, file);
  const { size } = await stat(full);
  if (size > largestText)
    return tell(`The text has ${megabytes(size)}; at most ${megabytes(largestText)} are taken.`);
  const { frontMatter, body } = readPost(await readFile(full, "utf8"), file);
  if (!frontMatter.title) return tell("It has no title in its front matter and was left out.");
  const source = frontMatter.path ?? file;
  if (await importedBlog(ctx.database.read, ctx.viewer.id, source)) return void summary.before++;

  const pictures = new PicturesBeside(ctx, folder, path.dirname(full), tell);
  const { document, droppedLinks } = await markdownToDocument(body, {
    resolveImage: (src) => pictures.find(src),
  });
  if (droppedLinks.length > 0)
    tell(
      `Of ${droppedLinks.length === 1 ? "a link" : `${droppedLinks.length} links`} only the text was kept: ${droppedLinks.slice(0, 3).join(", ")}${droppedLinks.length > 3 ? " …" : ""}`,
    );
  const { date } = frontMatter;
  const blog = NewBlog.parse({
    id: newId(date?.getTime()),
    title: cut(frontMatter.title, limits.title.max),
    description: cut(frontMatter.description ?? "", limits.description.max),
    tags: takeTags(frontMatter.tags ?? [], tell),
    document,
    draft: frontMatter.draft ?? false,
  } satisfies z.input<typeof NewBlog>);
  await createBlog(ctx, blog, { publishedAt: date?.getTime(), source });
  summary.imported++;
  summary.pictures += pictures.stored;
}

/** Finds pictures named in a text; never outside the folder that is imported. */
class PicturesBeside {
  stored = 0;
  readonly #ctx: MemberContext;
  readonly #folder: string;
  readonly #beside: string;
  readonly #tell: (problem: string) => void;

  constructor(ctx: MemberContext, folder: string, beside: string, tell: (problem: string) => void) {
    this.#ctx = ctx;
    this.#folder = folder;
    this.#beside = beside;
    this.#tell = tell;
  }

  async find(src: string): Promise<{ src: string; width: number; height: number } | null> {
    const name = decoded(src);
    const file = path.resolve(this.#beside, name.startsWith("/") ? path.join(this.#folder, name) : name);
    try {
      if (path.relative(this.#folder, file).startsWith("..")) throw new Error("it lies outside the folder");
      const { size } = await stat(file);
      if (size > limits.image.bytes)
        throw new Error(`it has ${megabytes(size)}, at most ${megabytes(limits.image.bytes)} are taken`);
      const picture = await addPicture(this.#ctx, await readFile(file));
      this.stored++;
      return { src: picture.src, width: picture.width, height: picture.height };
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const reason = missing
        ? "it is not there"
        : error instanceof AppError
          ? error.message
          : (error as Error).message;
      this.#tell(`The picture ${src} could not be taken: ${reason}`);
      return null;
    }
  }
}

async function markdownFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(md|markdown)$/i.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter(
      (file) =>
        file.split(path.sep).length <= deepest &&
        !file.split(path.sep).some((part) => part.startsWith(".") || part === "node_modules"),
    )
    .sort();
}

function takeTags(tags: string[], tell: (problem: string) => void): string[] {
  const usable = [...new Set(tags.map((tag) => tag.trim().toLowerCase().replace(/\s+/g, "-")))].filter(
    (tag) => tag && [...tag].length <= limits.tags.length,
  );
  if (usable.length > limits.tags.max)
    tell(`Of its ${usable.length} tags the first ${limits.tags.max} were taken.`);
  return usable.slice(0, limits.tags.max);
}

/** At most so many characters, cut at a word. */
function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if ([...line].length <= most) return line;
  const short = [...line].slice(0, most - 1).join("");
  return `${short.replace(/\s+\S*$/, "") || short}…`;
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function decoded(src: string): string {
  try {
    return decodeURIComponent(src.replace(/[?#].*$/, ""));
  } catch {
    return src;
  }
}
