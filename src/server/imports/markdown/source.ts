import path from "node:path";
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
import { decodedPath } from "../reading/sibling-files.ts";
import { skippedTagsText } from "../report.ts";
import { formerPathsOf, languageInName, nameWithoutDate, withoutLanguage } from "./former-paths.ts";
import { readPost, type PostFile } from "./front-matter.ts";
import { bundlePageOf, inheritedReason, siteOf, textField, type Site } from "./site.ts";
import { convertTags, withoutImports, type ConvertedTags } from "./template-tags.ts";
import { hiddenPathReason, skippedFileReason, skippedFolderReason } from "./visibility.ts";

const { posix } = path;

/** Opens a folder of Markdown for Hugo, Jekyll, Zola, Astro, Eleventy, or no generator. Throws `FileProblem` when there is none. */
export async function openMarkdown(files: Files): Promise<Source> {
  const { names, skipped, top } = listMarkdown(await files.list(), files.skipped ?? []);
  if (!names.some((name) => !isHtml(name) || /(?:^|\/)_posts\//.test(name)))
    throw new FileProblem("no Markdown files (.md or .markdown) found");
  const site = await siteOf(files, top, names);
  const inPosts = names.some((name) => name.split("/").includes("_posts"));
  const folder: MarkdownFolder = { files, top, site, inPosts, expectsFrontMatter: false };
  for (const file of names) if (await hasFrontMatter(folder, file)) folder.expectsFrontMatter = true;
  return {
    kind: "markdown",
    count: names.length,
    origins: site.origins,
    async *posts() {
      for (const { file, reason } of [...skipped, ...site.programs]) yield { file, reason };
      for (const file of names) yield await readFile(folder, file);
    },
    file: (post, name, maxBytes) => readSibling(folder, post.file, name, maxBytes),
    close: () => files.close(),
  };
}

interface MarkdownFolder {
  files: Files;
  /** The common root folder with a slash, or empty. */
  top: string;
  site: Site;
  /** Jekyll's posts are in `_posts`. */
  inPosts: boolean;
  /** Whether a post has front matter: files without it may then be notes on the project. */
  expectsFrontMatter: boolean;
}

/** Makes a path relative to the site's root. */
const relativePath = ({ top }: MarkdownFolder, file: string): string =>
  file.startsWith(top) ? file.slice(top.length) : file;

async function hasFrontMatter(folder: MarkdownFolder, file: string): Promise<boolean> {
  const { files, inPosts, expectsFrontMatter } = folder;
  const options = { inPosts, hasDate: true };
  if (expectsFrontMatter || skippedFileReason(relativePath(folder, file), options) !== null) return false;
  try {
    return readPost(textOf(await files.read(file, bounds.text)), file).hasFrontMatter;
  } catch {
    // Reported when the file is imported.
    return false;
  }
}

async function readFile(folder: MarkdownFolder, file: string): Promise<Found> {
  const { files, inPosts, site } = folder;
  const pathReason = skippedFileReason(relativePath(folder, file), { inPosts, hasDate: true });
  // Before reading the file, which may be unreadable.
  if (pathReason !== null) return { file, reason: pathReason };
  const bundlePage = bundlePageOf(file, site);
  if (bundlePage !== null) return { file, reason: `an attachment of ${bundlePage}, not a post` };
  try {
    const post = readPost(textOf(await files.read(file, bounds.text)), file, { timeZone: site.timeZone });
    const { frontMatter, fields, hasFrontMatter: hasFields, body } = post;
    if (isHtml(file) && Object.keys(fields).length === 0)
      return { file, reason: "HTML without front matter: a page or template" };
    const hasDate = frontMatter.date !== null;
    const reason = skippedFileReason(relativePath(folder, file), { inPosts, hasDate });
    if (reason !== null) return { file, reason };
    if (!hasFields && folder.expectsFrontMatter)
      frontMatter.hidden ??= "it has no front matter, unlike other files here";
    const tags = convertTags(file.endsWith(".mdx") ? withoutImports(body) : body);
    return { post: postOf(folder, file, post, tags) };
  } catch (error) {
    return error instanceof FileProblem
      ? { file, reason: error.message, isWrong: true }
      : unreadableText(file, error);
  }
}

function postOf(
  folder: MarkdownFolder,
  file: string,
  { fields, frontMatter: front }: PostFile,
  { text, unknown, hidden }: ConvertedTags,
): SourcePost {
  const { site } = folder;
  const sitePath = relativePath(folder, file);
  const language = languageInName(file, site);
  const title = front.title ?? titleFromName(file) ?? "";
  const isFuture = front.date !== null && front.date.getTime() > Date.now();
  const optional = {
    description: front.description,
    cover: front.cover,
    publishedAt: front.date,
    slug: textField(fields, "slug") ?? slugOfName(file, language, site),
    canonicalUrl: textField(fields, "canonical", "canonicalurl", "originalurl"),
    searchTitle: textField(fields, "seotitle", "metatitle"),
    searchDescription: textField(fields, "metadescription", "seodescription"),
    language: textField(fields, "lang", "language", "locale") ?? language ?? site.language,
  };
  return {
    source: front.path ?? file,
    file,
    title,
    tags: [...front.tags, ...front.categories],
    body: { kind: isHtml(file) ? "html" : "markdown", text },
    hidden:
      front.hidden ??
      hiddenPathReason(sitePath) ??
      inheritedReason(file, site) ??
      (isFuture ? "its date is in the future" : null) ??
      hidden,
    forFollowers: front.forFollowers,
    paths: formerPathsOf(sitePath, fields, { ...front, title }, site),
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
function slugOfName(file: string, language: string | null, { unprefixedLanguage }: Site): string {
  const name = nameWithoutDate(withoutLanguage(file, language));
  return language === null || language === unprefixedLanguage ? name : `${name}-${language}`;
}

async function readSibling(
  folder: MarkdownFolder,
  post: string,
  name: string,
  maxBytes: number,
): Promise<Buffer> {
  const ownOrigin = folder.site.origins.find((origin) => name.startsWith(`${origin}/`));
  const picturePath = decodedPath(ownOrigin === undefined ? name : name.slice(ownOrigin.length));
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(picturePath)) throw new FileProblem("it is on another site");
  let problem: FileProblem | undefined;
  for (const candidate of candidatesFor(folder, post, picturePath))
    try {
      return await folder.files.read(candidate, maxBytes);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      if (problem === undefined || (problem.message === notThere && error.message !== notThere))
        problem = error;
    }
  throw problem ?? new FileProblem(notThere);
}

/** Returns paths next to the post, or from the site's root and folders served there. */
function candidatesFor(
  { top: wholeTop, site: { base } }: MarkdownFolder,
  post: string,
  name: string,
): string[] {
  const top = wholeTop || "./";
  const [, fromRoot] = /^(?:@|~)\/(.+)$/.exec(name) ?? [];
  if (fromRoot) return ["content/", "src/", ""].map((root) => top + root + fromRoot);
  if (name.startsWith("/")) {
    const names = base && name.startsWith(`${base}/`) ? [name.slice(base.length), name] : [name];
    const roots = ["", "static/", "public/", "assets/", "src/", "source/", "content/"];
    return names.flatMap((one) => roots.map((root) => top + root + one.slice(1)));
  }
  const folder = posix.dirname(post);
  return [
    posix.join(folder, name),
    posix.join(folder, nameWithoutDate(post), name),
    ...["static/", "public/", "assets/", "src/assets/", ""].map((root) => top + root + name),
  ];
}

const isHtml = (name: string): boolean => /\.html?$/i.test(name);
const notThere = "file not found";

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
function listMarkdown(files: { name: string }[], unreadable: readonly SkippedFile[]) {
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
