import path from "node:path";
import { importBounds as bounds } from "../bounds.ts";
import {
  FileProblem,
  type Files,
  type Found,
  type PassedBy,
  type Source,
  type SourcePost,
} from "../source.ts";
import { unread } from "../reading/unread.ts";
import { withoutComments, withoutImports, type Seen } from "./comments.ts";
import { FrontMatterError, readPost } from "./front-matter.ts";
import { textOf } from "./bytes.ts";
import { bundlesIn, carrierOf, readAbove, whyHiddenBy, type Hiding } from "./folders.ts";
import { whyHiddenAt, whyNoPost, whyNoPosts, type Fields } from "./not-public.ts";
import { pathsOf, plainName, textField } from "./places.ts";
import { leftOut } from "../report.ts";
import { withoutShortcodes } from "./shortcodes.ts";
import { siteOf, type Site } from "./site.ts";

const { posix } = path;

/** A folder of Markdown as generators of sites have it: Hugo, Jekyll, Zola, Astro, Eleventy, or none. */
export class MarkdownSource implements Source {
  readonly kind = "markdown";
  readonly count: number;
  readonly origins: readonly string[];
  readonly #files: Files;
  readonly #names: string[];
  readonly #passedBy: PassedBy[];
  readonly #inPosts: boolean;
  readonly #top: string;
  readonly #site: Site;
  readonly #hidden: Hiding;
  /** Hugo's folders that are one page. */
  readonly #bundles: ReadonlyMap<string, string>;

  private constructor(files: Files, found: Listed, site: Site, hidden: Hiding) {
    this.#files = files;
    this.#names = found.names;
    this.#passedBy = found.passedBy;
    this.#top = found.top;
    this.#inPosts = found.names.some((name) => name.split("/").includes("_posts"));
    this.#site = site;
    this.#hidden = hidden;
    this.#bundles = site.isHugo ? bundlesIn(found.names) : new Map();
    this.count = found.names.length;
    this.origins = site.origins;
  }

  /** Throws `FileProblem` where there is no Markdown in it. */
  static async of(files: Files): Promise<MarkdownSource> {
    const listed = markdownIn(await files.list(), files.passedBy ?? []);
    if (!listed.names.some((name) => !isHtml(name) || /(?:^|\/)_posts\//.test(name)))
      throw new FileProblem("no Markdown files (.md or .markdown) found");
    const site = await siteOf(files, listed.top);
    const above = await readAbove(files, listed.names);
    listed.passedBy.push(...above.passedBy);
    return new MarkdownSource(files, listed, site, new Map([...site.hidden, ...above.hidden]));
  }

  async *posts(): AsyncGenerator<Found> {
    for (const { file, reason } of this.#passedBy) yield { file, reason };
    for (const file of this.#names) yield await this.#read(file);
  }

  async #read(file: string): Promise<Found> {
    const inPosts = this.#inPosts;
    const first = whyNoPost(this.#within(file), { inPosts, hasDate: true });
    // What is no post whatever it says need not be readable.
    if (first !== null) return { file, reason: first };
    const carrier = carrierOf(file, this.#bundles);
    if (carrier !== null) return { file, reason: `an attachment of ${carrier}, not a post` };
    try {
      const text = textOf(await this.#files.read(file, bounds.text));
      const { frontMatter, fields, body } = readPost(text, file);
      if (isHtml(file) && Object.keys(fields).length === 0)
        return { file, reason: "HTML without front matter: a page or template" };
      const reason = whyNoPost(this.#within(file), { inPosts, hasDate: frontMatter.date !== null });
      if (reason !== null) return { file, reason };
      const title = frontMatter.title ?? titleInName(file);
      if (!title) return { file, reason: "Its front matter has no title.", isWrong: true };
      const seen = withoutComments(file.endsWith(".mdx") ? withoutImports(body) : body);
      if (isHtml(file)) {
        const { text: plain, unknown } = withoutShortcodes(seen.text, { isHtml: true });
        const post = this.#post(file, fields, { ...frontMatter, title }, seen);
        if (unknown.length > 0) post.problems.push(leftOut(unknown));
        return { post: { ...post, title, body: { kind: "html", text: plain } } };
      }
      const post = this.#post(file, fields, { ...frontMatter, title }, seen);
      return { post: { ...post, title, body: { kind: "markdown", text: seen.text } } };
    } catch (error) {
      if (!(error instanceof FileProblem) && !(error instanceof FrontMatterError)) return unread(file, error);
      return { file, reason: error.message, isWrong: true };
    }
  }

  #post(
    file: string,
    fields: Fields,
    { date, title, ...front }: ReturnType<typeof readPost>["frontMatter"] & { title: string },
    seen: Seen,
  ): Omit<SourcePost, "title" | "body"> {
    const isAhead = date !== null && date.getTime() > Date.now();
    const optional = {
      description: front.description,
      cover: front.cover,
      publishedAt: date,
      slug: textField(fields, "slug"),
      canonicalUrl: textField(fields, "canonical", "canonicalurl", "originalurl"),
      searchTitle: textField(fields, "seotitle", "metatitle"),
      searchDescription: textField(fields, "metadescription", "seodescription"),
      language: textField(fields, "lang", "language", "locale"),
    };
    return {
      source: front.path ?? file,
      file,
      tags: [...front.tags, ...front.categories],
      hidden:
        front.hidden ??
        whyHiddenAt(this.#within(file)) ??
        whyHiddenBy(file, this.#hidden) ??
        (isAhead ? "its date is in the future" : null) ??
        seen.hidden,
      forFollowers: front.forFollowers,
      paths: pathsOf(this.#within(file), fields, { ...front, date, title }, this.#site),
      authors: front.authors.map((name) => ({ key: name, name })),
      problems: [
        ...(file.endsWith(".mdx") ? ["It is MDX. Its text was imported without components."] : []),
        ...(seen.commented.length > 0 ? [`Skipped ${seen.commented.join(", ")} comments`] : []),
      ],
      ...(Object.fromEntries(
        Object.entries(optional).filter(([, value]) => value !== null),
      ) as Partial<SourcePost>),
    };
  }

  /** Its path from where the site's own files begin. */
  #within(file: string): string {
    return this.#top && file.startsWith(this.#top) ? file.slice(this.#top.length) : file;
  }

  async file(post: Pick<SourcePost, "file">, name: string, most: number): Promise<Buffer> {
    const given = this.origins.find((origin) => name.startsWith(`${origin}/`));
    const plain = decoded(given === undefined ? name : name.slice(given.length));
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(plain)) throw new FileProblem("it is on another site");
    let problem: FileProblem | undefined;
    for (const candidate of this.#placesOf(post.file, plain))
      try {
        return await this.#files.read(candidate, most);
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        if (problem === undefined || (problem.message === notThere && error.message !== notThere))
          problem = error;
      }
    throw problem ?? new FileProblem(notThere);
  }

  /** Where a file may be that a post names: beside it, and what begins at the site's top, there or in a folder that is laid over it. */
  *#placesOf(post: string, name: string): Generator<string> {
    const top = this.#top || "./";
    const [, inAssets] = /^(?:@|~)\/(.+)$/.exec(name) ?? [];
    if (inAssets) {
      yield `${top}content/${inAssets}`;
      yield `${top}src/${inAssets}`;
      yield `${top}${inAssets}`;
    } else if (name.startsWith("/")) {
      const { base } = this.#site;
      const below = base && name.startsWith(`${base}/`) ? [name.slice(base.length), name] : [name];
      for (const one of below)
        for (const over of ["", "static/", "public/", "assets/", "src/", "source/", "content/"])
          yield `${top}${over}${one.slice(1)}`;
    } else {
      const beside = posix.dirname(post);
      yield posix.join(beside, name);
      yield posix.join(beside, plainName(post), name);
      for (const over of ["static/", "public/", "assets/", "src/assets/", ""]) yield `${top}${over}${name}`;
    }
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}

const isHtml = (name: string): boolean => /\.html?$/i.test(name);
const notThere = "file not found";

interface Listed {
  names: string[];
  passedBy: PassedBy[];
  /** The folder that all of it lies in, as a ZIP of a folder has one; with a slash behind it, or empty. */
  top: string;
}

/** What a file may be by its name: of what is no Markdown that alone which stands where posts do, or is of texts only. */
function kindOf(name: string, folders: string[]): "markdown" | "html" | "other" | null {
  if (/\.(?:md|mdx|markdown|mkdn?|mkdown)$/i.test(name)) return "markdown";
  if (/\.(?:textile|adoc|asciidoc|org|rst|rmd|qmd|ipynb)$/i.test(name)) return "other";
  const isAmongPosts = folders.some((folder) => /^(?:_posts|_drafts|content|posts|blog)$/i.test(folder));
  if (!isAmongPosts || folders.some((folder) => /^(?:static|public|assets|dist|_site)$/i.test(folder)))
    return null;
  if (/\.html?$/i.test(name)) return "html";
  return /\.(?:txt|njk|liquid|pug|haml|webc|hbs|mustache)$/i.test(name) ? "other" : null;
}

/** The Markdown among files; of folders that have no posts whatever is in them one line each. */
function markdownIn(all: { name: string }[], passed: readonly PassedBy[]): Listed {
  const [first = ""] = all[0]?.name.split("/", 1) ?? [];
  const isOne =
    all.length > 0 &&
    all.every(({ name }) => name.startsWith(`${first}/`)) &&
    whyNoPosts(first) === null &&
    whyHiddenAt(`${first}/a.md`) === null &&
    !/^(?:_|content$|posts?$|blog$|src$)/.test(first);
  const top = isOne ? `${first}/` : "";
  const names: string[] = [];
  const passedBy = new Map(passed.map((one) => [one.file, one]));
  for (const { name } of all) {
    const folders = name.slice(top.length).split("/").slice(0, -1);
    const kind = kindOf(name, folders);
    if (kind === null) continue;
    const at = folders.findIndex((folder) => whyNoPosts(folder) !== null);
    if (at === -1 && kind === "other")
      passedBy.set(name, {
        file: name,
        reason: "only Markdown and HTML with front matter are imported",
      });
    else if (at === -1) names.push(name);
    else if (kind === "markdown") {
      const folder = `${top}${folders.slice(0, at + 1).join("/")}/`;
      passedBy.set(folder, { file: folder, reason: whyNoPosts(folders[at] ?? "") ?? "" });
    }
  }
  return { names, passedBy: [...passedBy.values()], top };
}

/** Jekyll's way: `2020-01-02-a-walk.md` is “A walk”. */
function titleInName(file: string): string | null {
  const [, words] = /(?:^|\/)\d{4}-\d\d-\d\d-([^/]+)\.\w+$/.exec(file) ?? [];
  const title = words?.replace(/[-_]+/g, " ").trim();
  return title ? title.charAt(0).toUpperCase() + title.slice(1) : null;
}

function decoded(src: string): string {
  try {
    return decodeURIComponent(src.replace(/[?#].*$/s, ""));
  } catch {
    return src;
  }
}
