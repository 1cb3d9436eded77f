import { framePage } from "../../../shared/document/frame-pages.ts";
import {
  escapeHtml,
  linkLine,
  named,
  readHtml,
  remainingIn,
  replace,
  tag,
  textIn,
  writeHtml,
  type Element,
  type Tree,
} from "./html.ts";

export interface TidyOptions {
  /** Maps a link for the import to resolve. */
  link?: (href: string) => string;
  /** Maps a picture's address to a file or full address. */
  picture?: (src: string) => string;
  /** Reports what was removed. */
  reportProblem: (problem: string) => void;
  /** Runs first, for the program's own elements. */
  first?: (tree: Tree) => void;
}

/**
 * Maps the links and pictures in another program's HTML, and removes and reports what a text here cannot have. The document's
 * parser makes links and cards of frames. Throws `DocumentError`.
 */
export function tidy(html: string, { link, picture, reportProblem, first }: TidyOptions): string {
  const tree = readHtml(html);
  first?.(tree);
  for (const element of remainingIn(tree, named(tree, ...Object.keys(unsupported))))
    replaceUnsupported(element, reportProblem);
  for (const caption of remainingIn(tree, named(tree, "figcaption"))) replaceCaption(caption);
  for (const { name, attribs } of named(tree, "a", "img"))
    if (name === "a" && attribs.href !== undefined)
      attribs.href = link?.(attribs.href.trim()) ?? attribs.href.trim();
    else if (attribs.src) attribs.src = picture?.(attribs.src.trim()) ?? attribs.src;
  return writeHtml(tree);
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
  const { name, attribs } = element;
  const inner = named(element, "source", "embed").map((one) => one.attribs.src);
  const src = [attribs.src, attribs.data, attribs["data-src"], ...inner].find(
    (one) => one && one !== "about:blank",
  );
  const type = attribs.type ?? "";
  if (name === "script") {
    // A gist, for example.
    const page = src === undefined ? null : framePage(src);
    if (page) return replace(element, linkLine(page));
    if (embedScript.test(src ?? "") || type.includes("json")) return empty(element);
  }
  const address = absolute(src ?? "");
  // A link to the old site is reported.
  if (address && (name === "video" || name === "audio"))
    return replace(element, linkLine(address, attribs.title?.trim() || address));
  if (address && unsupported[name] === "a frame") return;
  if (name === "math") {
    if (attribs.alttext !== undefined || /<annotation\b[^<>]*\bx-tex\b/i.test(writeHtml(element))) return;
    replace(element, escapeHtml(textIn(element)));
  }
  reportProblem(`Skipped ${unsupported[name] ?? name}${src ? `: ${src.slice(0, 200)}` : ""}`);
  empty(element);
}

/** Only a single picture has a caption here; others become a paragraph. */
function replaceCaption(caption: Element): void {
  const { parent } = caption;
  if (!parent || !("name" in parent) || parent.name !== "figure") return;
  const media = named(parent, "img", "table", "pre", "blockquote", "iframe", "video", "audio");
  if (media.length !== 1 || media[0]?.name !== "img")
    replace(caption, tag("p", {}, tag("em", {}, writeHtml(caption))));
}

const embedScript = /platform\.(?:twitter|x|instagram)\.com|\/embed(?:s|-lite)?\.js|widgets\.js/;

/** Leaves an element that the parser drops. */
function empty(element: Element): void {
  element.attribs = {};
  element.children = [];
}

/** Returns a full web address, or null. */
export function absolute(address: string): string | null {
  const url = address.trim().replace(/^\/\//, "https://");
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}
