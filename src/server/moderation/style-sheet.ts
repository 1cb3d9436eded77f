import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

/** What a sheet may name: pictures of this site, in signs that need no escaping. */
const isOwn = (url: string): boolean => /^\/(?!\/)[\w./%~+,=&?@:-]*$|^#[\w-]+$/.test(url);

/**
 * A style sheet as it is served, made smaller. Throws `bad_request` with the line where it can't be read, and where it asks
 * for anything from elsewhere: that would tell others who reads here.
 */
export async function drawSheet(source: string): Promise<string> {
  // Some megabytes that are needed when a sheet is saved.
  const { transform } = await import("lightningcss");
  let made;
  try {
    made = transform({
      filename: "sheet.css",
      code: Buffer.from(source),
      minify: true,
      analyzeDependencies: true,
      visitor: {
        Url(url) {
          if (!isOwn(url.url)) throw foreign(url.url);
        },
      },
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { message, loc } = error as Error & { loc?: { line: number } };
    throw refusal(
      loc ? `Line ${loc.line} can’t be read as CSS: ${message}.` : `This can’t be read as CSS: ${message}.`,
      error,
    );
  }
  const urls = new Map<string, string>();
  for (const one of made.dependencies ?? []) {
    if (!("url" in one) || one.type === "import")
      throw refusal("A style sheet can’t import another: please put its rules here.");
    if (!isOwn(one.url)) throw foreign(one.url);
    urls.set(one.placeholder, one.url);
  }
  // In one pass, however many there are.
  const css = Buffer.from(made.code)
    .toString()
    .replace(/[\w-]{6,}/g, (word) => urls.get(word) ?? word);
  if (css.length > limits.site.sheet) throw refusal("This style sheet is too long.");
  return css;
}

const refusal = (message: string, cause?: unknown) =>
  new AppError("bad_request", message, { field: "source", cause });
const foreign = (url: string) =>
  refusal(
    `“${url.slice(0, 100)}” is elsewhere: a style sheet names pictures of this site alone, as /media/…`,
  );
