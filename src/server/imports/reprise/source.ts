import { commenters, CoverFocus } from "../../../shared/blogs.ts";
import { documentLimits } from "../../../shared/document/limits.ts";
import type { SourceOptions } from "../kinds.ts";
import { siblingFiles } from "../reading/sibling-files.ts";
import { textOf } from "../reading/decode.ts";
import { valuesIn } from "../reading/json.ts";
import { parsedDate } from "../reading/dates.ts";
import { isRow, list, parsedJson, trimmedText, short, type Row } from "../reading/values.ts";
import {
  FileProblem,
  unreadableText,
  type Files,
  type Found,
  type Source,
  type SourceComment,
} from "../source.ts";
import { liveStateOf, readEntries } from "./entries.ts";
import { htmlOf } from "./text.ts";

/** The most comments, which are held in memory. */
const maxComments = 200_000;

/**
 * Opens an export of this program (docs/export.md). Throws `FileProblem` when it is none, of a later version, or incomplete. In a
 * `folder` it is that of a site's member.
 */
export async function openReprise(files: Files, { folder }: SourceOptions = {}): Promise<Source> {
  const entries = await files.list();
  const names = new Set(entries.map(({ name }) => name));
  const headName = [...names]
    .filter((name) => /(?:^|\/)export\.json$/.test(name))
    .sort((a, b) => a.length - b.length)[0];
  if (headName === undefined)
    throw new FileProblem("no export.json found. Use the ZIP file from “Export” as it is, or its folder");
  const root = headName.slice(0, -"export.json".length);
  const head = await headOf(files, headName);
  if (head === null) throw new FileProblem(`${headName} is not from an export of this software`);
  if (head.kind === "site")
    throw new FileProblem(
      "it is the export of a whole site. On the command line, import it without --author, or unpack it and import the folder of one member",
    );
  requireVersion(head, 1);
  if (!names.has(`${root}index.html`) || !names.has(`${root}blogs.json`))
    throw new FileProblem("the export is incomplete: its last file is missing. Please export again");
  const url = isRow(head.site) ? trimmedText(head.site.url)?.replace(/\/$/, "") : undefined;
  const made = parsedDate(head.made) ?? new Date();
  const { file, close } = await siblingFiles(files, /(?<=^|\/)media\/[^/]+$/);
  const { byBlog, excess } = names.has(`${root}comments.json`)
    ? await readComments(files, `${root}comments.json`)
    : { byBlog: new Map<string, SourceComment[]>(), excess: 0 };
  return {
    kind: "reprise",
    count: isRow(head.counts) ? Math.max(Number(head.counts.blogs) || 0, 0) : 0,
    origins: url === undefined ? [] : [url],
    file,
    close,
    async *posts() {
      yield* files.skipped ?? [];
      const listName = `${root}blogs.json`;
      try {
        for await (const { value } of valuesIn(files, listName, ["$.*"]))
          if (isRow(value)) yield await readRow(value, { files, names, root, url, made, byBlog });
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        yield { file: listName, reason: error.message, isWrong: true };
      }
      for (const [name, description] of Object.entries(notImported)) {
        // With a site some are imported, too (members.ts).
        if (folder !== undefined && /^(?:accounts|follows|hidden)\.json$/.test(name)) continue;
        if (entries.some((entry) => entry.name === root + name && entry.bytes > 4))
          yield { file: name, reason: `${description}: not imported` };
      }
      if (excess > 0)
        yield {
          file: "comments.json",
          reason: `${excess.toLocaleString("en")} comments beyond the first ${maxComments.toLocaleString("en")}: not imported`,
          isWrong: true,
        };
    },
  };
}

/** Returns the head of an export; null for another file. */
export async function headOf(files: Files, name = "export.json"): Promise<Row | null> {
  const head = parsedJson(textOf(await files.read(name, 1024 * 1024)));
  return isRow(head) && head.format === "reprise-export" ? head : null;
}

/** Throws `FileProblem` unless an export is written in this version of its format. */
export function requireVersion({ version }: Row, supported: number): void {
  if (version !== supported)
    throw new FileProblem(
      `it is written in version ${short(trimmedText(version) ?? "?", 20)} of the format, but this software reads version ${supported}${Number(version) > supported ? ". Please upgrade it" : ""}`,
    );
}

interface Export {
  files: Files;
  names: ReadonlySet<string>;
  root: string;
  /** The old site. */
  url: string | undefined;
  made: Date;
  byBlog: ReadonlyMap<string, SourceComment[]>;
}

async function readRow(row: Row, { files, names, root, url, made, byBlog }: Export): Promise<Found> {
  const id = trimmedText(row.id) ?? "";
  const slug = trimmedText(row.slug);
  const name = trimmedText(row.name) ?? slug ?? id;
  const file = `blogs/${name}.json`;
  const entriesFile = `${root}entries/${name}.json`;
  let text: string;
  try {
    text = await readText(files, root + file, url ?? "");
  } catch (error) {
    return unreadableText(file, error);
  }
  const isDraft = row.visibility !== "public" && row.visibility !== "private";
  const isTakenDown = trimmedText(row.hiddenFor) !== undefined;
  const texts = (value: unknown) => list(value).flatMap((one) => trimmedText(one) ?? []);
  const author = isRow(row.author) ? row.author : {};
  const username = trimmedText(author.username);
  return {
    post: {
      source: id,
      file,
      title: trimmedText(row.title) ?? "",
      description: trimmedText(row.description),
      tags: texts(row.tags),
      body: { kind: "html", text },
      cover: trimmedText(row.cover),
      // Undefined for everyone and for the middle keeps the hash of earlier imports.
      commentsFrom: commenters.find((one) => one === row.commentsFrom && one !== "everyone"),
      coverFocus: CoverFocus.safeParse(row.coverFocus).data ?? undefined,
      publishedAt: row.visibility === "draft" ? undefined : parsedDate(row.publishedAt),
      hidden: isDraft ? "it is a draft" : isTakenDown ? "moderators took it down on the old site" : null,
      forFollowers: row.visibility === "private",
      slug,
      paths: [...(slug ? [slug] : []), ...texts(row.oldSlugs)]
        .map((one) => `/blog/${one}`)
        .concat(texts(row.aliases)),
      canonicalUrl: trimmedText(row.canonicalUrl),
      searchTitle: trimmedText(row.searchTitle),
      searchDescription: trimmedText(row.searchDescription),
      language: trimmedText(row.language),
      authors: username ? [{ key: username, name: trimmedText(author.name) ?? username }] : [],
      comments: byBlog.get(id) ?? [],
      live: liveStateOf(row.live, made),
      ...(names.has(entriesFile) && { entries: () => readEntries(files, entriesFile, url ?? "") }),
      problems: [],
    },
  };
}

async function readText(files: Files, file: string, url: string): Promise<string> {
  const json = textOf(await files.read(file, documentLimits.jsonBytes * 4));
  return htmlOf(json, url);
}

const notImported: Record<string, string> = {
  "accounts.json": "accounts and settings",
  "likes.json": "likes",
  "saves.json": "saved blogs",
  "places.json": "reading positions",
  "authors.json": "co-authors",
  "follows.json": "follows",
  "hidden.json": "blocked and muted people",
  "watches.json": "comment subscriptions",
  "notifications.json": "notifications",
};

async function readComments(files: Files, name: string) {
  const byBlog = new Map<string, SourceComment[]>();
  let count = 0;
  let excess = 0;
  for await (const { value } of valuesIn(files, name, ["$.*"])) {
    const comment = isRow(value) ? readComment(value) : null;
    if (!comment || !isRow(value)) continue;
    if (count >= maxComments) {
      excess++;
      continue;
    }
    count++;
    const blog = trimmedText(value.blog) ?? "";
    const existing = byBlog.get(blog);
    if (existing) existing.push(comment);
    else byBlog.set(blog, [comment]);
  }
  return { byBlog, excess };
}

/** Returns null for deleted and hidden comments. */
function readComment(row: Row): SourceComment | null {
  const createdAt = parsedDate(row.createdAt);
  const text = trimmedText(row.text);
  if (!createdAt || !text || row.deleted === true || row.mark === "hidden") return null;
  return {
    source: trimmedText(row.id) ?? "",
    parent: trimmedText(row.parent),
    name:
      (isRow(row.author) && (trimmedText(row.author.name) ?? trimmedText(row.author.username))) ||
      trimmedText(row.guest) ||
      "Deleted account",
    text,
    createdAt,
    approved: row.waiting !== true,
  };
}
