import { TomlDate } from "smol-toml";
import { coverOf } from "./covers.ts";
import { parseUnfencedFrontMatter } from "./unfenced-front-matter.ts";
import { FrontMatterError } from "./front-matter-error.ts";
import { asFields, parseFrontMatter } from "./fenced-front-matter.ts";
import { isForFollowers, normalizedName, hiddenReason, type Fields } from "./visibility.ts";
import { dateInPath, parseDate } from "./post-dates.ts";

export { FrontMatterError };

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
  fields: Fields;
  hasFrontMatter: boolean;
  /** The Markdown after the front matter. */
  body: string;
}

/**
 * Parses a post with front matter in TOML (`+++`), YAML (`---`), JSON or plain lines. The title defaults to a leading `#
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
  const fenced = parseFrontMatter(content);
  const lines = fenced.source === "" ? parseUnfencedFrontMatter(fenced.body, now) : null;
  const { fields, body } = { ...fenced, ...lines };
  const hasFrontMatter = body !== content;
  const bySpaces = /(?:^|[/\\])_(?:posts|drafts)[/\\]/.test(filePath);
  const reader = fieldReader(fields, problems);
  const path = reader.text("path");
  const dateOfName = dateInPath(path ?? "") ?? dateInPath(filePath);
  const unreadDates = Object.entries(fields).filter(isUnreadDate);
  for (const [name, value] of unreadDates)
    problems.push(`Its ${name} is not a date that can be read: ${String(value).slice(0, 40)}`);
  const readableFields: Fields = { ...fields };
  // The file's name has the date instead. Other unreadable dates hide the post: it may be published later, or never.
  if (dateOfName !== null)
    for (const [name] of unreadDates)
      if (writtenDates.includes(normalizedName(name))) delete readableFields[name];
  const frontMatter: FrontMatter = {
    title: reader.text("title"),
    authors: namesIn(fields.authors ?? fields.author),
    description: reader.text("description") ?? reader.text("summary"),
    date: parseDate(fields.date, timeZone) ?? dateFromFields(fields, timeZone) ?? dateOfName,
    tags:
      reader.texts("tags", bySpaces) ??
      fieldReader(asFields(fields.taxonomies) ?? {}, problems).texts("tags") ??
      [],
    categories: categoriesOf(fields, bySpaces),
    hidden: hiddenReason(readableFields, now) ?? lines?.hidden ?? null,
    path,
    cover: coverOf(fields),
    forFollowers: isForFollowers(fields),
    problems,
  };
  const heading = frontMatter.title === null ? headingOf(body) : null;
  if (!heading) return { frontMatter, fields, hasFrontMatter, body };
  return {
    fields,
    hasFrontMatter,
    frontMatter: { ...frontMatter, title: heading.title },
    body: body.slice(heading.end),
  };
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

/** Of these, the dates that do not say when, or whether, a post is published. */
const writtenDates = dateFields.filter((name) => !name.includes("publish"));

/** Whether a field should be a date and is not. `published: true` is none. */
const isUnreadDate = ([name, value]: [string, unknown]): boolean =>
  dateFields.includes(normalizedName(name)) &&
  (typeof value === "string" || typeof value === "number" || value instanceof TomlDate) &&
  !/^(?:true|false|yes|no|on|off|[01]|)$/i.test(String(value).trim()) &&
  parseDate(value) === null;

/** Ignores unreadable dates: `hiddenReason` hides the post when they matter. */
function dateFromFields(fields: Fields, timeZone: string | null): Date | null {
  const candidates = Object.entries(fields)
    .map(([name, value]) => ({
      rank: dateFields.indexOf(normalizedName(name)),
      date: parseDate(value, timeZone),
    }))
    .filter(({ rank, date }) => rank >= 0 && date !== null);
  return candidates.sort((one, other) => one.rank - other.rank)[0]?.date ?? null;
}

/** Splits at commas, or for Jekyll at spaces. */
const splitList = (text: string, bySpaces: boolean): string[] =>
  text.split(bySpaces && !text.includes(",") ? /\s+/ : ",");

function categoriesOf(fields: Fields, bySpaces: boolean): string[] {
  const { categories, category }: Fields = { ...asFields(fields.taxonomies), ...fields };
  const value = categories ?? category;
  const all: unknown[] = Array.isArray(value)
    ? value.flat()
    : typeof value === "string"
      ? splitList(value, bySpaces && categories !== undefined)
      : [];
  return all
    .map((item) => asFields(item)?.name ?? item)
    .filter((item) => typeof item === "string" || typeof item === "number")
    .map((item) => String(item).trim())
    .filter(Boolean);
}

/** Accepts names or lists of them, as texts or tables. */
function namesIn(value: unknown): string[] {
  const nameOf = (item: unknown): string[] => {
    const table = asFields(item) ?? { name: item };
    const name = table.name ?? table.title ?? table.display_name;
    return typeof name === "string" || typeof name === "number" ? [String(name).trim()] : [];
  };
  const all = Array.isArray(value)
    ? value.flatMap(nameOf)
    : typeof value === "string"
      ? value.split(",").map((name) => name.trim())
      : nameOf(value);
  return all.filter(Boolean);
}

/** Reads fields by type; accepts numbers as text and text as lists, and reports others. */
function fieldReader(fields: Fields, problems: string[]) {
  const text = (name: string): string | null => {
    const value = fields[name] ?? null;
    if (typeof value === "number") return String(value);
    if (value !== null && typeof value !== "string") problems.push(`Skipped its ${name}, which is not text`);
    return typeof value === "string" ? value.trim() || null : null;
  };
  return {
    text,
    texts: (name: string, bySpaces = false): string[] | null => {
      const value = fields[name] ?? null;
      if (!Array.isArray(value)) {
        const whole = text(name);
        return whole === null
          ? null
          : splitList(whole, bySpaces)
              .map((item) => item.trim())
              .filter(Boolean);
      }
      const items = value
        .filter((item) => item !== null)
        .map((entry: unknown) => {
          const table = asFields(entry);
          return table ? (table.name ?? table.title ?? table.slug) : entry;
        });
      const texts = items.filter((item) => typeof item === "string" || typeof item === "number");
      if (texts.length < items.length) problems.push(`Skipped a part of its ${name} that is not text`);
      return texts.map((item) => String(item).trim()).filter(Boolean);
    },
  };
}
