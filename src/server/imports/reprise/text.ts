import { checkDocument } from "../../../shared/document/check.ts";
import { withOwnAddresses } from "../../../shared/document/own-links.ts";
import { documentToHtml } from "../../../shared/document/to-html.ts";
import { isRow, parsedJson } from "../reading/values.ts";
import { FileProblem } from "../source.ts";

/** Replaces picture addresses during the check, which requires full ones. */
const mediaPlaceholder = "https://export.invalid/media/";

/** Returns HTML that parses to the same document as that of a row in JSON. */
export function htmlOf(json: string, url: string): string {
  const parsed = parsedJson(json.replaceAll('"../media/', `"${mediaPlaceholder}`));
  if (!isRow(parsed)) throw new FileProblem("not valid JSON");
  const checked = checkDocument(parsed.document);
  if (!checked.ok) throw new FileProblem(checked.reason);
  // The blog of a card may not come along.
  const document = withOwnAddresses(checked.document, url);
  return documentToHtml(document).replaceAll(mediaPlaceholder, "../media/");
}
