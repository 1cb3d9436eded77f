import { checkDocument } from "../../shared/document/check.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { elementsNamed } from "../../shared/document/dom.ts";
import { htmlLimits as limits } from "../../shared/document/limits.ts";
import { documentParser } from "../../shared/document/parser.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { straightenNotes } from "../../shared/document/straighten-notes.ts";
import { readTree } from "./html-tree.ts";

/** A picture in our store. */
export interface StoredImage {
  src: string;
  width: number;
  height: number;
}

export interface ParseOptions {
  /** The site's origin: pictures that HTML of ours gives by full address become paths again. */
  origin?: string;
  /** Asked for each picture's address as it is written: where to find it now, null to leave its description in its place, "keep" if it is right. */
  placeImage?: (src: string) => Promise<StoredImage | null | "keep"> | StoredImage | null | "keep";
  /** Asked for each link's address as it is written. */
  placeLink?: (href: string) => string | null;
}

/**
 * HTML from anywhere as a document; what the schema has no place for (scripts, handlers, styles, comments, `data:`
 * pictures) is gone. Throws `DocumentError` where the HTML is too long, too deep or has too much in it.
 */
export async function parseHtml(html: string, options: ParseOptions = {}): Promise<DocumentJson> {
  return readHtml(html, limits.length, options);
}

/**
 * The same, but pictures within the HTML (`data:` addresses, as Quill makes them) are given to `storeImage`, one at a
 * time and equal ones once. Where it answers null the picture's description is left.
 */
export async function parseHtmlWithImages(
  html: string,
  storeImage: (bytes: Buffer, mime: string) => Promise<StoredImage | null>,
  options: Omit<ParseOptions, "placeImage"> = {},
): Promise<DocumentJson> {
  const stored = new Map<string, StoredImage | null>();
  const placeImage = async (src: string) => {
    if (!/^\s*data:/i.test(src)) return "keep";
    let image = stored.get(src);
    if (image === undefined) {
      if (stored.size >= limits.dataImages)
        throw new DocumentError(
          `This text has too many pictures. You can send up to ${limits.dataImages} at once.`,
        );
      const file = decodeDataUrl(src);
      image = file && (await storeImage(file.bytes, file.mime));
      stored.set(src, image);
    }
    return image;
  };
  return readHtml(html, limits.lengthWithImages, { ...options, placeImage });
}

async function readHtml(html: string, length: number, options: ParseOptions): Promise<DocumentJson> {
  if (html.length > length)
    throw new DocumentError(
      `This text is too long: at most ${length.toLocaleString("en")} characters of HTML can be read.`,
    );
  const tree = readTree(html);
  // A browser drops a line break right behind <pre>.
  for (const { firstChild: first } of elementsNamed(tree, "pre"))
    if (first?.nodeValue?.startsWith("\n")) first.nodeValue = first.nodeValue.slice(1);
  // Before links are led elsewhere: those between signs and notes are no links of the text.
  straightenNotes(tree);
  if (options.placeImage || options.origin) await placeImages(tree, options);
  if (options.placeLink) placeLinks(tree, options.placeLink);
  const checked = checkDocument(documentParser.parse(tree).toJSON());
  if (!checked.ok) throw new DocumentError(checked.reason);
  return checked.document;
}

async function placeImages(document: Node, { origin, placeImage }: ParseOptions): Promise<void> {
  for (const image of elementsNamed(document, "img")) {
    const src = image.getAttribute("src") ?? "";
    // What stands behind the path is a signature, whose time will be over.
    if (origin && src.startsWith(`${origin}/media/`))
      image.setAttribute("src", src.slice(origin.length).replace(/[?#].*$/, ""));
    const placed = (await placeImage?.(src)) ?? null;
    if (!placeImage || placed === "keep") continue;
    if (placed) {
      image.setAttribute("src", placed.src);
      if (!image.hasAttribute("width") && !image.hasAttribute("height")) {
        image.setAttribute("width", String(placed.width));
        image.setAttribute("height", String(placed.height));
      }
    } else {
      const description = image.ownerDocument.createTextNode(image.getAttribute("alt") ?? "");
      image.parentNode?.replaceChild(description, image);
    }
  }
}

function placeLinks(document: Node, placeLink: (href: string) => string | null): void {
  for (const link of elementsNamed(document, "a")) {
    const href = link.getAttribute("href");
    const placed = href === null ? null : placeLink(href);
    if (placed === null) link.removeAttribute("href");
    else link.setAttribute("href", placed);
  }
}

function decodeDataUrl(address: string): { bytes: Buffer; mime: string } | null {
  const comma = address.indexOf(",");
  const [, mime] =
    /^\s*data:(image\/[\w.+-]+)(?:;[\w=-]+)*;base64$/i.exec(address.slice(0, Math.min(comma, 200))) ?? [];
  if (!mime) return null;
  const code = address
    .slice(comma + 1)
    .replace(/%2b/gi, "+")
    .replace(/%2f/gi, "/")
    .replace(/%3d/gi, "=");
  if (code.length * 0.75 > limits.dataImageBytes + 16)
    throw new DocumentError(
      `This text has a picture in it that is too large: at most ${limits.dataImageBytes / 1024 / 1024} MB are possible.`,
    );
  return { bytes: Buffer.from(code, "base64"), mime: mime.toLowerCase() };
}
