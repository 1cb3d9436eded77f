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
 * parser makes links of players and frames. Throws `DocumentError`.
 */
export function tidy(html: string, { link, picture, reportProblem, first }: TidyOptions): string {
  const tree = readHtml(html);
  first?.(tree);
  for (const element of remainingIn(tree, named(tree, ...Object.keys(unsupported))))
    replaceUnsupported(element, reportProblem);
  // Only a single picture has a caption here.
  for (const caption of remainingIn(tree, named(tree, "figcaption"))) {
    const media = named(
      caption.parent ?? tree,
      "img",
      "table",
      "pre",
      "blockquote",
      "iframe",
      "video",
      "audio",
    );
    if (media.length !== 1 || media[0]?.name !== "img")
      replace(caption, tag("p", {}, tag("em", {}, writeHtml(caption))));
  }
  for (const { name, attribs } of named(tree, "a", "img"))
    if (name === "a" && attribs.href !== undefined)
      attribs.href = link?.(attribs.href.trim()) ?? attribs.href.trim();
    else if (attribs.src) attribs.src = picture?.(attribs.src.trim()) ?? attribs.src;
  return writeHtml(tree);
}

const unsupported: Record<string, string> = {
  ...Object.fromEntries(["iframe", "frame", "embed", "object"].map((name) => [name, "an embed"])),
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
  if (name === "script") {
    // A gist, for example.
    const page = src === undefined ? null : framePage(src);
    const isOfEmbed = /platform\.(?:twitter|x|instagram)\.com|\/embed(?:s|-lite)?\.js|widgets\.js/.test(
      src ?? "",
    );
    if (!page && !isOfEmbed && !attribs.type?.includes("json")) reportProblem(skipped("a script", src));
    return replace(element, page ? linkLine(page) : "");
  }
  if (src !== undefined && absolute(src) && !["svg", "form"].includes(name)) return;
  if (
    name === "math" &&
    (attribs.alttext !== undefined || /<annotation\b[^<>]*\bx-tex\b/i.test(writeHtml(element)))
  )
    return;
  reportProblem(skipped(unsupported[name] ?? name, src));
  replace(element, name === "math" ? escapeHtml(textIn(element)) : "");
}

const skipped = (kind: string, src = ""): string => `Skipped ${kind}${src && `: ${src.slice(0, 200)}`}`;

/** Returns a full web address, or null. */
export function absolute(address: string): string | null {
  const url = address.trim().replace(/^\/\//, "https://");
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}
