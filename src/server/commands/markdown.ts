import MarkdownIt from "markdown-it";
import footnote from "markdown-it-footnote";
import { parse as parseToml, TomlDate, TomlError } from "smol-toml";
import { parseDocument as parseYaml } from "yaml";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { safeLink } from "../../shared/document/values.ts";
import { parseHtml, type StoredImage } from "../blogs/parse-html.ts";

/** What a post's file says about it before its text. */
export interface FrontMatter {
  title: string | null;
  authors: string[];
  description: string | null;
  /** In UTC: from the front matter, else from its path (`2016/09/29/Name`), else from the file's name (`2016-09-29-name.md`). */
  date: Date | null;
  tags: string[];
  draft: boolean;
  path: string | null;
}

export interface PostFile {
  frontMatter: FrontMatter;
  /** The Markdown that follows. */
  body: string;
}

/** Front matter that can not be read; the message says why and `line` where in the file, as far as it is known. */
export class FrontMatterError extends Error {
  override name = "FrontMatterError";
  readonly line: number | null;

  constructor(message: string, line: number | null, cause?: unknown) {
    super(line === null ? message : `${message} (line ${line})`, { cause });
    this.line = line;
  }
}

/**
 * Takes the file of a post apart: front matter in TOML (`+++`) or YAML (`---`), or none. A file without a title gets
 * that of a `# Heading` its text begins with. Throws `FrontMatterError`.
 */
export function readPost(fileText: string, filePath = ""): PostFile {
  const text = fileText.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const { fields, source, body } = takeFrontMatter(text);
  const read = fieldReader(fields, source);
  const frontMatter: FrontMatter = {
    title: read.text("title"),
    authors: read.texts("authors") ?? read.texts("author") ?? [],
    description: read.text("description") ?? read.text("summary"),
    date: null,
    tags: read.texts("tags") ?? fieldReader(asFields(fields.taxonomies) ?? {}, source).texts("tags") ?? [],
    draft: read.flag("draft") ?? false,
    path: read.text("path"),
  };
  frontMatter.date = read.date("date") ?? dateInPath(frontMatter.path ?? "") ?? dateInPath(filePath);
  const heading = frontMatter.title === null ? /^\s*# +(.+?)(?: +#+)? *(?:\n|$)/.exec(body) : null;
  if (!heading?.[1]) return { frontMatter, body };
  return { frontMatter: { ...frontMatter, title: heading[1] }, body: body.slice(heading[0].length) };
}

export interface MarkdownOptions {
  /** Asked for every picture given by a path, as it is written (percent-encoded); null leaves its description as text. */
  resolveImage?: (path: string) => Promise<StoredImage | null> | StoredImage | null;
  /** Asked for every link that is no full address; without it, or where it answers null, only the link's text stays. */
  resolveLink?: (href: string) => string | null;
}

export interface ReadMarkdown {
  document: DocumentJson;
  /** The links of which only the text is left: to places within the text, beside the file, or not allowed. */
  droppedLinks: string[];
}

/**
 * Markdown (CommonMark with tables, strikethrough, footnotes, bare addresses and HTML) as a document, by way of HTML
 * and the schema. Throws `DocumentError` where the text is too long or too deep.
 */
export async function markdownToDocument(
  markdown: string,
  { resolveImage, resolveLink }: MarkdownOptions = {},
): Promise<ReadMarkdown> {
  const droppedLinks: string[] = [];
  const document = await parseHtml(renderer.render(markdown), {
    placeImage: (src) =>
      /^https?:/i.test(src) ? "keep" : isAddress(src) ? null : (resolveImage?.(src) ?? null),
    placeLink: (href) => {
      const placed = isAddress(href) ? safeLink(href) : (resolveLink?.(href) ?? null);
      if (placed === null) droppedLinks.push(href);
      return placed;
    },
  });
  return { document, droppedLinks };
}

const renderer = new MarkdownIt({ html: true, linkify: true }).use(footnote);
// "README.md" and "main.rs" are no web sites, though .md and .rs are countries.
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// A document has no anchors to jump to: a note is found by its number.
renderer.renderer.rules.footnote_ref = (tokens, at) => `<sup>${Number(tokens[at]?.meta?.id) + 1}</sup>`;
renderer.renderer.rules.footnote_anchor = () => "";

const isAddress = (href: string) => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href);

type Fields = Record<string, unknown>;

function takeFrontMatter(text: string): { fields: Fields; source: string; body: string } {
  const none = { fields: {}, source: "", body: text };
  const fence = /^(\+\+\+|---)[ \t]*\n/.exec(text);
  if (!fence) return none;
  const toml = fence[1] === "+++";
  const rest = text.slice(fence[0].length);
  const end = (toml ? /^\+\+\+[ \t]*(?:\n|$)/m : /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m).exec(rest);
  // Three dashes may as well be a rule across the page.
  if (!end && !toml) return none;
  if (!end) throw new FrontMatterError("The front matter that begins with +++ has no end", 1);
  const source = rest.slice(0, end.index);
  const fields = toml ? fieldsOfToml(source) : fieldsOfYaml(source);
  return fields ? { fields, source, body: rest.slice(end.index + end[0].length) } : none;
}

function fieldsOfToml(source: string): Fields {
  try {
    return parseToml(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.replace(/^Invalid TOML document: /, "").split("\n", 1)[0];
    throw new FrontMatterError(`The front matter is not valid TOML: ${reason}`, error.line + 1, error);
  }
}

/** Null where what stands between the dashes is no front matter but text. */
function fieldsOfYaml(source: string): Fields | null {
  const document = parseYaml(source, { prettyErrors: true });
  const error = document.errors[0];
  if (error) {
    const line = error.linePos?.[0].line;
    throw new FrontMatterError(
      `The front matter is not valid YAML: ${error.message.split(/ at line|\n/, 1)[0]}`,
      line ? line + 1 : null,
      error,
    );
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    return value === null ? {} : asFields(value);
  } catch (cause) {
    throw new FrontMatterError("The front matter repeats itself through too many aliases", null, cause);
  }
}

function asFields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? (value as Fields)
    : null;
}

/** Reads fields as they should be, forgiving a number for a text and a text for a list; says which one it can not read. */
function fieldReader(fields: Fields, source: string) {
  const wrong = (name: string, should: string) => {
    const line = source.split("\n").findIndex((text) => text.trimStart().startsWith(name));
    return new FrontMatterError(
      `The front matter's “${name}” should be ${should}`,
      line === -1 ? null : line + 2,
    );
  };
  const text = (name: string): string | null => {
    const value = fields[name] ?? null;
    if (typeof value === "number") return String(value);
    if (value !== null && typeof value !== "string") throw wrong(name, "text");
    return value?.trim() || null;
  };
  return {
    text,
    texts: (name: string): string[] | null => {
      const value = fields[name] ?? null;
      if (!Array.isArray(value))
        return (
          text(name)
            ?.split(",")
            .map((item) => item.trim())
            .filter(Boolean) ?? null
        );
      return value
        .map((item: unknown) => {
          if (typeof item !== "string" && typeof item !== "number") throw wrong(name, "a list of texts");
          return String(item).trim();
        })
        .filter(Boolean);
    },
    flag: (name: string): boolean | null => {
      const value = fields[name] ?? null;
      if (value === null || typeof value === "boolean") return value;
      const said = /^(?:(true|yes|1)|false|no|0)$/i.exec(text(name) ?? "");
      if (!said) throw wrong(name, "true or false");
      return said[1] !== undefined;
    },
    date: (name: string): Date | null => {
      const value = fields[name] ?? null;
      const date =
        value instanceof TomlDate && !value.isTime()
          ? new Date(value.getTime())
          : value instanceof Date
            ? null
            : dateOf(text(name) ?? "");
      if (value !== null && value !== "" && !date) throw wrong(name, "a date such as 2016-09-29");
      return date;
    },
  };
}

/** A date without a time zone is in UTC. */
function dateOf(value: string): Date | null {
  const match =
    /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(?:UTC|GMT|Z|([+-]\d\d):?(\d\d))?)?$/i.exec(
      value.trim(),
    );
  if (!match) return null;
  const [, year, month, day, time = "00:00", hours = "+00", minutes = "00"] = match;
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript takes the 30th of February for the 1st of March.
  if (midnight.getUTCDate() !== Number(day)) return null;
  const date = new Date(`${year}-${month}-${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

function dateInPath(path: string): Date | null {
  const [, year, month, day] =
    /(?:^|[/\\])(\d{4})([/-])(\d\d)\2(\d\d)(?=[-_/\\.]|$)/.exec(path)?.filter((_, at) => at !== 2) ?? [];
  return year && month && day ? dateOf(`${year}-${month}-${day}`) : null;
}
