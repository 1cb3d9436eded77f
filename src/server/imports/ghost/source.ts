import { SiblingFiles } from "../reading/sibling-files.ts";
import { markdownToHtml } from "../../../shared/document/from-markdown.ts";
import { escapeHtml } from "../../../shared/document/html-tags.ts";
import { tag } from "../reading/html.ts";
import { tidy } from "../reading/tidy.ts";
import { day, parsedDate } from "../reading/dates.ts";
import { countText, trimmedText, short, type Row } from "../reading/values.ts";
import type { SourceOptions } from "../kinds.ts";
import {
  FileProblem,
  unreadableText,
  type Files,
  type Found,
  type Source,
  type SourcePost,
} from "../source.ts";
import { replaceCards, type BodyReporter } from "./cards.ts";
import { isPage, rowsOf, Tables } from "./tables.ts";

/** A Ghost export: one JSON file, with pictures when `content/` is next to it. */
export class GhostSource implements Source {
  readonly kind = "ghost";
  readonly count: number;
  readonly origins: readonly string[];
  readonly #files: Files;
  readonly #name: string;
  readonly #tables: Tables;
  readonly #siblings: SiblingFiles;
  readonly #older: string[];
  readonly #options: SourceOptions;

  private constructor(
    files: Files,
    names: string[],
    tables: Tables,
    siblings: SiblingFiles,
    options: SourceOptions,
  ) {
    this.#files = files;
    this.#name = names.at(-1) ?? "";
    this.#older = names.slice(0, -1);
    this.#tables = tables;
    this.#siblings = siblings;
    this.#options = options;
    this.count = tables.posts;
    this.origins = tables.host === null ? [] : [`https://${tables.host}`, `http://${tables.host}`];
  }

  /** Throws `FileProblem` when there is no readable export. */
  static async open(files: Files, options: SourceOptions = {}): Promise<GhostSource> {
    const names = (await files.list())
      .map(({ name }) => name)
      .filter((name) => /\.json$/i.test(name) && !/(?:^|\/)(?:content|themes|node_modules)\//.test(name))
      .sort();
    if (names.length === 0)
      throw new FileProblem(
        "no JSON file found. In Ghost’s settings choose Export, then use that file, or a folder with it and content/images",
      );
    const { name, tables } = await findExport(files, names);
    return new GhostSource(
      files,
      [...names.filter((one) => one !== name), name],
      tables,
      await SiblingFiles.of(files, /content\/(?:images|media|files)\//i),
      options,
    );
  }

  async *posts(): AsyncGenerator<Found> {
    yield* this.#files.skipped ?? [];
    for (const file of this.#older)
      yield { file, reason: `another JSON file. Only the last by name was read: ${this.#name}` };
    for await (const { table, row } of rowsOf(this.#files, this.#name)) {
      if (table !== "posts") continue;
      const file = `${isPage(row) ? "pages" : "posts"}/${trimmedText(row.slug) ?? trimmedText(row.id) ?? "?"}`;
      if (isPage(row) && !this.#options.pages) yield { file, reason: "a page, not a post" };
      else yield this.#read(row, file);
    }
    const names: Record<string, [string, string]> = {
      comments: ["comment", "comments"],
      members: ["member", "members"],
      snippets: ["snippet", "snippets"],
    };
    for (const [table, rows] of this.#tables.others)
      yield {
        file: this.#name,
        reason: `${countText(rows, ...(names[table] ?? ["row", "rows"]))} not imported`,
      };
  }

  file(_post: unknown, name: string, maxBytes: number): Promise<Buffer> {
    return this.#siblings.read(originalPicture(name), maxBytes);
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  #read(row: Row, file: string): Found {
    const id = trimmedText(row.id) ?? "";
    const problems = new Set<string>();
    const reasons = hiddenReasons(row, new Date());
    if (this.#tables.isPrivate) reasons.push("the old site was private, with a password");
    const reporter = {
      reportProblem: (problem: string) => void problems.add(problem),
      hide: (reason: string) => void reasons.push(reason),
    };
    const meta = { ...row, ...this.#tables.metaOf(id) };
    const slug = trimmedText(row.slug);
    const publishedAt = parsedDate(row.published_at);
    const { shown, internal } = this.#tables.tagsOf(id);
    if (internal.length > 0) reporter.reportProblem(`Skipped internal tags: ${short(internal.join(", "))}`);
    if (row.published_at && !publishedAt)
      reporter.reportProblem(`Invalid date: ${short(trimmedText(row.published_at) ?? "", 40)}`);
    this.#reportSkippedFields(meta, reporter.reportProblem);
    let text;
    try {
      text = this.#text(bodyOf(row, reporter), reporter);
    } catch (error) {
      return unreadableText(file, error);
    }
    const cover = trimmedText(row.feature_image) ?? trimmedText(row.image);
    const post: SourcePost = {
      source: trimmedText(row.uuid) ?? id,
      file,
      title: trimmedText(row.title) ?? "",
      description: trimmedText(row.custom_excerpt),
      tags: shown,
      body: { kind: "html", text },
      cover: cover && this.#picture(cover.replace("__GHOST_URL__", "")),
      publishedAt,
      hidden: reasons.length > 0 ? [...new Set(reasons)].join("; ") : null,
      slug,
      paths: slug ? this.#tables.pathsOf(slug, publishedAt) : [],
      canonicalUrl: trimmedText(row.canonical_url)?.replace(/^__GHOST_URL__.*/, "") || undefined,
      searchTitle: trimmedText(meta.meta_title),
      searchDescription: trimmedText(meta.meta_description),
      authors: this.#tables.authorsOf(id, trimmedText(row.author_id)),
      problems: [...problems],
    };
    return { post };
  }

  #text(html: string, reporter: BodyReporter): string {
    return tidy(html, {
      first: (tree) => replaceCards(tree, reporter),
      reportProblem: reporter.reportProblem,
      picture: (src) => this.#picture(src),
    });
  }

  #picture(src: string): string {
    const original = originalPicture(src);
    const at = original.search(/\/content\/images\//);
    return at > 0 && this.#siblings.find(original) ? original.slice(at) : original;
  }

  #reportSkippedFields(meta: Row, reportProblem: (problem: string) => void): void {
    const names = {
      codeinjection_head: "Skipped code for the page’s head",
      codeinjection_foot: "Skipped code for the page’s footer",
      feature_image_caption: "Skipped the cover’s caption",
      feature_image_alt: "Skipped the cover’s description",
    };
    for (const [name, problem] of Object.entries(names)) {
      const value = trimmedText(meta[name]);
      if (value) reportProblem(`${problem}: ${short(value)}`);
    }
    const cards = [
      "og_image",
      "og_title",
      "og_description",
      "twitter_image",
      "twitter_title",
      "twitter_description",
    ];
    if (cards.some((name) => trimmedText(meta[name])))
      reportProblem("Skipped its title, description or picture for link previews");
  }
}

/** Ghost names exports `notes.ghost.2024-01-02-03-04-05.json`. */
const hasExportName = (name: string): boolean => /\.ghost\.[^/]*$/i.test(name);
/** The most files tried. */
const maxFilesTried = 20;

/** Returns the last export by name. Other files (`redirects.json`, `package.json`) have no posts. Throws `FileProblem`. */
async function findExport(files: Files, names: string[]): Promise<{ name: string; tables: Tables }> {
  const exportNames = names.filter(hasExportName);
  const candidates = [...names.filter((name) => !hasExportName(name)), ...exportNames]
    .toReversed()
    .slice(0, maxFilesTried);
  let failure: FileProblem | undefined;
  for (const name of candidates) {
    try {
      const tables = await Tables.read(files, name);
      if (tables.posts > 0 || tables.pages > 0) return { name, tables };
      failure ??= new FileProblem(`${name} is not an export from Ghost: it has no posts`);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      failure ??= new FileProblem(`${name} can’t be read: ${error.message}`, { cause: error });
      // An older export would silently lack newer posts.
      if (hasExportName(name)) break;
    }
  }
  throw failure ?? new FileProblem("no export from Ghost found");
}

/**
 * Returns a post's HTML as Ghost rendered it, with paths for the old site's addresses. The first versions have Markdown. Without
 * either the post is hidden: what its plain text leaves out may be for members.
 */
function bodyOf(row: Row, { hide }: BodyReporter): string {
  const [html, markdown, plain] = [row.html, row.markdown, row.plaintext].map((value) =>
    typeof value === "string" ? value.replaceAll("__GHOST_URL__", "") : "",
  );
  if (html || markdown) return html || markdownToHtml(markdown ?? "", { breaks: true });
  if (plain?.trim() || trimmedText(row.lexical) || trimmedText(row.mobiledoc))
    hide("its formatted text is missing from the export. Open and save it in Ghost, then export again");
  return (plain ?? "")
    .split(/\n{2,}/)
    .map((text) => text.trim() && tag("p", {}, escapeHtml(text)))
    .join("");
}

/** Returns the original of a resized picture. */
const originalPicture = (address: string): string =>
  address.replace(/(\/content\/images\/)size\/[wh\dx]+\/(?:format\/\w+\/)?/, "$1");

const audienceReasons: Record<string, string> = {
  members: "it is for members only",
  paid: "it is for paying members only",
  tiers: "it is for some members only",
  filter: "it is for some members only",
};

function hiddenReasons(row: Row, now: Date): string[] {
  const reasons: string[] = [];
  const status = trimmedText(row.status) ?? "draft";
  const date = parsedDate(row.published_at);
  if (status === "draft") reasons.push("it is a draft");
  else if (status === "scheduled") reasons.push(`it is scheduled${date ? ` for ${day(date)}` : ""}`);
  else if (status === "sent") reasons.push("it was sent by email only");
  else if (status !== "published") reasons.push(`status: ${short(status, 40)}`);
  else if (date && date > now) reasons.push(`its date is in the future (${day(date)})`);
  const visibility = trimmedText(row.visibility) ?? "public";
  if (visibility !== "public")
    reasons.push(audienceReasons[visibility] ?? `visibility: ${short(visibility, 40)}`);
  return reasons;
}
