import { CoverFocus } from "../../../shared/blogs.ts";
import { checkDocument } from "../../../shared/document/check.ts";
import { documentLimits } from "../../../shared/document/limits.ts";
import { documentToHtml } from "../../../shared/document/to-html.ts";
import { Beside } from "../reading/beside.ts";
import { textOf } from "../reading/decode.ts";
import { valuesIn } from "../reading/json.ts";
import { unread } from "../reading/unread.ts";
import { isRow, list, moment, parsed, said, short, type Row } from "../reading/values.ts";
import {
  FileProblem,
  type Files,
  type Found,
  type Source,
  type SourceComment,
  type SourcePost,
} from "../source.ts";

/** Comments of an export that are held, as they stand in a file of their own. */
const mostComments = 200_000;

/** Pictures of an export while its documents are checked: a document of ours has full addresses alone. */
const elsewhere = "https://export.invalid/media/";

/** What this program exports (docs/export.md): the blogs of it, as they are stored. */
export class RepriseSource implements Source {
  readonly kind = "reprise";
  readonly count: number;
  readonly origins: readonly string[];
  readonly #files: Files;
  readonly #root: string;
  readonly #beside: Beside;
  readonly #comments: ReadonlyMap<string, SourceComment[]>;
  readonly #tooMany: number;
  readonly #others: string[];

  private constructor(
    files: Files,
    root: string,
    { head, beside, comments, others }: { head: Row; beside: Beside; comments: Comments; others: string[] },
  ) {
    this.#files = files;
    this.#root = root;
    this.#beside = beside;
    this.#comments = comments.byBlog;
    this.#tooMany = comments.tooMany;
    this.#others = others;
    const url = isRow(head.site) ? said(head.site.url)?.replace(/\/$/, "") : undefined;
    this.origins = url === undefined ? [] : [url];
    this.count = isRow(head.counts) ? Math.max(Number(head.counts.blogs) || 0, 0) : 0;
  }

  /** Throws `FileProblem` where it is no export, one of a later version, or one that was not finished. */
  static async open(files: Files): Promise<RepriseSource> {
    const found = await files.list();
    const names = new Set(found.map(({ name }) => name));
    const head = [...names]
      .filter((name) => /(?:^|\/)export\.json$/.test(name))
      .sort((a, b) => a.length - b.length)[0];
    if (head === undefined)
      throw new FileProblem("no export.json found. Use the ZIP file from “Export” as it is, or its folder");
    const root = head.slice(0, -"export.json".length);
    const says = parsed(textOf(await files.read(head, 1024 * 1024)));
    if (!isRow(says) || says.format !== "reprise-export")
      throw new FileProblem(`${head} is not from an export of this software`);
    if (says.version !== 1)
      throw new FileProblem(
        `it is written in version ${short(said(says.version) ?? "?", 20)} of the format, but this software reads version 1. Please upgrade it`,
      );
    if (!names.has(`${root}index.html`) || !names.has(`${root}blogs.json`))
      throw new FileProblem("the export is incomplete: its last file is missing. Please export again");
    return new RepriseSource(files, root, {
      head: says,
      beside: await Beside.of(files, /(?<=^|\/)media\/[^/]+$/),
      comments: names.has(`${root}comments.json`)
        ? await readComments(files, `${root}comments.json`)
        : noComments,
      others: found
        .filter(({ name, bytes }) => name.startsWith(root) && bytes > 4)
        .map(({ name }) => name.slice(root.length)),
    });
  }

  async *posts(): AsyncGenerator<Found> {
    yield* this.#files.passedBy ?? [];
    const name = `${this.#root}blogs.json`;
    try {
      for await (const { value } of valuesIn(this.#files, name, ["$.*"]))
        if (isRow(value)) yield await this.#read(value);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      yield { file: name, reason: error.message, isWrong: true };
    }
    for (const other of this.#others) {
      const what = notTaken[other];
      if (what) yield { file: other, reason: `${what}: not imported` };
    }
    if (this.#tooMany > 0)
      yield {
        file: "comments.json",
        reason: `${this.#tooMany.toLocaleString("en")} comments beyond the first ${mostComments.toLocaleString("en")}: not imported`,
        isWrong: true,
      };
  }

  file(_post: unknown, name: string, most: number): Promise<Buffer> {
    return this.#beside.read(name, most);
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  async #read(row: Row): Promise<Found> {
    const id = said(row.id) ?? "";
    const slug = said(row.slug);
    const file = `blogs/${said(row.name) ?? slug ?? id}.json`;
    let text: string;
    try {
      text = await this.#text(file);
    } catch (error) {
      return unread(file, error);
    }
    const problems: string[] = [];
    const isDraft = row.visibility !== "public" && row.visibility !== "private";
    const hidden = isDraft
      ? "it is a draft"
      : said(row.hiddenFor)
        ? "moderators took it down on the old site"
        : null;
    const commenters = said(row.commentsFrom);
    if (commenters && commenters !== "everyone")
      problems.push(`Its setting for who can comment was not kept: ${short(commenters, 20)}`);
    const texts = (value: unknown) => list(value).flatMap((one) => said(one) ?? []);
    const author = isRow(row.author) ? row.author : {};
    const username = said(author.username);
    const post: SourcePost = {
      source: id,
      file,
      title: said(row.title) ?? "(Untitled)",
      description: said(row.description),
      tags: texts(row.tags),
      body: { kind: "html", text },
      cover: said(row.cover),
      // Nothing where it is the middle: what was taken in before is the same by that.
      coverFocus: CoverFocus.safeParse(row.coverFocus).data ?? undefined,
      publishedAt: row.visibility === "draft" ? undefined : moment(row.publishedAt),
      hidden,
      forFollowers: row.visibility === "private",
      slug,
      paths: [...(slug ? [slug] : []), ...texts(row.oldSlugs)]
        .map((one) => `/blog/${one}`)
        .concat(texts(row.aliases)),
      canonicalUrl: said(row.canonicalUrl),
      searchTitle: said(row.searchTitle),
      searchDescription: said(row.searchDescription),
      language: said(row.language),
      authors: username ? [{ key: username, name: said(author.name) ?? username }] : [],
      comments: this.#comments.get(id) ?? [],
      problems,
    };
    return { post };
  }

  /** A text as the schema writes it, from which the same document is read again. */
  async #text(file: string): Promise<string> {
    const whole = textOf(await this.#files.read(`${this.#root}${file}`, documentLimits.jsonBytes * 4));
    const says = parsed(whole.replaceAll('"../media/', `"${elsewhere}`));
    if (!isRow(says)) throw new FileProblem("not valid JSON");
    const checked = checkDocument(says.document);
    if (!checked.ok) throw new FileProblem(checked.reason);
    return documentToHtml(checked.document).replaceAll(elsewhere, "../media/");
  }
}

const notTaken: Record<string, string> = {
  "accounts.json": "accounts and settings",
  "likes.json": "likes",
  "saves.json": "saved blogs",
  "places.json": "reading positions",
  "authors.json": "co-authors",
  "follows.json": "follows",
  "hidden.json": "blocked and muted people",
  "watches.json": "comment subscriptions",
  "notifications.json": "notifications",
  "site.json": "site settings and texts",
};

interface Comments {
  byBlog: Map<string, SourceComment[]>;
  tooMany: number;
}

const noComments: Comments = { byBlog: new Map(), tooMany: 0 };

async function readComments(files: Files, name: string): Promise<Comments> {
  const byBlog = new Map<string, SourceComment[]>();
  let held = 0;
  let tooMany = 0;
  for await (const { value } of valuesIn(files, name, ["$.*"])) {
    const comment = isRow(value) ? readComment(value) : null;
    if (!comment || !isRow(value)) continue;
    if (held >= mostComments) {
      tooMany++;
      continue;
    }
    held++;
    const blog = said(value.blog) ?? "";
    const others = byBlog.get(blog);
    if (others) others.push(comment);
    else byBlog.set(blog, [comment]);
  }
  return { byBlog, tooMany };
}

/** Null where it was deleted, or hidden by the author of what it stands below. */
function readComment(row: Row): SourceComment | null {
  const createdAt = moment(row.createdAt);
  const text = said(row.text);
  if (!createdAt || !text || row.deleted === true || row.mark === "hidden") return null;
  return {
    source: said(row.id) ?? "",
    parent: said(row.parent),
    name:
      (isRow(row.author) && (said(row.author.name) ?? said(row.author.username))) ||
      said(row.guest) ||
      "Deleted account",
    text,
    createdAt,
    approved: row.waiting !== true,
  };
}
