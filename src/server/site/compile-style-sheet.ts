import { transform, type TokenOrValue } from "lightningcss";
import { limits } from "../../shared/limits.ts";

/* The child process of style-sheet.ts, so that a crash of the CSS parser ends only this process. */

export type CompiledSheet = { css: string } | { refused: string };

class Refused extends Error {}

process.on("message", (source: string) => {
  let rendered: CompiledSheet;
  try {
    rendered = { css: compileSheet(source) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    rendered = { refused: error.message };
  }
  process.send?.(rendered, () => process.disconnect());
});

/** A URL of this site that needs no escaping. */
const isOwnUrl = (url: string): boolean => /^\/(?!\/)[\w./%~+,=&?@:-]*$|^#[\w-]+$/.test(url);

/** Functions that fetch a string argument. The parser reports few of them, and none in custom properties. */
const fetchingFunction = /^(?:-\w+-)?(?:url|src|image|image-set|cross-fade)$/i;

/** Minifies a style sheet. Throws `Refused` if it is invalid or refers to another site. */
function compileSheet(source: string): string {
  let result;
  try {
    result = transform({
      filename: "sheet.css",
      code: Buffer.from(source),
      minify: true,
      analyzeDependencies: true,
      visitor: {
        Url(url) {
          requireOwn(url.url);
        },
        Function({ name, arguments: values }) {
          if (fetchingFunction.test(name)) for (const value of values) requireOwnString(name, value);
        },
      },
    });
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { message, loc } = error as Error & { loc?: { line: number } };
    throw new Refused(
      loc ? `Line ${loc.line} can’t be read as CSS: ${message}.` : `This can’t be read as CSS: ${message}.`,
    );
  }
  const urls = new Map<string, string>();
  for (const dependency of result.dependencies ?? []) {
    if (!("url" in dependency) || dependency.type === "import")
      throw new Refused("A style sheet can’t import another one. Please paste its rules here.");
    requireOwn(dependency.url);
    urls.set(dependency.placeholder, dependency.url);
  }
  // In one pass, for speed.
  const css = Buffer.from(result.code)
    .toString()
    .replace(/[\w-]{6,}/g, (word) => urls.get(word) ?? word);
  if (css.length > limits.site.sheet) throw new Refused("This style sheet is too long.");
  return css;
}

function requireOwn(url: string): void {
  if (isOwnUrl(url)) return;
  throw new Refused(
    `“${url.slice(0, 100)}” is elsewhere: a style sheet names pictures of this site alone, as /media/…`,
  );
}

/** In a fetching function, a string is a URL, and a value computed by the browser could be one. */
function requireOwnString(name: string, { type, value }: TokenOrValue): void {
  if (type === "token" && value.type === "string") requireOwn(value.value);
  const isNested = type === "function" && value.name !== "type";
  if (isNested || type === "var" || type === "env")
    throw new Refused(`${name}() can’t be checked with what is in it: please name the picture itself.`);
}
