import { DocumentError } from "../../shared/document/document-error.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { imagesOf } from "../../shared/document/to-text.ts";
import type { Parts } from "../context.ts";
import { inTurn } from "../turns.ts";
import { allAsHtml } from "./markdown.ts";

/**
 * A stored document as Markdown that makes the same document again, its pictures by what `addressOf` makes of theirs. What takes
 * too much work to be read again is HTML within it, which is written here in one go. `who` it is made for: each has their turn;
 * `origin` is the site's, by which its own blogs are known.
 */
export async function markdownOf(
  workers: Parts["workers"],
  document: string,
  addressOf: (src: string) => string,
  { who, origin }: { who?: string; origin?: string } = {},
): Promise<string> {
  const read = JSON.parse(document) as DocumentJson;
  const pictures = Object.fromEntries(imagesOf(read).map((src) => [src, addressOf(src)]));
  try {
    return (await workers.run("toMarkdown", { document, pictures, origin }, who)).markdown;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return inTurn(() => allAsHtml(read, { picture: addressOf }));
  }
}
