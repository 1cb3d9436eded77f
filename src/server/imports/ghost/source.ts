import { escapeHtml } from "../../../shared/document/html-tags.ts";
import type { SourceOptions } from "../kinds.ts";
import { day, parsedDate } from "../reading/dates.ts";
import { tag } from "../reading/html.ts";
import { siblingFiles, type SiblingFiles } from "../reading/sibling-files.ts";
import { tidy } from "../reading/tidy.ts";
import { countText } from "../../../shared/count-text.ts";
import { short, trimmedText, type Row } from "../reading/values.ts";
import { FileProblem, hiddenText, unreadableText, type Files, type Found, type Source } from "../source.ts";
import { replaceCards, type BodyReporter } from "./cards.ts";
import { isPage, rowsOf, Tables } from "./tables.ts";

/**
 * Opens a Ghost export: one JSON file, with pictures when `content/` is next to it. Throws `FileProblem` when there is none that
 * can be read.
 */
export async function openGhost(files: Files, { pages = false }: SourceOptions = {}): Promise<Source> {
  const names = (await files.list())
    .map(({ name }) => name)
    .filter((name) => /\.json$/i.test(name) && !/(?:^|\/)(?:content|themes|node_modules)\//.test(name))
    .sort();
  if (names.length === 0)
    throw new FileProblem(
      "no JSON file found. In Ghost’s settings choose Export, then use that file, or a folder with it and content/images",
    );
  const { name, tables } = await findExport(files, names);
  const siblings = await siblingFiles(files, /content\/(?:images|media|files)\//i);
  const { host } = tables;
  return {
    kind: "ghost",
    count: tables.posts,
    origins: host === null ? [] : [`https://${host}`, `http://${host}`],
    file: siblings.file,
    close: siblings.close,
    async *posts() {
      yield* files.skipped ?? [];
      for (const file of names)
        if (file !== name)
          yield { file, reason: `another JSON file. Only the last by name was read: ${name}` };
      for await (const { table, row } of rowsOf(files, name)) {
        if (table !== "posts") continue;
        const file = `${isPage(row) ? "pages" : "posts"}/${trimmedText(row.slug) ?? trimmedText(row.id) ?? "?"}`;
        if (isPage(row) && !pages) yield { file, reason: "a page, not a post" };
        else yield readRow(row, file, { tables, siblings });
      }
      for (const [table, rows] of tables.others)
        yield { file: name, reason: `${countText(rows, table.replace(/s$/, ""))} not imported` };
    },
  };
}

/** The most files of a folder that are tried as an export: each is parsed whole. */
const maxTried = 20;

/**
 * Returns the last file with posts, first among those with the name that Ghost gives: `notes.ghost.2024-01-02-03-04-05.json`.
 * Throws `FileProblem` with what is wrong with the first that was tried.
 */
async function findExport(files: Files, names: string[]): Promise<{ name: string; tables: Tables }> {
  const isNamed = (name: string): boolean => /\.ghost\.[^/]*$/i.test(name);
  const candidates = [...names.filter((name) => !isNamed(name)), ...names.filter(isNamed)].slice(-maxTried);
  let problem: FileProblem | undefined;
  for (const name of candidates.toReversed())
    try {
      const tables = await Tables.read(files, name);
      if (tables.posts + tables.pages > 0) return { name, tables };
      problem ??= new FileProblem(`${name} is not an export from Ghost: it has no posts`);
    } catch (cause) {
      if (!(cause instanceof FileProblem)) throw cause;
      problem ??= new FileProblem(`${name} can’t be read: ${cause.message}`, { cause });
      // An older export would silently lack newer posts.
      if (isNamed(name)) break;
    }
  throw problem!;
}

interface Export {
  tables: Tables;
  siblings: SiblingFiles;
}

function readRow(row: Row, file: string, { tables, siblings }: Export): Found {
  const id = trimmedText(row.id) ?? "";
  const problems = new Set<string>();
  const reasons = hiddenReasons(row, new Date());
  if (tables.isPrivate) reasons.push("the old site was private, with a password");
  const reporter = {
    reportProblem: (problem: string) => void problems.add(problem),
    hide: (reason: string) => void reasons.push(reason),
  };
  const meta = { ...row, ...tables.metaOf(id) };
  const slug = trimmedText(row.slug);
  const publishedAt = parsedDate(row.published_at);
  const { shown, internal } = tables.tagsOf(id);
  if (internal.length > 0) reporter.reportProblem(`Skipped internal tags: ${short(internal.join(", "))}`);
  if (row.published_at && !publishedAt)
    reporter.reportProblem(`Invalid date: ${short(trimmedText(row.published_at) ?? "", 40)}`);
  reportSkippedFields(meta, reporter.reportProblem);
  const picture = (src: string) => pictureIn(siblings, src);
  let text;
  try {
    text = tidy(bodyOf(row, reporter), {
      first: (tree) => replaceCards(tree, reporter),
      reportProblem: reporter.reportProblem,
      picture,
    });
  } catch (error) {
    return unreadableText(file, error);
  }
  const cover = trimmedText(row.feature_image) ?? trimmedText(row.image);
  return {
    post: {
      source: trimmedText(row.uuid) ?? id,
      file,
      title: trimmedText(row.title) ?? "",
      description: trimmedText(row.custom_excerpt),
      tags: shown,
      body: { kind: "html", text },
      cover: cover && picture(cover.replace("__GHOST_URL__", "")),
      publishedAt,
      hidden: hiddenText(reasons),
      slug,
      paths: slug ? tables.pathsOf(slug, publishedAt) : [],
      canonicalUrl: trimmedText(row.canonical_url)?.replace(/^__GHOST_URL__.*/, "") || undefined,
      searchTitle: trimmedText(meta.meta_title),
      searchDescription: trimmedText(meta.meta_description),
      authors: tables.authorsOf(id, trimmedText(row.author_id)),
      problems: [...problems],
    },
  };
}

/** Returns the original of a resized picture, as a path if the export has it. */
function pictureIn(siblings: SiblingFiles, src: string): string {
  const original = src.replace(/(\/content\/images\/)size\/[wh\dx]+\/(?:format\/\w+\/)?/, "$1");
  const at = original.search(/\/content\/images\//);
  return at > 0 && siblings.find(original) ? original.slice(at) : original;
}

const skippedFields = {
  codeinjection_head: "code for the page’s head",
  codeinjection_foot: "code for the page’s footer",
  feature_image_caption: "the cover’s caption",
  feature_image_alt: "the cover’s description",
};

function reportSkippedFields(meta: Row, reportProblem: (problem: string) => void): void {
  for (const [name, description] of Object.entries(skippedFields)) {
    const value = trimmedText(meta[name]);
    if (value) reportProblem(`Skipped ${description}: ${short(value)}`);
  }
  const isForPreviews = (name: string) => /^(?:og|twitter)_(?:image|title|description)$/.test(name);
  if (Object.entries(meta).some(([name, value]) => isForPreviews(name) && trimmedText(value)))
    reportProblem("Skipped its title, description or picture for link previews");
}

/**
 * Returns a post's HTML as Ghost rendered it, with paths for the old site's addresses. Without it the post is hidden: what its
 * plain text leaves out may be for members.
 */
function bodyOf(row: Row, { hide }: BodyReporter): string {
  const [html = "", plain = ""] = [row.html, row.plaintext].map((value) =>
    typeof value === "string" ? value.replaceAll("__GHOST_URL__", "") : "",
  );
  if (html) return html;
  if (plain.trim() || [row.lexical, row.mobiledoc, row.markdown].some(trimmedText))
    hide("its formatted text is missing from the export. Open and save it in Ghost, then export again");
  return plain
    .split(/\n{2,}/)
    .map((text) => text.trim() && tag("p", {}, escapeHtml(text)))
    .join("");
}

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
