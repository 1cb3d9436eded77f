import { FileProblem, type Files } from "../source.ts";
import { valuesIn } from "../reading/json.ts";
import { knownZone } from "../reading/dates.ts";
import { isRow, isYes, trimmedText, type Row } from "../reading/values.ts";

/** The most rows in memory: tags, people and assignments. */
const maxRows = 1_000_000;

interface Author {
  key: string;
  name: string;
  email?: string;
}

/** Yields rows with their table; `meta` is a table of one. Throws `FileProblem`. */
export async function* rowsOf(files: Files, name: string): AsyncGenerator<{ table: string; row: Row }> {
  const paths = ["$.meta", "$.data.*.*", "$.db.*.meta", "$.db.*.data.*.*"];
  for await (const { value, key, within } of valuesIn(files, name, paths))
    if (isRow(value)) yield { table: key === "meta" ? "meta" : within, row: value };
}

/** Everything but the posts' texts, held in memory. */
export class Tables {
  posts = 0;
  pages = 0;
  readonly #tags = new Map<string, { name: string; internal: boolean }>();
  readonly #users = new Map<string, Author>();
  readonly #tagsOf = new Map<string, { id: string; order: number }[]>();
  readonly #authorsOf = new Map<string, { id: string; order: number }[]>();
  readonly #metaOf = new Map<string, Row>();
  readonly #otherRows = new Map<string, number>();
  readonly #hosts = new Map<string, number>();
  /** Protected by a password. */
  isPrivate = false;
  /** Whether it writes `__GHOST_URL__` for itself, as since Ghost 4.0. */
  #isMarked = false;
  #zone = "UTC";
  #rows = 0;

  static async read(files: Files, name: string): Promise<Tables> {
    const tables = new Tables();
    for await (const { table, row } of rowsOf(files, name)) {
      if (table !== "posts") tables.#addRow(table, row);
      else {
        if (isPage(row)) tables.pages++;
        else tables.posts++;
        tables.#countHosts(row);
      }
    }
    return tables;
  }

  /** Returns tags in order, internal ones separately. */
  tagsOf(id: string): { shown: string[]; internal: string[] } {
    const tags = sorted(this.#tagsOf.get(id)).flatMap((tag) => this.#tags.get(tag) ?? []);
    const names = (internal: boolean) =>
      tags.filter((tag) => tag.internal === internal).map(({ name }) => name);
    return { shown: names(false), internal: names(true) };
  }

  authorsOf(id: string, fallback: string | undefined): Author[] {
    const ids = sorted(this.#authorsOf.get(id));
    const authorIds = ids.length > 0 ? ids : fallback ? [fallback] : [];
    return authorIds.flatMap((author) => this.#users.get(author) ?? []);
  }

  metaOf(id: string): Row {
    return this.#metaOf.get(id) ?? {};
  }

  /** Returns paths by slug, and by date in the site's time zone and UTC. */
  pathsOf(slug: string, published: Date | undefined): string[] {
    if (!published) return [`/${slug}`];
    const days = new Set([dayIn(published, this.#zone), dayIn(published, "UTC")]);
    return [`/${slug}`, ...[...days].flatMap((day) => [`/${day}/${slug}`, `/${day.slice(0, 7)}/${slug}`])];
  }

  /** Guessed from picture addresses; null when the export uses `__GHOST_URL__`, because every host is then another site's. */
  get host(): string | null {
    if (this.#isMarked) return null;
    return [...this.#hosts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
  }

  /** Numbers of rows that are not imported, by table. */
  get others(): [table: string, rows: number][] {
    return [...this.#otherRows];
  }

  #addRow(table: string, row: Row): void {
    if (++this.#rows > maxRows)
      throw new FileProblem(`it has more than ${maxRows.toLocaleString("en")} rows besides its posts`);
    const id = trimmedText(row.id) ?? "";
    const name = trimmedText(row.name);
    const order = Number(row.sort_order) || 0;
    if (table === "tags" && name)
      this.#tags.set(id, { name, internal: row.visibility === "internal" || name.startsWith("#") });
    else if (table === "users" && name)
      this.#users.set(id, { key: trimmedText(row.slug) ?? id, name, email: trimmedText(row.email) });
    else if (table === "posts_tags")
      push(this.#tagsOf, trimmedText(row.post_id), { id: trimmedText(row.tag_id) ?? "", order });
    else if (table === "posts_authors")
      push(this.#authorsOf, trimmedText(row.post_id), { id: trimmedText(row.author_id) ?? "", order });
    else if (table === "posts_meta") this.#metaOf.set(trimmedText(row.post_id) ?? "", row);
    else if (table === "settings" && (row.key === "timezone" || row.key === "active_timezone"))
      this.#zone = knownZone(trimmedText(row.value)) ?? "UTC";
    else if (table === "settings" && row.key === "is_private") this.isPrivate = isYes(row.value);
    else if (["comments", "members", "snippets"].includes(table))
      this.#otherRows.set(table, (this.#otherRows.get(table) ?? 0) + 1);
  }

  #countHosts(row: Row): void {
    this.#isMarked ||= [row.feature_image, row.html, row.lexical, row.mobiledoc].some(
      (value) => typeof value === "string" && value.includes("__GHOST_URL__"),
    );
    for (const value of [row.feature_image, row.html]) {
      if (typeof value !== "string") continue;
      const host = /https?:\/\/([^/\s"'<>]{1,253})\/content\/images\//i.exec(value)?.[1]?.toLowerCase();
      if (host) this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
    }
  }
}

export const isPage = (row: Row): boolean =>
  row.type === "page" || (row.type === undefined && isYes(row.page));

function push<T>(map: Map<string, T[]>, key: string | undefined, value: T): void {
  const values = map.get(key ?? "");
  if (values) values.push(value);
  else map.set(key ?? "", [value]);
}

const sorted = (entries: { id: string; order: number }[] = []): string[] =>
  entries.toSorted((one, other) => one.order - other.order).map(({ id }) => id);

/** As `2020/03/01`. */
const dayIn = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
    .format(date)
    .replaceAll("-", "/");
