import { parse as parseToml, TomlDate, TomlError } from "smol-toml";
import { isScalar, parseDocument as parseYaml, visit as visitYaml } from "yaml";
import { importBounds as bounds } from "../bounds.ts";
import { parsedDate } from "../reading/dates.ts";
import { isRow, type Row } from "../reading/values.ts";
import { FileProblem } from "../source.ts";
import { hiddenReason, isForFollowers, normalizedName } from "./visibility.ts";

/** Unreadable front matter; the message gives the reason, `line` the line in the file if known. */
export class FrontMatterError extends FileProblem {
  override name = "FrontMatterError";
  readonly line: number | null;

  constructor(message: string, line: number | null, cause?: unknown) {
    super(line === null ? message : `${message} (line ${line})`, { cause });
    this.line = line;
  }
}

export interface FrontMatter {
  title: string | null;
  authors: string[];
  description: string | null;
  /** UTC: from the front matter, the path (`2016/09/29/Name`), or the file name (`2016-09-29-name.md`). */
  date: Date | null;
  tags: string[];
  categories: string[];
  /** Why the post is not, or may not be, public. */
  hidden: string | null;
  path: string | null;
  /** The cover picture's path. */
  cover: string | null;
  forFollowers: boolean;
  /** Report lines about fields that were skipped. */
  problems: string[];
}

export interface PostFile {
  frontMatter: FrontMatter;
  /** All fields as parsed. */
  fields: Row;
  hasFrontMatter: boolean;
  /** The Markdown after the front matter. */
  body: string;
}

/**
 * Parses a post with front matter in TOML (`+++`), YAML (`---`), JSON (`{`) or plain lines. The title defaults to a leading `#
 * Heading`. Throws `FrontMatterError`.
 */
export function readPost(
  fileText: string,
  filePath = "",
  { now = new Date(), timeZone = null }: { now?: Date; timeZone?: string | null } = {},
): PostFile {
  const problems: string[] = [];
  // eslint-disable-next-line no-control-regex
  const printable = fileText.replace(/[\u0000-\u0008\u000b\u000e-\u001f]/g, "");
  if (printable.length < fileText.length) problems.push("Removed control characters");
  const text = printable.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const content = text.slice(text.lastIndexOf("\n", text.search(/\S|$/)) + 1);
  const { fields, body } = fencedFields(content) ?? fieldsInLines(content) ?? { fields: {}, body: content };
  const hasFrontMatter = body !== content;
  const bySpaces = /(?:^|[/\\])_(?:posts|drafts)[/\\]/.test(filePath);
  const reader = fieldReader(fields, problems);
  const path = reader.text("path");
  const dateOfName = dateInPath(path ?? "") ?? dateInPath(filePath);
  const unreadDates = Object.entries(fields).filter(isUnreadDate);
  for (const [name, value] of unreadDates)
    problems.push(`Its ${name} is not a date that can be read: ${String(value).slice(0, 40)}`);
  const readableFields: Row = { ...fields };
  // The file's name has the date instead. Other unreadable dates hide the post: it may be published later, or never.
  if (dateOfName !== null)
    for (const [name] of unreadDates)
      if (!normalizedName(name).includes("publish")) delete readableFields[name];
  const heading = reader.text("title") === null ? headingOf(body) : null;
  const taxonomies = isRow(fields.taxonomies) ? fieldReader(fields.taxonomies, problems) : null;
  const [categories, category] = [reader.texts("categories", bySpaces), reader.texts("category")];
  const frontMatter: FrontMatter = {
    title: heading?.title ?? reader.text("title"),
    authors: reader.texts("authors") ?? reader.texts("author") ?? [],
    description: reader.text("description") ?? reader.text("summary"),
    date: parsedDate(fields.date, timeZone) ?? dateFromFields(fields, timeZone) ?? dateOfName,
    tags: reader.texts("tags", bySpaces) ?? taxonomies?.texts("tags") ?? [],
    categories: categories ?? category ?? taxonomies?.texts("categories") ?? [],
    hidden: hiddenReason(readableFields, now) ?? (hasFrontMatter ? null : hiddenInFirstLines(content)),
    path,
    cover: coverOf(fields),
    forFollowers: isForFollowers(fields),
    problems: [...new Set(problems)],
  };
  return { fields, hasFrontMatter, frontMatter, body: heading ? body.slice(heading.end) : body };
}

interface Split {
  fields: Row;
  body: string;
}

/** Splits off front matter in fences or braces; null when there is none. */
function fencedFields(text: string): Split | null {
  const [start = "", fence, language = ""] =
    /^(?:(\+\+\+|---)[ \t]*(toml|ya?ml|json)?[ \t]*\n|\{(?=\s*"))/i.exec(text) ?? [];
  if (!start && /^(?:---[ \t]*[a-z]+[ \t]*\n|;;;)/i.test(text))
    throw new FrontMatterError("The front matter is neither TOML between +++, YAML between --- nor JSON", 1);
  if (!start) return null;
  const isToml = fence === "+++" || /^toml$/i.test(language);
  const rest = fence ? text.slice(start.length) : text;
  const ends = { "+++": /^\+\+\+[ \t]*(?:\n|$)/m, "---": /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m };
  const end = (fence ? ends[fence as "---"] : /^\}[ \t]*(?:\n|$)/m).exec(rest);
  // Dashes may be a horizontal rule, unless a field follows.
  const head = end ? rest.slice(0, end.index) : (rest.split("\n\n", 1)[0] ?? "");
  const looksLikeFields =
    isToml || !fence || language !== "" || /^[ \t]*["']?[\w.-]+["']?[ \t]*:/m.test(head);
  if (!end) {
    if (!looksLikeFields) return null;
    throw new FrontMatterError(`The front matter that begins with ${fence ?? "{"} has no end`, 1);
  }
  if (end.index > bounds.frontMatter)
    throw new FrontMatterError(
      `The front matter has more than ${bounds.frontMatter.toLocaleString("en")} characters`,
      null,
    );
  // JSON is YAML.
  const source = fence ? head : rest.slice(0, end.index + 1);
  const fields = isToml ? fieldsOfToml(source) : fieldsOfYaml(source);
  if (!fields && looksLikeFields)
    throw new FrontMatterError("The front matter is not a list of fields with values", 1);
  return fields && { fields, body: rest.slice(end.index + end[0].length) };
}

/** The most characters searched for fields without fences. */
const maxHeadCharacters = 20_000;

/** Splits off a first paragraph of `name: value` lines with a title, as Pelican and MultiMarkdown write them. */
function fieldsInLines(text: string): Split | null {
  const head = text.slice(0, maxHeadCharacters).split(/\n[ \t]*\n/, 1)[0] ?? "";
  const fields: Record<string, string> = {};
  let key = "";
  for (const line of head.split("\n")) {
    const [, name = "", value = ""] = /^([a-z][\w -]{0,40}):(?:[ \t](.*))?$/i.exec(line) ?? [];
    const isContinued = key !== "" && /^[ \t]+\S/.test(line);
    if (!isContinued) key = name.trim().toLowerCase();
    if (!key || (!isContinued && key in fields)) return null;
    fields[key] = isContinued ? `${fields[key]} ${line.trim()}` : value.trim();
  }
  return fields.title ? { fields, body: text.slice(head.length) } : null;
}

/** Returns why a text without front matter may be hidden: its first lines contain a field about that. */
function hiddenInFirstLines(text: string): string | null {
  const [paragraph = ""] = text
    .slice(0, maxHeadCharacters)
    .replace(/^#[^\n]*\s*/, "")
    .split(/\n[ \t]*\n/, 1);
  for (const [, name = "", value = ""] of paragraph.matchAll(visibilityLines)) {
    const reason = hiddenReason({ [name.toLowerCase()]: value.trim() });
    if (reason !== null) return `its first lines contain ${reason}`;
  }
  return null;
}
const visibilityLines = /^(status|draft|published|visibility|private|unlisted):[ \t]*(\S[^\n]*)$/gim;

export function fieldsOfToml(source: string): Row {
  try {
    return parseToml(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.replace(/^Invalid TOML document: /, "").split("\n", 1)[0];
    throw new FrontMatterError(`The front matter is not valid TOML: ${reason}`, error.line + 1, error);
  }
}

/** Parses YAML or JSON. Returns null when the text is not a list of fields. */
export function fieldsOfYaml(source: string): Row | null {
  // Off: `uniqueKeys` takes quadratic time, and `prettyErrors` quotes the whole line.
  const document = parseYaml(source, { prettyErrors: false, uniqueKeys: false });
  const error = document.errors[0];
  if (error) {
    const line = source.slice(0, error.pos[0]).split("\n").length;
    const reason = error.message.includes("call stack") ? "it is nested too deeply" : error.message;
    throw new FrontMatterError(
      `The front matter is not valid YAML: ${reason.slice(0, 200)}`,
      line + 1,
      error,
    );
  }
  visitYaml(document, {
    // The second of two fields could reveal a hidden post.
    Map: (_, { items }) => {
      const keys = new Set<string>();
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : null;
        if (name !== null && keys.has(name))
          throw new FrontMatterError(`The front matter has “${name.slice(0, 60)}” twice`, null);
        if (name !== null) keys.add(name);
      }
    },
  });
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    return value === null ? {} : isRow(value) ? value : null;
  } catch (cause) {
    throw new FrontMatterError("The front matter uses too many aliases", null, cause);
  }
}

/** Returns a leading `# Heading #` and the end of its line. */
function headingOf(text: string): { title: string; end: number } | null {
  const start = text.search(/\S|$/);
  if (!text.startsWith("# ", start)) return null;
  const end = text.indexOf("\n", start);
  const line = text.slice(start + 2, end < 0 ? text.length : end).trim();
  let last = line.length;
  while (line[last - 1] === "#") last--;
  const title = line[last - 1] === " " ? line.slice(0, last).trim() : line;
  return title ? { title, end: end < 0 ? text.length : end + 1 } : null;
}

/** In order of precedence. */
const dateFields =
  `date publishdate pubdate publisheddate publishedat datepublished publishedon published posted postedat created
  createdat createdon datecreated creationdate`.split(/\s+/);

/** Whether a field should be a date and is not. `published: true` is none. */
const isUnreadDate = ([name, value]: [string, unknown]): boolean =>
  dateFields.includes(normalizedName(name)) &&
  (typeof value === "string" || typeof value === "number" || value instanceof TomlDate) &&
  !/^(?:true|false|yes|no|on|off|[01]|)$/i.test(String(value).trim()) &&
  !parsedDate(value);

/** Ignores unreadable dates: `hiddenReason` hides the post when they matter. */
function dateFromFields(fields: Row, timeZone: string | null): Date | null {
  for (const wanted of dateFields)
    for (const [name, value] of Object.entries(fields)) {
      const date = normalizedName(name) === wanted ? parsedDate(value, timeZone) : undefined;
      if (date) return date;
    }
  return null;
}

/** As file-based blogs write it. */
function dateInPath(path: string): Date | null {
  const [, year, , month, day] = /(?:^|[/\\])(\d{4})([/-])(\d\d)\2(\d\d)(?=[-_/\\.]|$)/.exec(path) ?? [];
  return (year && parsedDate(`${year}-${month}-${day}`)) || null;
}

/** The fields of generators and themes for a cover, and those of a table in them. */
const coverFields =
  `cover coverimage image heroimage hero featuredimage featureimage featured banner thumbnail images
  header ogimage socialimage`.split(/\s+/);
const coverAddresses = "image src url path file overlayimage teaser".split(" ");

/** Returns the cover's path or address as written, or null. */
function coverOf(fields: Row): string | null {
  for (const table of [fields, fields.extra, fields.params].filter(isRow))
    for (const value of valuesOf(table, coverFields)) {
      const first: unknown = Array.isArray(value) ? value[0] : value;
      const candidates = isRow(first) ? valuesOf(first, coverAddresses) : [first];
      for (const candidate of candidates)
        if (typeof candidate === "string" && candidate.trim()) return candidate.trim();
    }
  return null;
}

const valuesOf = (table: Row, names: readonly string[]): unknown[] =>
  names.flatMap((wanted) =>
    Object.entries(table).flatMap(([name, value]) => (normalizedName(name) === wanted ? [value] : [])),
  );

/** Reads fields by type; accepts numbers as text and text as lists, and reports others. */
function fieldReader(fields: Row, problems: string[]) {
  const text = (name: string): string | null => {
    const value = fields[name] ?? null;
    if (typeof value === "number") return String(value);
    if (value !== null && typeof value !== "string") problems.push(`Skipped its ${name}, which is not text`);
    return typeof value === "string" ? value.trim() || null : null;
  };
  return {
    text,
    /** `bySpaces`: Jekyll separates words by spaces, too. */
    texts: (name: string, bySpaces = false): string[] | null => {
      const value = fields[name] ?? null;
      if (!Array.isArray(value) && !(isRow(value) && "name" in value)) {
        const whole = text(name);
        return whole?.split(bySpaces && !whole.includes(",") ? /\s+/ : ",").flatMap(trimmed) ?? null;
      }
      const items = [value]
        .flat(2)
        .filter((item) => item !== null)
        .map((item: unknown) => (isRow(item) ? (item.name ?? item.title ?? item.slug) : item));
      const texts = items.filter((item) => typeof item === "string" || typeof item === "number");
      if (texts.length < items.length) problems.push(`Skipped a part of its ${name} that is not text`);
      return texts.map(String).flatMap(trimmed);
    },
  };
}

const trimmed = (text: string): string[] => (text.trim() ? [text.trim()] : []);
