import { DocumentError } from "../../shared/document/document-error.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { imagesOf } from "../../shared/document/to-text.ts";
import type { Services } from "../context.ts";
import { serialize } from "../runtime/concurrency.ts";
import { markdownAsHtml } from "./markdown.ts";

/**
 * Returns a stored document as Markdown that parses to the same document. `addressOf` maps pictures. A document too expensive
 * to verify becomes HTML inside, rendered on this thread. `who` shares the workers fairly; `origin` identifies the site's own
 * blogs.
 */
export async function markdownOf(
  workers: Services["workers"],
  document: string,
  addressOf: (src: string) => string,
  { who, origin }: { who?: string; origin?: string } = {},
): Promise<string> {
  const parsed = JSON.parse(document) as DocumentJson;
  const pictures = Object.fromEntries(imagesOf(parsed).map((src) => [src, addressOf(src)]));
  try {
    return (await workers.run("toMarkdown", { document, pictures, origin }, who)).markdown;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return serialize(() => markdownAsHtml(parsed, { picture: addressOf }));
  }
}
