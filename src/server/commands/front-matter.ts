import { parse as parseToml, TomlError } from "smol-toml";
import { parseDocument as parseYaml } from "yaml";
import { isForFollowers, whyHidden, type Fields } from "./not-public.ts";
import { dateInPath, dateOf } from "./post-dates.ts";

/** What a post's file says about it before its text. */
export interface FrontMatter {
  title: string | null;
  authors: string[];
  description: string | null;
  /** In UTC: from the front matter, else from its path (`2016/09/29/Name`), else from the file's name (`2016-09-29-name.md`). */
  date: Date | null;
  tags: string[];
  /** Why it is not for everybody to read, where it says so or nearly so. */
  hidden: string | null;
  path: string | null;
  /** The picture that stands above the text, by its path. */
  cover: string | null;
  /** For the author's followers, by its own word. */
  forFollowers: boolean;
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
export function readPost(fileText: string, filePath = "", now = new Date()): PostFile {
  const text = fileText
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^(?:[ \t]*\n)+/, "");
  const { fields, source, body } = takeFrontMatter(text);
  const read = fieldReader(fields, source);
  const frontMatter: FrontMatter = {
    title: read.text("title"),
    authors: read.texts("authors") ?? read.texts("author") ?? [],
    description: read.text("description") ?? read.text("summary"),
    date: null,
    tags: read.texts("tags") ?? fieldReader(asFields(fields.taxonomies) ?? {}, source).texts("tags") ?? [],
    hidden: whyHidden(fields, now),
    path: read.text("path"),
    cover: coverOf(fields),
    forFollowers: isForFollowers(fields),
  };
  frontMatter.date = read.date("date") ?? dateInPath(frontMatter.path ?? "") ?? dateInPath(filePath);
  const heading = frontMatter.title === null ? /^\s*# +(.+?)(?: +#+)? *(?:\n|$)/.exec(body) : null;
  if (!heading?.[1]) return { frontMatter, body };
  return { frontMatter: { ...frontMatter, title: heading[1] }, body: body.slice(heading[0].length) };
}

/** Generators have more in these fields than a path: what is none names no cover. */
function coverOf({ cover, image }: Fields): string | null {
  const named = [cover, asFields(cover)?.image, image].find((value) => typeof value === "string");
  return named?.trim() && !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(named.trim()) ? named.trim() : null;
}

function takeFrontMatter(text: string): { fields: Fields; source: string; body: string } {
  const none = { fields: {}, source: "", body: text };
  if (/^(?:---[a-z]|;;;|\{\s*")/i.test(text))
    throw new FrontMatterError("The front matter is neither TOML between +++ nor YAML between ---", 1);
  const fence = /^(\+\+\+|---)[ \t]*\n/.exec(text);
  if (!fence) return none;
  const toml = fence[1] === "+++";
  const rest = text.slice(fence[0].length);
  const end = (toml ? /^\+\+\+[ \t]*(?:\n|$)/m : /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m).exec(rest);
  // Three dashes may as well be a rule across the page; what looks like a field behind them is one.
  const looksLikeFields = /^\s*["']?[\w.-]+["']?[ \t]*:/m.test(
    end ? rest.slice(0, end.index) : rest.split("\n\n", 1)[0]!,
  );
  if (!end && !toml && !looksLikeFields) return none;
  if (!end) throw new FrontMatterError(`The front matter that begins with ${fence[1]} has no end`, 1);
  const source = rest.slice(0, end.index);
  const fields = toml ? fieldsOfToml(source) : fieldsOfYaml(source);
  if (!fields && looksLikeFields)
    throw new FrontMatterError("The front matter is not a list of fields with values", 1);
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
    date: (name: string): Date | null => {
      const value = fields[name] ?? null;
      const date = dateOf(value);
      if (value !== null && value !== "" && !date) throw wrong(name, "a date such as 2016-09-29");
      return date;
    },
  };
}
