import { parse as parseToml, TomlError } from "smol-toml";
import { isScalar, parseDocument as parseYaml, visit as visitYaml } from "yaml";
import { importBounds as bounds } from "../bounds.ts";
import { FrontMatterError, type ParsedFrontMatter } from "./front-matter-error.ts";
import { parseJsonFrontMatter } from "./json-front-matter.ts";
import type { Fields } from "./visibility.ts";

/** Splits off front matter in fences or braces. Throws `FrontMatterError`. */
export function parseFrontMatter(text: string): ParsedFrontMatter {
  const noFrontMatter = { fields: {}, source: "", body: text };
  const [dashes = "", language = ""] = /^---[ \t]*([a-z]\w*)[ \t]*\n/i.exec(text) ?? [];
  if (/^\{\s*"/.test(text)) return parseJsonFrontMatter(text, 0);
  if (/^json$/i.test(language)) return parseJsonFrontMatter(text, dashes.length);
  if (/^(?:---[a-z]|;;;)/i.test(text) && !/^(?:ya?ml|toml)$/i.test(language))
    throw new FrontMatterError("The front matter is neither TOML between +++, YAML between --- nor JSON", 1);
  const fence = /^(\+\+\+|---)[ \t]*(?:[a-z]+[ \t]*)?\n/i.exec(text);
  if (!fence) return noFrontMatter;
  const isToml = fence[1] === "+++" || /^toml$/i.test(language);
  const rest = text.slice(fence[0].length);
  const end = (fence[1] === "+++" ? /^\+\+\+[ \t]*(?:\n|$)/m : /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m).exec(rest);
  // Dashes may be a horizontal rule, unless a field follows.
  const looksLikeFields = /^[ \t]*["']?[\w.-]+["']?[ \t]*:/m.test(
    end ? rest.slice(0, end.index) : rest.split("\n\n", 1)[0]!,
  );
  if (!end && !isToml && !looksLikeFields) return noFrontMatter;
  if (!end) throw new FrontMatterError(`The front matter that begins with ${fence[1]} has no end`, 1);
  if (end.index > bounds.frontMatter)
    throw new FrontMatterError(
      `The front matter has more than ${bounds.frontMatter.toLocaleString("en")} characters`,
      null,
    );
  const source = rest.slice(0, end.index);
  const fields = isToml ? fieldsOfToml(source) : fieldsOfYaml(source);
  if (!fields && looksLikeFields)
    throw new FrontMatterError("The front matter is not a list of fields with values", 1);
  return fields ? { fields, source, body: rest.slice(end.index + end[0].length) } : noFrontMatter;
}

export function fieldsOfToml(source: string): Fields {
  try {
    return parseToml(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.replace(/^Invalid TOML document: /, "").split("\n", 1)[0];
    throw new FrontMatterError(`The front matter is not valid TOML: ${reason}`, error.line + 1, error);
  }
}

/** Returns null when the text is not front matter. */
export function fieldsOfYaml(source: string): Fields | null {
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
    return value === null ? {} : asFields(value);
  } catch (cause) {
    throw new FrontMatterError("The front matter uses too many aliases", null, cause);
  }
}

/** Returns a table of fields, or null. */
export function asFields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? (value as Fields)
    : null;
}
