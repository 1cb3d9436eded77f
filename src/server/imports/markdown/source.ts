import path from "node:path";
import { decodeUri } from "../../../shared/decode-uri.ts";
import { importBounds as bounds } from "../bounds.ts";
import {
  FileProblem,
  unreadableText,
  type Files,
  type Found,
  type SkippedFile,
  type Source,
  type SourcePost,
} from "../source.ts";
import { textOf } from "../reading/decode.ts";
import { skippedTagsText } from "../report.ts";
import { formerPathsOf, languageInName, nameWithoutDate, withoutLanguage } from "./former-paths.ts";
import { readPost, type PostFile } from "./front-matter.ts";
import { bundlePageOf, inheritedReason, siteOf, textField, type Site } from "./site.ts";
import { convertTags, withoutImports, type ConvertedTags } from "./template-tags.ts";
import { hiddenPathReason, skippedFileReason, skippedFolderReason } from "./visibility.ts";

const { posix } = path;

/** A folder of Markdown for Hugo, Jekyll, Zola, Astro, Eleventy, or no generator. */
export class MarkdownSource implements Source {
  readonly kind = "markdown";
  readonly count: number;
  readonly origins: readonly string[];
  readonly #files: Files;
  readonly #names: string[];
  readonly #skipped: SkippedFile[];
  readonly #inPosts: boolean;
  readonly #top: string;
  readonly #site: Site;
  /** Whether a post has front matter: files without it may then be notes on the project. */
  #expectsFrontMatter = false;

  private constructor(files: Files, listed: Listed, site: Site) {
    this.#files = files;
    this.#names = listed.names;
    this.#skipped = listed.skipped;
    this.#top = listed.top;
    this.#inPosts = listed.names.some((name) => name.split("/").includes("_posts"));
    this.#site = site;
    this.count = listed.names.length;
    this.origins = site.origins;
  }

  /** Throws `FileProblem` when there is no Markdown. */
  static async of(files: Files): Promise<MarkdownSource> {
    const listed = listMarkdown(await files.list(), files.skipped ?? []);
    if (!listed.names.some((name) => !isHtml(name) || /(?:^|\/)_posts\//.test(name)))
      throw new FileProblem("no Markdown files (.md or .markdown) found");
    const site = await siteOf(files, listed.top, listed.names);
    listed.skipped.push(...site.programs);
    const source = new MarkdownSource(files, listed, site);
    source.#expectsFrontMatter = await source.#hasFrontMatter();
    return source;
  }

  async #hasFrontMatter(): Promise<boolean> {
    for (const file of this.#names) {
      if (skippedFileReason(this.#relativePath(file), { inPosts: this.#inPosts, hasDate: true })) continue;
      try {
        if (readPost(textOf(await this.#files.read(file, bounds.text)), file).hasFrontMatter) return true;
      } catch {
        // Reported when the file is imported.
      }
    }
    return false;
  }

  async *posts(): AsyncGenerator<Found> {
    for (const { file, reason } of this.#skipped) yield { file, reason };
    for (const file of this.#names) yield await this.#read(file);
  }

  async #read(file: string): Promise<Found> {
    const inPosts = this.#inPosts;
    const pathReason = skippedFileReason(this.#relativePath(file), { inPosts, hasDate: true });
    // Before reading the file, which may be unreadable.
    if (pathReason !== null) return { file, reason: pathReason };
    const bundlePage = bundlePageOf(file, this.#site);
    if (bundlePage !== null) return { file, reason: `an attachment of ${bundlePage}, not a post` };
    try {
      const post = readPost(textOf(await this.#files.read(file, bounds.text)), file, {
        timeZone: this.#site.timeZone,
      });
      const { frontMatter, fields, hasFrontMatter, body } = post;
      if (isHtml(file) && Object.keys(fields).length === 0)
        return { file, reason: "HTML without front matter: a page or template" };
      const hasDate = frontMatter.date !== null;
      const reason = skippedFileReason(this.#relativePath(file), { inPosts, hasDate });
      if (reason !== null) return { file, reason };
      if (!hasFrontMatter && this.#expectsFrontMatter)
        frontMatter.hidden ??= "it has no front matter, unlike other files here";
      return {
        post: this.#post(file, post, convertTags(file.endsWith(".mdx") ? withoutImports(body) : body)),
      };
    } catch (error) {
      return error instanceof FileProblem
        ? { file, reason: error.message, isWrong: true }
        : unreadableText(file, error);
    }
  }

  #post(
    file: string,
    { fields, frontMatter: front }: PostFile,
    { text, unknown, hidden }: ConvertedTags,
  ): SourcePost {
    const language = languageInName(file, this.#site);
    const title = front.title ?? titleFromName(file) ?? "";
    const isFuture = front.date !== null && front.date.getTime() > Date.now();
    const optional = {
      description: front.description,
      cover: front.cover,
      publishedAt: front.date,
      slug: textField(fields, "slug") ?? this.#slugOfName(file, language),
      canonicalUrl: textField(fields, "canonical", "canonicalurl", "originalurl"),
      searchTitle: textField(fields, "seotitle", "metatitle"),
      searchDescription: textField(fields, "metadescription", "seodescription"),
      language: textField(fields, "lang", "language", "locale") ?? language ?? this.#site.language,
    };
    return {
      source: front.path ?? file,
      file,
      title,
      tags: [...front.tags, ...front.categories],
      body: { kind: isHtml(file) ? "html" : "markdown", text },
      hidden:
        front.hidden ??
        hiddenPathReason(this.#relativePath(file)) ??
        inheritedReason(file, this.#site) ??
        (isFuture ? "its date is in the future" : null) ??
        hidden,
      forFollowers: front.forFollowers,
      paths: formerPathsOf(this.#relativePath(file), fields, { ...front, title }, this.#site),
      authors: front.authors.map((name) => ({ key: name, name })),
      problems: [
        ...front.problems,
        ...(file.endsWith(".mdx") ? ["It is MDX. Its text was imported without components."] : []),
        ...(unknown.length > 0 ? [skippedTagsText(unknown)] : []),
      ],
      ...(Object.fromEntries(
        Object.entries(optional).filter(([, value]) => value !== null),
      ) as Partial<SourcePost>),
    };
  }

  /** A translation is beside the text, whose name it shares. */
  #slugOfName(file: string, language: string | null): string {
    const name = nameWithoutDate(withoutLanguage(file, language));
    return language === null || language === this.#site.unprefixedLanguage ? name : `${name}-${language}`;
  }

  /** Makes a path relative to the site's root. */
  #relativePath(file: string): string {
    return this.#top && file.startsWith(this.#top) ? file.slice(this.#top.length) : file;
  }

  async file(post: Pick<SourcePost, "file">, name: string, maxBytes: number): Promise<Buffer> {
    const ownOrigin = this.origins.find((origin) => name.startsWith(`${origin}/`));
    const decodedName = decoded(ownOrigin === undefined ? name : name.slice(ownOrigin.length));
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(decodedName)) throw new FileProblem("it is on another site");
    let problem: FileProblem | undefined;
    for (const candidate of this.#candidatesFor(post.file, decodedName))
      try {
        return await this.#files.read(candidate, maxBytes);
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        if (problem === undefined || (problem.message === notThere && error.message !== notThere))
          problem = error;
      }
    throw problem ?? new FileProblem(notThere);
  }

  /** Yields paths next to the post, or from the site's root and folders served there. */
  *#candidatesFor(post: string, name: string): Generator<string> {
    const top = this.#top || "./";
    const [, fromRoot] = /^(?:@|~)\/(.+)$/.exec(name) ?? [];
    if (fromRoot) {
      yield `${top}content/${fromRoot}`;
      yield `${top}src/${fromRoot}`;
      yield `${top}${fromRoot}`;
    } else if (name.startsWith("/")) {
      const { base } = this.#site;
      const names = base && name.startsWith(`${base}/`) ? [name.slice(base.length), name] : [name];
      for (const candidate of names)
        for (const root of ["", "static/", "public/", "assets/", "src/", "source/", "content/"])
          yield `${top}${root}${candidate.slice(1)}`;
    } else {
      const directory = posix.dirname(post);
      yield posix.join(directory, name);
      yield posix.join(directory, nameWithoutDate(post), name);
      for (const root of ["static/", "public/", "assets/", "src/assets/", ""]) yield `${top}${root}${name}`;
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
  skipped: SkippedFile[];
  /** The common root folder with a slash, or empty. */
  top: string;
}

/** Other formats count among posts, or when they are only for texts. */
function kindOf(name: string, folders: string[]): "markdown" | "html" | "other" | null {
  if (/\.(?:md|mdx|markdown|mkdn?|mkdown)$/i.test(name)) return "markdown";
  if (/\.(?:textile|adoc|asciidoc|org|rst|rmd|qmd|ipynb)$/i.test(name)) return "other";
  const isAmongPosts = folders.some((folder) => /^(?:_posts|_drafts|content|posts|blog)$/i.test(folder));
  if (!isAmongPosts || folders.some((folder) => /^(?:static|public|assets|dist|_site)$/i.test(folder)))
    return null;
  if (/\.html?$/i.test(name)) return "html";
  return /\.(?:txt|njk|liquid|pug|haml|webc|hbs|mustache)$/i.test(name) ? "other" : null;
}

/** Lists the Markdown files; a folder without posts gets a single line. */
function listMarkdown(files: { name: string }[], unreadable: readonly SkippedFile[]): Listed {
  const [first = ""] = files[0]?.name.split("/", 1) ?? [];
  const hasOneRoot =
    files.length > 0 &&
    files.every(({ name }) => name.startsWith(`${first}/`)) &&
    skippedFolderReason(first) === null &&
    hiddenPathReason(`${first}/a.md`) === null &&
    !/^(?:_|content$|posts?$|blog$|src$)/.test(first);
  const top = hasOneRoot ? `${first}/` : "";
  const names: string[] = [];
  const skipped = new Map(unreadable.map((one) => [one.file, one]));
  for (const { name } of files) {
    const folders = name.slice(top.length).split("/").slice(0, -1);
    const kind = kindOf(name, folders);
    if (kind === null) continue;
    const index = folders.findIndex((folder) => skippedFolderReason(folder) !== null);
    if (index === -1 && kind === "other")
      skipped.set(name, {
        file: name,
        reason: "only Markdown and HTML with front matter are imported",
      });
    else if (index === -1) names.push(name);
    else if (kind === "markdown") {
      const folder = `${top}${folders.slice(0, index + 1).join("/")}/`;
      skipped.set(folder, { file: folder, reason: skippedFolderReason(folders[index] ?? "") ?? "" });
    }
  }
  return { names, skipped: [...skipped.values()], top };
}

/** Jekyll's `2020-01-02-a-walk.md` is “A walk”. */
function titleFromName(file: string): string | null {
  const [, words] = /(?:^|\/)\d{4}-\d\d-\d\d-([^/]+)\.\w+$/.exec(file) ?? [];
  const title = words?.replace(/[-_]+/g, " ").trim();
  return title ? title.charAt(0).toUpperCase() + title.slice(1) : null;
}

const decoded = (src: string): string => decodeUri(src.replace(/[?#].*$/s, "")) ?? src;
