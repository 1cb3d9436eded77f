import { commenters, CoverFocus } from "../../../shared/blogs.ts";
import { checkDocument } from "../../../shared/document/check.ts";
import { documentLimits } from "../../../shared/document/limits.ts";
import { withOwnAddresses } from "../../../shared/document/own-links.ts";
import { documentToHtml } from "../../../shared/document/to-html.ts";
import type { SourceOptions } from "../kinds.ts";
import { SiblingFiles } from "../reading/sibling-files.ts";
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
  type SourcePost,
} from "../source.ts";

/** The most comments, which are held in memory. */
const maxComments = 200_000;

/** Replaces picture addresses during the check, which requires full ones. */
const mediaPlaceholder = "https://export.invalid/media/";

/** An export of this program (docs/export.md). */
export class RepriseSource implements Source {
  readonly kind = "reprise";
  readonly count: number;
  readonly origins: readonly string[];
  readonly #files: Files;
  readonly #root: string;
  readonly #siblings: SiblingFiles;
  readonly #comments: ReadonlyMap<string, SourceComment[]>;
  readonly #excessCount: number;
  readonly #others: string[];

  private constructor(
    files: Files,
    root: string,
    {
      head,
      siblings,
      comments,
      others,
    }: { head: Row; siblings: SiblingFiles; comments: Comments; others: string[] },
  ) {
    this.#files = files;
    this.#root = root;
    this.#siblings = siblings;
    this.#comments = comments.byBlog;
    this.#excessCount = comments.excess;
    this.#others = others;
    const url = isRow(head.site) ? trimmedText(head.site.url)?.replace(/\/$/, "") : undefined;
    this.origins = url === undefined ? [] : [url];
    this.count = isRow(head.counts) ? Math.max(Number(head.counts.blogs) || 0, 0) : 0;
  }

  /** Throws `FileProblem` when it is no export, of a later version, or incomplete. */
  static async open(files: Files, { folder }: SourceOptions = {}): Promise<RepriseSource> {
    const entries = await files.list();
    const names = new Set(entries.map(({ name }) => name));
    const head = [...names]
      .filter((name) => /(?:^|\/)export\.json$/.test(name))
      .sort((a, b) => a.length - b.length)[0];
    if (head === undefined)
      throw new FileProblem("no export.json found. Use the ZIP file from “Export” as it is, or its folder");
    const root = head.slice(0, -"export.json".length);
    const parsed = parsedJson(textOf(await files.read(head, 1024 * 1024)));
    if (!isRow(parsed) || parsed.format !== "reprise-export")
      throw new FileProblem(`${head} is not from an export of this software`);
    if (parsed.kind === "site")
      throw new FileProblem(
        "it is the export of a whole site. On the command line, import it without --author, or unpack it and import the folder of one member",
      );
    if (parsed.version !== 1)
      throw new FileProblem(
        `it is written in version ${short(trimmedText(parsed.version) ?? "?", 20)} of the format, but this software reads version 1. Please upgrade it`,
      );
    if (!names.has(`${root}index.html`) || !names.has(`${root}blogs.json`))
      throw new FileProblem("the export is incomplete: its last file is missing. Please export again");
    return new RepriseSource(files, root, {
      head: parsed,
      siblings: await SiblingFiles.of(files, /(?<=^|\/)media\/[^/]+$/),
      comments: names.has(`${root}comments.json`)
        ? await readComments(files, `${root}comments.json`)
        : noComments,
      others: entries
        .filter(({ name, bytes }) => name.startsWith(root) && bytes > 4)
        // With a site these are imported, too (members.ts).
        .filter(({ name }) => folder === undefined || !/^(?:accounts|follows|hidden)\.json$/.test(name))
        .map(({ name }) => name.slice(root.length)),
    });
  }

  async *posts(): AsyncGenerator<Found> {
    yield* this.#files.skipped ?? [];
    const name = `${this.#root}blogs.json`;
    try {
      for await (const { value } of valuesIn(this.#files, name, ["$.*"]))
        if (isRow(value)) yield await this.#read(value);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      yield { file: name, reason: error.message, isWrong: true };
    }
    for (const other of this.#others) {
      const description = notImported[other];
      if (description) yield { file: other, reason: `${description}: not imported` };
    }
    if (this.#excessCount > 0)
      yield {
        file: "comments.json",
        reason: `${this.#excessCount.toLocaleString("en")} comments beyond the first ${maxComments.toLocaleString("en")}: not imported`,
        isWrong: true,
      };
  }

  file(_post: unknown, name: string, maxBytes: number): Promise<Buffer> {
    return this.#siblings.read(name, maxBytes);
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  async #read(row: Row): Promise<Found> {
    const id = trimmedText(row.id) ?? "";
    const slug = trimmedText(row.slug);
    const file = `blogs/${trimmedText(row.name) ?? slug ?? id}.json`;
    let text: string;
    try {
      text = await this.#text(file);
    } catch (error) {
      return unreadableText(file, error);
    }
    const isDraft = row.visibility !== "public" && row.visibility !== "private";
    const hidden = isDraft
      ? "it is a draft"
      : trimmedText(row.hiddenFor)
        ? "moderators took it down on the old site"
        : null;
    const texts = (value: unknown) => list(value).flatMap((one) => trimmedText(one) ?? []);
    const author = isRow(row.author) ? row.author : {};
    const username = trimmedText(author.username);
    const post: SourcePost = {
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
      hidden,
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
      comments: this.#comments.get(id) ?? [],
      problems: [],
    };
    return { post };
  }

  /** Returns HTML that parses to the same document. */
  async #text(file: string): Promise<string> {
    const json = textOf(await this.#files.read(`${this.#root}${file}`, documentLimits.jsonBytes * 4));
    const parsed = parsedJson(json.replaceAll('"../media/', `"${mediaPlaceholder}`));
    if (!isRow(parsed)) throw new FileProblem("not valid JSON");
    const checked = checkDocument(parsed.document);
    if (!checked.ok) throw new FileProblem(checked.reason);
    // The blog of a card may not come along.
    const document = withOwnAddresses(checked.document, this.origins[0] ?? "");
    return documentToHtml(document).replaceAll(mediaPlaceholder, "../media/");
  }
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

interface Comments {
  byBlog: Map<string, SourceComment[]>;
  excess: number;
}

const noComments: Comments = { byBlog: new Map(), excess: 0 };

async function readComments(files: Files, name: string): Promise<Comments> {
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
