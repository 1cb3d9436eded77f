import path from "node:path";
import { ZodError } from "zod";
import { NewBlog, Tag, type Picture } from "../../shared/blogs.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { importedBlog } from "../blogs/queries.ts";
import type { StoredImage } from "../blogs/parse-html.ts";
import { saidOfLinks } from "../blogs/pictures.ts";
import { createBlog } from "../blogs/service.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../ids.ts";
import { addBytes, coverTypes } from "../media/service.ts";
import { FileProblem, Folder, type PassedBy } from "./folder.ts";
import { FrontMatterError, readPost } from "./front-matter.ts";
import { whyHiddenAt, whyNoPost } from "./not-public.ts";

/** What became of an import: each thing that did not come in as it stood has a line with the reason. */
export interface ImportSummary {
  found: number;
  imported: number;
  before: number;
  pictures: number;
  /** Imported, and for their author alone: what is not plainly public. */
  drafts: PassedBy[];
  /** No posts at all. */
  leftOut: PassedBy[];
  problems: { file: string; problem: string }[];
}

export interface ImportOptions {
  onProgress?: (done: number, of: number, file: string) => void;
  /** Milliseconds that every date is moved on by. */
  later?: number;
}

const largestText = 2 * 1024 * 1024;

/**
 * Imports a folder of Markdown as blogs of the context's viewer, with the pictures beside the text. What was imported
 * before is left alone; what can't be taken is told of and harms nothing else.
 */
export async function importMarkdown(
  ctx: MemberContext,
  directory: string,
  { onProgress = () => undefined, later = 0 }: ImportOptions = {},
): Promise<ImportSummary> {
  const folder = await Folder.at(directory);
  const { files, passedBy } = await folder.markdown();
  const summary: ImportSummary = {
    found: files.length,
    imported: 0,
    before: 0,
    pictures: 0,
    drafts: [],
    leftOut: passedBy,
    problems: [],
  };
  const site = {
    inPosts: files.some((file) => file.split(path.sep).includes("_posts")),
    sections: await hiddenSections(folder, files),
  };
  for (const [index, file] of files.entries()) {
    onProgress(index, files.length, file);
    const tell = (problem: string) => {
      summary.problems.push({ file, problem });
    };
    try {
      await importFile(ctx, { folder, file, site, later }, summary, tell);
    } catch (error) {
      if (!wasPlanned(error)) ctx.log.error({ err: error, file }, "a file could not be imported");
      tell(messageOf(error));
    }
  }
  onProgress(files.length, files.length, "");
  return summary;
}

interface Source {
  folder: Folder;
  file: string;
  site: { inPosts: boolean; sections: ReadonlyMap<string, string> };
  later: number;
}

async function importFile(
  ctx: MemberContext,
  { folder, file, site, later }: Source,
  summary: ImportSummary,
  tell: (problem: string) => void,
): Promise<void> {
  const leaveOut = (reason: string | null): boolean => {
    if (reason !== null) summary.leftOut.push({ file, reason });
    return reason !== null;
  };
  // What is no post whatever it says need not be readable.
  if (leaveOut(whyNoPost(file, { ...site, hasDate: true }))) return;
  const text = textOf(await folder.read(file, largestText));
  const { frontMatter, body } = readPost(text, file);
  if (leaveOut(whyNoPost(file, { ...site, hasDate: frontMatter.date !== null }))) return;
  if (!frontMatter.title) return tell("It has no title in its front matter and was left out.");
  const source = frontMatter.path ?? file;
  if (await importedBlog(ctx.database.read, ctx.viewer.id, source)) return void summary.before++;

  const pictures = new PicturesBeside(ctx, folder, path.dirname(file), tell);
  const { document, droppedLinks } = await readMarkdown(ctx, body, (src) => pictures.find(src));
  if (droppedLinks.length > 0)
    tell(
      `Of ${droppedLinks.length === 1 ? "a link" : `${droppedLinks.length} links`} only the text was kept: ${droppedLinks.slice(0, 3).join(", ")}${droppedLinks.length > 3 ? " …" : ""}`,
    );
  const now = Date.now();
  const date = frontMatter.date ? frontMatter.date.getTime() + later : undefined;
  const isAhead = date !== undefined && date > now;
  const hidden =
    frontMatter.hidden ??
    whyHiddenAt(file) ??
    sectionOf(file, site.sections) ??
    (isAhead ? "its date is in the future" : null);
  const publishedAt = isAhead ? now : date;
  const blog = NewBlog.parse({
    id: newId(Math.max(publishedAt ?? now, 0)),
    title: cut(frontMatter.title, limits.title.max, "title", tell),
    description: cut(frontMatter.description ?? "", limits.description.max, "description", tell),
    tags: takeTags(frontMatter.tags ?? [], tell),
    document,
    coverId: frontMatter.cover && ((await pictures.take(frontMatter.cover, coverTypes))?.id ?? null),
    draft: hidden !== null,
    private: hidden === null && frontMatter.forFollowers,
  });
  const { links } = await createBlog(ctx, blog, { publishedAt, source });
  if (links > 0) tell(saidOfLinks(links).trim());
  if (hidden !== null) summary.drafts.push({ file, reason: hidden });
  summary.imported++;
  summary.pictures += pictures.stored;
}

/** The folders whose own page hides what is in them, as Hugo's and Zola's `_index.md` may, and why. */
async function hiddenSections(folder: Folder, files: string[]): Promise<Map<string, string>> {
  const sections = new Map<string, string>();
  for (const file of files.filter((name) => /^_index\./i.test(path.basename(name)))) {
    const why = await folder
      .read(file, largestText)
      .then(
        (bytes) => readPost(textOf(bytes), file).frontMatter.hidden,
        (error: unknown) => messageOf(error),
      )
      .catch((error: unknown) => messageOf(error));
    if (why !== null) sections.set(path.dirname(file), `${file} says ${why}`);
  }
  return sections;
}

function sectionOf(file: string, sections: ReadonlyMap<string, string>): string | null {
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const why = sections.get(at);
    if (why !== undefined) return why;
    if (at === ".") return null;
  }
}

/** Throws `FileProblem` where a file's bytes are no text. */
function textOf(bytes: Buffer): string {
  if (bytes.length === 0) throw new FileProblem("it is empty");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new FileProblem("its text is not UTF-8: save it as UTF-8, and import it again", { cause: error });
  }
}

const wasPlanned = (error: unknown): boolean =>
  [AppError, DocumentError, FrontMatterError, FileProblem, ZodError].some((kind) => error instanceof kind);

/** A line for people: never a stack, nor what a library says to programmers. */
function messageOf(error: unknown): string {
  const said =
    error instanceof ZodError
      ? error.issues[0]?.message
      : wasPlanned(error)
        ? (error as Error).message
        : null;
  const line = said?.split("\n", 1)[0] ?? "Something went wrong with it; the log says more.";
  return line.charAt(0).toUpperCase() + line.slice(1) + (/[.!?]$/.test(line) ? "" : ".");
}

/** Markdown as a document, its pictures stored one after the other as they are named; null leaves the description. */
async function readMarkdown(
  { workers }: MemberContext,
  text: string,
  find: (path: string) => Promise<StoredImage | null>,
): Promise<{ document: string; droppedLinks: string[] }> {
  const { document, pictures, droppedLinks } = await workers.run("markdown", { text });
  const stored: Record<string, StoredImage | null> = {};
  for (const picture of pictures) stored[picture.src] = await find(picture.path);
  const placed =
    pictures.length === 0 ? document : (await workers.run("place", { document, stored })).document;
  return { document: placed, droppedLinks };
}

/** Finds pictures named in a text; never outside the folder that is imported. */
class PicturesBeside {
  stored = 0;
  readonly #ctx: MemberContext;
  readonly #folder: Folder;
  readonly #beside: string;
  readonly #tell: (problem: string) => void;

  constructor(ctx: MemberContext, folder: Folder, beside: string, tell: (problem: string) => void) {
    this.#ctx = ctx;
    this.#folder = folder;
    this.#beside = beside;
    this.#tell = tell;
  }

  async find(src: string): Promise<StoredImage | null> {
    const picture = await this.take(src);
    return picture && { src: picture.src, width: picture.width, height: picture.height };
  }

  async take(src: string, accepted?: readonly string[]): Promise<Picture | null> {
    const name = decoded(src);
    try {
      // What begins at the site's top begins at the folder's.
      const bytes = await this.#folder.read(
        name.startsWith("/") ? `.${name}` : path.join(this.#beside, name),
        limits.image.bytes,
      );
      const picture = await addBytes(this.#ctx, bytes, accepted);
      this.stored++;
      return picture;
    } catch (error) {
      if (!wasPlanned(error)) this.#ctx.log.error({ err: error, src }, "a picture could not be imported");
      const reason = wasPlanned(error) ? (error as Error).message : "it cannot be read";
      this.#tell(`The picture ${src} could not be taken: ${reason}`);
      return null;
    }
  }
}

function takeTags(tags: string[], tell: (problem: string) => void): string[] {
  const all = [...new Set(tags.map((tag) => tag.trim().toLowerCase().replace(/\s+/g, "-")).filter(Boolean))];
  const usable = [...new Set(all.flatMap((tag) => Tag.safeParse(tag).data ?? []))];
  const unusable = all.filter((tag) => !Tag.safeParse(tag).success);
  if (unusable.length > 0)
    tell(
      `Of its tags ${unusable.length === 1 ? "one was" : `${unusable.length} were`} left out, as a tag has at most ${limits.tags.length} characters: ${short(unusable)}`,
    );
  if (usable.length > limits.tags.max)
    tell(
      `Of its ${usable.length} tags the first ${limits.tags.max} were taken, not ${short(usable.slice(limits.tags.max))}`,
    );
  return usable.slice(0, limits.tags.max);
}

const short = (tags: string[]): string =>
  tags
    .slice(0, 3)
    .map((tag) => [...tag].slice(0, 40).join(""))
    .join(", ") + (tags.length > 3 ? " …" : "");

/** At most so many characters, cut at a word. */
function cut(text: string, most: number, name: string, tell: (problem: string) => void): string {
  const line = text.replace(/\s+/g, " ").trim();
  const { length } = [...line];
  if (length <= most) return line;
  tell(`Its ${name} has ${length} characters and was cut to ${most}.`);
  const start = [...line].slice(0, most - 1).join("");
  return `${start.replace(/\s+\S*$/, "") || start}…`;
}

function decoded(src: string): string {
  try {
    return decodeURIComponent(src.replace(/[?#].*$/, ""));
  } catch {
    return src;
  }
}
