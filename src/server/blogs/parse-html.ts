import { checkDocument } from "../../shared/document/check.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { elementsNamed } from "../../shared/document/dom.ts";
import { htmlLimits as limits } from "../../shared/document/limits.ts";
import { documentParser } from "../../shared/document/parser.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";

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
          `This text has too many pictures in it: at most ${limits.dataImages} can be sent at once.`,
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
  const document = await openHtml(html, length);
  if (options.placeImage || options.origin) await placeImages(document, options);
  if (options.placeLink) placeLinks(document, options.placeLink);
  const checked = checkDocument(documentParser.parse(document).toJSON());
  if (!checked.ok) throw new DocumentError(checked.reason);
  return checked.document;
}

/** The tree of an HTML text, known to be of bounded size before anything walks it by recursion. */
async function openHtml(html: string, length: number): Promise<Node> {
  if (html.length > length)
    throw new DocumentError(
      `This text is too long: at most ${length.toLocaleString("en")} characters of HTML can be read.`,
    );
  let pieces = 0;
  for (const _piece of html.matchAll(/[<&]/g)) {
    if (++pieces > limits.pieces)
      throw new DocumentError(
        `This text has too many tags in it: at most ${limits.pieces.toLocaleString("en")} can be read.`,
      );
  }
  // Some megabytes that a server without old clients never needs.
  const { DOMParser } = await import("linkedom");
  try {
    const document = new DOMParser().parseFromString(
      withoutDoctype(html).replace(/\r\n?/g, "\n") || " ",
      "text/html",
    ) as unknown as Document;
    prepareTree(document);
    return document;
  } catch (error) {
    // linkedom overflows the stack on some nonsense, such as a hundred thousand classes.
    throw error instanceof DocumentError
      ? error
      : new DocumentError("This text could not be read as HTML.", { cause: error });
  }
}

// linkedom drops all that stands before a document type; in the text itself there can be none that is not escaped.
function withoutDoctype(html: string): string {
  return html.replace(/<!doctype[^>]{0,500}>/gi, "");
}

/** Makes of linkedom's tree what a browser's parser would have made, as far as it matters here, and refuses a deep one. */
function prepareTree(document: Document): void {
  let depth = 0;
  let node: Node | null = document.firstChild;
  while (node) {
    if (node.nodeType === 1) prepareElement(node as Element);
    let next: Node | null = node.firstChild;
    if (next && ++depth > limits.depth)
      throw new DocumentError(
        `This text is nested too deeply: at most ${limits.depth} elements can be inside each other.`,
      );
    while (!next && node && node !== document) {
      next = node.nextSibling;
      if (!next) {
        node = node.parentNode;
        depth--;
      }
    }
    node = next;
  }
}

function prepareElement(element: Element): void {
  // Every look at an element's children passes by its attributes.
  const attributes = Array.from(element.attributes);
  if (attributes.length > limits.attributes)
    throw new DocumentError("This text has an element with too many attributes.");
  for (const { name, value } of attributes) {
    const lower = name.toLowerCase();
    if (lower === name) continue;
    element.removeAttribute(name);
    if (!element.hasAttribute(lower)) element.setAttribute(lower, value);
  }
  const tag = element.nodeName.toLowerCase();
  // linkedom compiles a selector at every question; our rules name tags only.
  element.matches = ((selector: string) =>
    selector === "*" || tagsOf(selector).has(tag)) as Element["matches"];
  const first = element.firstChild;
  if (tag === "pre" && first?.nodeType === 3 && first.nodeValue?.startsWith("\n"))
    first.nodeValue = first.nodeValue.slice(1);
}

const selectors = new Map<string, Set<string>>();

function tagsOf(selector: string): Set<string> {
  let tags = selectors.get(selector);
  if (!tags) selectors.set(selector, (tags = new Set(selector.split(/,\s*/))));
  return tags;
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
