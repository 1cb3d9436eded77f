import { checkDocument } from "../../shared/document/check.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { elementsNamed } from "../../shared/document/dom.ts";
import { htmlLimits as limits } from "../../shared/document/limits.ts";
import { documentParser } from "../../shared/document/parser.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { straightenNotes } from "../../shared/document/blocks/footnote-reading.ts";
import { readTree, tooLongHtml } from "./html-tree.ts";

export interface StoredImage {
  src: string;
  width: number;
  height: number;
}

export interface ParseOptions {
  /** The site's origin: our pictures given by full URL become paths. */
  origin?: string;
  /** Maps a picture's address to its new place; null leaves its description, "keep" changes nothing. */
  placeImage?: (src: string) => Promise<StoredImage | null | "keep"> | StoredImage | null | "keep";
  /** Maps a link's address; null removes it. */
  placeLink?: (href: string) => string | null;
}

/**
 * Parses any HTML, dropping what the schema excludes (scripts, handlers, styles, comments, `data:` pictures). Throws
 * `DocumentError` above the limits.
 */
export async function parseHtml(html: string, options: ParseOptions = {}): Promise<DocumentJson> {
  return readHtml(html, limits.length, options);
}

/**
 * Like `parseHtml`, but stores `data:` pictures, as Quill makes them, one at a time and equal ones once. Null leaves the
 * description.
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
  if (html.length > length) throw tooLongHtml(length);
  const tree = readTree(html);
  // Browsers drop a line break right after <pre>.
  for (const { firstChild: first } of elementsNamed(tree, "pre"))
    if (first?.nodeValue?.startsWith("\n")) first.nodeValue = first.nodeValue.slice(1);
  // Before `placeLinks`: links between references and notes are not the text's own.
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
    // The query is a signature, which expires.
    if (origin && src.startsWith(`${origin}/media/`))
      image.setAttribute("src", src.slice(origin.length).replace(/[?#].*$/, ""));
    const storedImage = (await placeImage?.(src)) ?? null;
    if (!placeImage || storedImage === "keep") continue;
    if (storedImage) {
      image.setAttribute("src", storedImage.src);
      if (!image.hasAttribute("width") && !image.hasAttribute("height")) {
        image.setAttribute("width", String(storedImage.width));
        image.setAttribute("height", String(storedImage.height));
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
    const newHref = href === null ? null : placeLink(href);
    if (newHref === null) link.removeAttribute("href");
    else link.setAttribute("href", newHref);
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
