import { transform, type TokenOrValue } from "lightningcss";
import { limits } from "../../shared/limits.ts";

/* The process that style-sheet.ts starts for one style sheet: a crash of the parser ends nothing but this. */

/** What is said of a sheet: how it is served, or why it is refused. */
export type DrawnSheet = { css: string } | { refused: string };

class Refused extends Error {}

process.on("message", (source: string) => {
  let drawn: DrawnSheet;
  try {
    drawn = { css: drawSheet(source) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    drawn = { refused: error.message };
  }
  process.send?.(drawn, () => process.disconnect());
});

/** What a sheet may name: pictures of this site, in signs that need no escaping. */
const isOwn = (url: string): boolean => /^\/(?!\/)[\w./%~+,=&?@:-]*$|^#[\w-]+$/.test(url);

/** Functions that fetch what a mere string in them names. The parser knows few of them, and none in a property of one's own. */
const fetching = /^(?:-\w+-)?(?:url|src|image|image-set|cross-fade)$/i;

/** A style sheet made smaller. Throws `Refused` where it can't be read, and where it asks for anything from elsewhere. */
function drawSheet(source: string): string {
  let made;
  try {
    made = transform({
      filename: "sheet.css",
      code: Buffer.from(source),
      minify: true,
      analyzeDependencies: true,
      visitor: {
        Url(url) {
          requireOwn(url.url);
        },
        Function({ name, arguments: values }) {
          if (fetching.test(name)) for (const value of values) requireOwnString(name, value);
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
  for (const one of made.dependencies ?? []) {
    if (!("url" in one) || one.type === "import")
      throw new Refused("A style sheet can’t import another one. Please paste its rules here.");
    requireOwn(one.url);
    urls.set(one.placeholder, one.url);
  }
  // In one pass, however many there are.
  const css = Buffer.from(made.code)
    .toString()
    .replace(/[\w-]{6,}/g, (word) => urls.get(word) ?? word);
  if (css.length > limits.site.sheet) throw new Refused("This style sheet is too long.");
  return css;
}

function requireOwn(url: string): void {
  if (isOwn(url)) return;
  throw new Refused(
    `“${url.slice(0, 100)}” is elsewhere: a style sheet names pictures of this site alone, as /media/…`,
  );
}

/** In a function that fetches: a string is an address, and what only the page works out could be one. */
function requireOwnString(name: string, { type, value }: TokenOrValue): void {
  if (type === "token" && value.type === "string") requireOwn(value.value);
  const isNested = type === "function" && value.name !== "type";
  if (isNested || type === "var" || type === "env")
    throw new Refused(`${name}() can’t be checked with what is in it: please name the picture itself.`);
}
