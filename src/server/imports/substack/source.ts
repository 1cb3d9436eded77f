import { pipeline } from "node:stream";
import { parse } from "csv-parse";
import { decodeUri } from "../../../shared/decode-uri.ts";
import { htmlLimits } from "../../../shared/document/limits.ts";
import { siblingFiles, type SiblingFiles } from "../reading/sibling-files.ts";
import { textFrom, textOf } from "../reading/decode.ts";
import { linkLine } from "../reading/html.ts";
import { absolute, tidy } from "../reading/tidy.ts";
import { day, parsedDate } from "../reading/dates.ts";
import { countText } from "../../../shared/count-text.ts";
import { short } from "../reading/values.ts";
import {
  FileProblem,
  hiddenText,
  unreadableText,
  type Files,
  type Found,
  type SkippedFile,
  type Source,
} from "../source.ts";
import { simplifyWidgets } from "./widgets.ts";

interface ListedPost {
  post_id: string;
  post_date: string;
  is_published: string;
  type: string;
  audience: string;
  title: string;
  subtitle: string;
  podcast_url: string;
}

/** The most posts, characters per CSV line, and posts searched for hosts. */
const listLimits = { rows: 100_000, line: 1024 * 1024, hostPosts: 500 };

/** Opens a Substack export: a ZIP with a CSV list and an HTML file per post. Throws `FileProblem` without a readable list. */
export async function openSubstack(files: Files): Promise<Source> {
  const names = (await files.list()).map(({ name }) => name);
  const list = names.find((name) => /(?:^|\/)posts\.csv$/i.test(name));
  if (list === undefined)
    throw new FileProblem(
      "no posts.csv found. In Substack’s settings choose Export, then use the ZIP file as it is",
    );
  const rows = await readRows(files, list);
  const siblings = await siblingFiles(files, /(?<=^|\/)[^/]+\.(?:png|jpe?g|gif|webp|avif)$/i);
  const texts = new Map(names.flatMap((name) => textName(name)));
  const fileOf = ({ post_id }: ListedPost) => texts.get(post_id.split(".", 1)[0] ?? "");
  const paths = new Set(rows.map(({ post_id }) => `/p/${slugOf(post_id)}`));
  const otherLists = names.filter((name) => name !== list && /\.csv$/i.test(name)).length;
  let hosts: ReturnType<typeof findHosts> | undefined;
  return {
    kind: "substack",
    count: rows.length,
    file: siblings.file,
    close: siblings.close,
    async *posts() {
      yield* files.skipped ?? [];
      const unlisted = new Set(texts.values());
      // Once, though the posts are read twice.
      hosts ??= findHosts(files, rows, fileOf);
      const options = { hosts: await hosts, paths, siblings };
      for (const row of rows) {
        const name = fileOf(row);
        if (name) unlisted.delete(name);
        const file = name ?? (row.post_id || "posts.csv");
        try {
          const skipped = skippedRow(row, file, name !== undefined);
          yield (
            skipped ?? readPost(row, file, readText(await files.read(file, htmlLimits.length * 4)), options)
          );
        } catch (error) {
          yield unreadableText(file, error);
        }
      }
      for (const file of unlisted) yield { file, reason: "not listed in posts.csv", isWrong: true };
      if (otherLists > 0)
        yield {
          file: "*.csv",
          reason: `${countText(otherLists, "list")} of readers, emails and opens: not imported`,
        };
    },
  };
}

/** Returns why a row is no post; null if it is one. */
function skippedRow(
  { post_id, type, is_published }: ListedPost,
  file: string,
  hasText: boolean,
): SkippedFile | null {
  if (!post_id) return { file, reason: "a line in posts.csv without post_id", isWrong: true };
  if (type === "thread") return { file, reason: "a discussion thread, not a post" };
  if (type === "page") return { file, reason: "a page, not a post" };
  if (hasText) return null;
  if (is_published === "true") throw new FileProblem("its text is missing from the export");
  // It was abandoned.
  return { file, reason: "a draft without a text" };
}

interface Export {
  /** The newsletter's hosts; empty when unknown. */
  hosts: ReadonlySet<string>;
  /** Of all posts. */
  paths: ReadonlySet<string>;
  siblings: SiblingFiles;
}

function readPost(row: ListedPost, file: string, html: string, { hosts, paths, siblings }: Export): Found {
  const problems = new Set<string>();
  const reportProblem = (problem: string) => void problems.add(problem);
  if (!["newsletter", "podcast", "video", ""].includes(row.type))
    reportProblem(`Its type was ${short(row.type, 40)}`);
  const publishedAt = parsedDate(row.post_date);
  if (row.post_date && !publishedAt) reportProblem(`Invalid date: ${short(row.post_date, 40)}`);
  const reasons = hiddenReasons(row, publishedAt);
  const slug = slugOf(row.post_id);
  const audioUrl = absolute(row.podcast_url);
  if (row.podcast_url) reportProblem(`Its audio was not imported: ${short(row.podcast_url)}`);
  const text = tidy((audioUrl ? linkLine(audioUrl) : "") + html, {
    first: (tree) => simplifyWidgets(tree, { reportProblem, hide: (reason) => void reasons.push(reason) }),
    reportProblem,
    // A note's sign may have the whole address; it is linked later.
    link: (href) =>
      /#footnote-/.test(href) ? href.slice(href.indexOf("#")) : (ownPath(href, paths, hosts) ?? href),
    picture: (src) => {
      const original = originalPicture(src);
      return siblings.addressOf(original) ?? original;
    },
  });
  return {
    post: {
      source: row.post_id,
      file,
      title: row.title.trim(),
      description: row.subtitle.trim() || undefined,
      tags: [],
      body: { kind: "html", text },
      publishedAt: row.is_published === "true" ? publishedAt : undefined,
      hidden: hiddenText(reasons),
      slug: slug || undefined,
      paths: slug ? [`/p/${slug}`] : [],
      authors: [],
      problems: [...problems],
    },
  };
}

/**
 * Returns the path of a link to a known post: on the newsletter's hosts, or if unknown on any, except for the first post that all
 * newsletters have. Null for other links.
 */
function ownPath(href: string, paths: ReadonlySet<string>, hosts: ReadonlySet<string>): string | null {
  const [, host = "", path = ""] = /^https?:\/\/([^/?#]+)(\/p\/[^/?#]+)/i.exec(href) ?? [];
  const isOwn = hosts.size > 0 ? hosts.has(host.toLowerCase()) : path !== "/p/coming-soon";
  return isOwn && paths.has(path) ? path + (/#.*$/s.exec(href)?.[0] ?? "") : null;
}

async function findHosts(
  files: Files,
  rows: readonly ListedPost[],
  fileOf: (row: ListedPost) => string | undefined,
): Promise<ReadonlySet<string>> {
  const hosts = new OwnHosts();
  const candidates = rows.flatMap((row) => {
    const name = fileOf(row);
    return name === undefined ? [] : [{ name, slug: slugOf(row.post_id) }];
  });
  for (const { name, slug } of candidates.slice(0, listLimits.hostPosts)) {
    try {
      hosts.learn(readText(await files.read(name, htmlLimits.length)), slug);
    } catch {
      // Reported when the post is read.
    }
  }
  return hosts.found;
}

/** Returns the address that one of a CDN contains. */
function originalPicture(src: string): string {
  const [, inner] =
    /^https:\/\/(?:substackcdn\.com|cdn\.substack\.com)\/image\/fetch\/[^/]*\/(https?(?::|%3A).+)$/i.exec(
      src,
    ) ?? [];
  return inner === undefined ? src : (decodeUri(inner) ?? inner);
}

/** Substack's own buttons to share, comment and subscribe. */
const buttons =
  /https?:\/\/([\w.-]{1,253})\/(?:(subscribe)\b|p\/([\w-]{1,300})(?:\/comments\b|\?[\w=%.;&-]{0,300}action=share))/gi;

/** Guesses the newsletter's hosts, which the export lacks, from its buttons. */
export class OwnHosts {
  readonly #sure = new Set<string>();
  readonly #likely = new Map<string, number>();

  learn(html: string, slug: string): void {
    const likely = new Set<string>();
    for (const [, host = "", subscribe, shared] of html.matchAll(buttons)) {
      // The letter's own slug is certain; a subscribe button may lead elsewhere.
      if (shared !== undefined && shared === slug && slug !== "coming-soon")
        this.#sure.add(host.toLowerCase());
      if (subscribe && !/^(?:www\.|open\.)?substack\.com$/i.test(host)) likely.add(host.toLowerCase());
    }
    for (const host of likely) this.#likely.set(host, (this.#likely.get(host) ?? 0) + 1);
  }

  get found(): ReadonlySet<string> {
    if (this.#sure.size > 0) return this.#sure;
    const [likeliest] = [...this.#likely].sort(([, one], [, other]) => other - one);
    return new Set(likeliest ? [likeliest[0]] : []);
  }
}

async function readRows(files: Files, name: string): Promise<ListedPost[]> {
  const text = textFrom(await files.stream(name));
  const parser = parse({
    bom: true,
    columns: (header: string[]) => header.map((column) => column.trim().toLowerCase()),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: listLimits.line,
  });
  const rows: ListedPost[] = [];
  try {
    // The loop below receives the error.
    pipeline(text, parser, () => undefined);
    for await (const row of parser as AsyncIterable<Record<string, string>>) {
      if (rows.length === 0 && !("post_id" in row))
        throw new FileProblem("not a list from Substack: it has no column post_id");
      if (rows.length >= listLimits.rows)
        throw new FileProblem(`it lists more than ${listLimits.rows.toLocaleString("en")} posts`);
      rows.push(toListedPost(row));
    }
  } catch (error) {
    const line = (error as { lines?: number }).lines;
    const reason =
      error instanceof FileProblem
        ? error.message
        : `not valid CSV${line === undefined ? "" : ` near line ${line.toLocaleString("en")}`}. Please export it again`;
    throw new FileProblem(`${name} can’t be read: ${reason}`, { cause: error });
  } finally {
    parser.destroy();
  }
  return rows;
}

const toListedPost = (row: Record<string, string>): ListedPost => ({
  post_id: row.post_id?.trim() ?? "",
  post_date: row.post_date?.trim() ?? "",
  is_published: row.is_published?.trim().toLowerCase() ?? "",
  type: row.type?.trim().toLowerCase() ?? "",
  audience: row.audience?.trim().toLowerCase() ?? "",
  title: row.title ?? "",
  subtitle: row.subtitle ?? "",
  podcast_url: row.podcast_url?.trim() ?? "",
});

function textName(name: string): [string, string][] {
  const id = /(?:^|\/)(\d+)(?:\.[^/]*)?\.html?$/i.exec(name)?.[1];
  return id ? [[id, name]] : [];
}

const slugOf = (id: string): string => id.slice(id.indexOf(".") + 1 || id.length);

/** A post may be only a title. */
const readText = (bytes: Buffer): string => (bytes.length === 0 ? "" : textOf(bytes));

const audiences: Record<string, string> = {
  only_paid: "it is for paying readers only",
  founding: "it is for founding members only",
  only_free: "it is for subscribers only",
};

function hiddenReasons({ is_published, audience }: ListedPost, date: Date | undefined): string[] {
  const reasons: string[] = [];
  if (is_published !== "true") reasons.push("it is a draft");
  else if (date && date > new Date()) reasons.push(`it is scheduled for ${day(date)}`);
  if (audience && audience !== "everyone")
    reasons.push(audiences[audience] ?? `audience: ${short(audience, 40)}`);
  return reasons;
}
