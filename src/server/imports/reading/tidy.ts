import { framePage } from "../../../shared/document/frame-pages.ts";
import { elementsNamed, isElement, tagOf } from "../../../shared/document/dom.ts";
import { escapeHtml } from "../../../shared/document/html-tags.ts";
import { writeTree } from "../../text/html-tree.ts";
import { attribute, linkLine, readHtml, remainingIn, replace, tag, textIn } from "./html.ts";

export interface TidyOptions {
  /** Maps a link for the import to resolve. */
  link?: (href: string) => string;
  /** Maps a picture's address to a file or full address. */
  picture?: (src: string) => string;
  /** Reports what was removed. */
  reportProblem: (problem: string) => void;
  /** Runs first, for the program's own elements. */
  first?: (tree: Node) => void;
}

/**
 * Maps the links and pictures in another program's HTML, and removes and reports what a text here cannot have. The document's
 * parser makes links and cards of frames. Throws `DocumentError`.
 */
export function tidy(html: string, { link, picture, reportProblem, first }: TidyOptions): string {
  const tree = readHtml(html);
  first?.(tree);
  for (const element of remainingIn(tree, elementsNamed(tree, ...Object.keys(unsupported))))
    replaceUnsupported(element, reportProblem);
  for (const caption of remainingIn(tree, elementsNamed(tree, "figcaption"))) replaceCaption(caption);
  for (const anchor of elementsNamed(tree, "a")) {
    const href = anchor.getAttribute("href")?.trim();
    if (href !== undefined) anchor.setAttribute("href", link?.(href) ?? href);
  }
  for (const image of elementsNamed(tree, "img")) {
    const src = attribute(image, "src").trim();
    if (src) image.setAttribute("src", picture?.(src) ?? src);
  }
  return writeTree(tree);
}

const unsupported: Record<string, string> = {
  ...Object.fromEntries(["iframe", "frame", "embed", "object"].map((name) => [name, "a frame"])),
  ...Object.fromEntries(["form", "select", "textarea"].map((name) => [name, "a form"])),
  video: "a video",
  audio: "a sound",
  svg: "a drawing",
  canvas: "a drawing",
  math: "a formula (its text was kept)",
  script: "a script",
  style: "a style sheet",
};

function replaceUnsupported(element: Element, reportProblem: (problem: string) => void): void {
  const name = tagOf(element);
  const inner = elementsNamed(element, "source", "embed").map((one) => attribute(one, "src"));
  const src = [...["src", "data", "data-src"].map((one) => attribute(element, one)), ...inner].find(
    (one) => one && one !== "about:blank",
  );
  const type = attribute(element, "type");
  if (name === "script") {
    // A gist, for example.
    const page = src === undefined ? null : framePage(src);
    if (page) return replace(element, linkLine(page));
    if (embedScript.test(src ?? "") || type.includes("json")) return replace(element, tag(name, {}, ""));
  }
  const address = absolute(src ?? "");
  // A link to the old site is reported.
  if (address && (name === "video" || name === "audio"))
    return replace(element, linkLine(address, attribute(element, "title").trim() || address));
  if (address && unsupported[name] === "a frame") return;
  const isFormula = name === "math";
  if (isFormula && (element.hasAttribute("alttext") || hasTex(element))) return;
  reportProblem(`Skipped ${unsupported[name] ?? name}${src ? `: ${src.slice(0, 200)}` : ""}`);
  // An empty element, which the parser drops, keeps the texts around it apart.
  replace(element, isFormula ? escapeHtml(textIn(element)) : tag(name, {}, ""));
}

const hasTex = (math: Element): boolean =>
  elementsNamed(math, "annotation").some((one) => attribute(one, "encoding").includes("x-tex"));

/** Only a single picture has a caption here; others become a paragraph. */
function replaceCaption(caption: Element): void {
  const parent = caption.parentNode;
  if (!isElement(parent) || tagOf(parent) !== "figure") return;
  const media = elementsNamed(parent, "img", "table", "pre", "blockquote", "iframe", "video", "audio");
  if (media.length !== 1 || tagOf(media[0]!) !== "img")
    replace(caption, tag("p", {}, tag("em", {}, writeTree(caption))));
}

const embedScript = /platform\.(?:twitter|x|instagram)\.com|\/embed(?:s|-lite)?\.js|widgets\.js/;

/** Returns a full web address, or null. */
export function absolute(address: string): string | null {
  const url = address.trim().replace(/^\/\//, "https://");
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}
