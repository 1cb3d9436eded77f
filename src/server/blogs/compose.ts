import { AppError } from "../../shared/errors.ts";
import { checkDocument } from "../../shared/document/check.ts";
import { documentToHtml } from "../../shared/document/to-html.ts";
import {
  countWords,
  documentToText,
  excerpt,
  imagesOf,
  readingMinutes,
} from "../../shared/document/to-text.ts";
import type { Connection } from "../database/connection.ts";
import { pictureIdOf, srcsetOf } from "../media/paths.ts";
import { picturesByIds } from "../media/queries.ts";

/** What is stored beside a document, derived from it at every write. */
export interface Composed {
  document: unknown;
  html: string;
  text: string;
  excerpt: string;
  words: number;
  readingMinutes: number;
  pictureIds: string[];
}

const articleSizes = "(max-width: 720px) 100vw, 680px";

/** Checks a document that came in and derives its HTML and text; links to `origin`, the site's own, are no strangers'. Throws `bad_request` with what is wrong with it. */
export async function compose(connection: Connection, input: unknown, origin: string): Promise<Composed> {
  const checked = checkDocument(input);
  if (!checked.ok) throw new AppError("bad_request", checked.reason, { field: "document" });
  const { document } = checked;
  const pictureIds = [...new Set(imagesOf(document).flatMap((src) => pictureIdOf(src) ?? []))];
  const pictures = new Map(
    (await picturesByIds(connection, pictureIds)).map((picture) => [picture.id, picture]),
  );
  const html = documentToHtml(document, {
    origin,
    image: (src) => {
      const picture = pictures.get(pictureIdOf(src) ?? "");
      return (
        picture && {
          src,
          srcset: srcsetOf(picture),
          sizes: articleSizes,
          width: picture.width,
          height: picture.height,
        }
      );
    },
  });
  const text = documentToText(document);
  const words = countWords(text);
  return {
    document,
    html,
    text,
    excerpt: excerpt(document, 220),
    words,
    readingMinutes: readingMinutes(text),
    pictureIds,
  };
}
