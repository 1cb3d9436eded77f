import { importBounds as bounds } from "../bounds.ts";
import { FrontMatterError, type ParsedFrontMatter } from "./front-matter-error.ts";
import type { Fields } from "./visibility.ts";

/** The deepest nesting of objects and lists. */
const maxDepth = 50;

/** Parses Hugo's JSON in braces, or Eleventy's from `---json` (ending at `start`) to `---`. Throws `FrontMatterError`. */
export function parseJsonFrontMatter(text: string, start: number): ParsedFrontMatter {
  if (!/^\s*\{/.test(text.slice(start)))
    throw new FrontMatterError("The front matter is not valid JSON. It should be an object in braces", 1);
  const end = endOfObject(text, start);
  const source = text.slice(start, end);
  let fields: Fields;
  try {
    fields = JSON.parse(source) as Fields;
  } catch (error) {
    throw new FrontMatterError("The front matter is not valid JSON", null, error);
  }
  if (start === 0) return { fields, source, body: text.slice(end) };
  const fence = /^[ \t]*\n(?:[ \t]*\n){0,20}---[ \t]*(?:\n|$)/.exec(text.slice(end));
  if (!fence) throw new FrontMatterError("The front matter that begins with ---json has no end", 1);
  return { fields, source, body: text.slice(end + fence[0].length) };
}

/** Throws on duplicate fields: `JSON.parse` takes the last, which could reveal a hidden post. */
function endOfObject(text: string, from: number): number {
  const head = text.slice(from, from + bounds.frontMatter);
  const pieces = /"((?:[^"\\\n]|\\.)*)("?)(\s*:)?|[{}[\]]/g;
  const stack: Set<string>[] = [];
  for (let piece = pieces.exec(head); piece; piece = pieces.exec(head)) {
    const [sign, name = "", isClosed, isName] = piece;
    if (isClosed === "") break;
    if (isName !== undefined) {
      const keys = stack.at(-1);
      if (keys?.has(name))
        throw new FrontMatterError(`The front matter has “${name.slice(0, 60)}” twice`, null);
      keys?.add(name);
    } else if (sign === "{" || sign === "[") {
      if (stack.push(new Set()) > maxDepth)
        throw new FrontMatterError("The front matter is not valid JSON: it is nested too deeply", null);
    } else if (sign === "}" || sign === "]") {
      stack.pop();
      if (stack.length === 0) return from + pieces.lastIndex;
    }
  }
  if (text.length - from > bounds.frontMatter)
    throw new FrontMatterError(
      `The front matter has more than ${bounds.frontMatter.toLocaleString("en")} characters`,
      null,
    );
  throw new FrontMatterError("The front matter that begins with { has no end", 1);
}
