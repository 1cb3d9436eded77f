import { framePage } from "../../../shared/document/frame-pages.ts";
import { lazyPictureAddress } from "../../../shared/document/lazy-picture.ts";
import {
  byName,
  elements,
  escapeHtml,
  firstNamed,
  linkLine,
  indexInSiblings,
  readHtml,
  replace,
  remainingIn,
  tag,
  textIn,
  unwrap,
  writeHtml,
  type Element,
  type Tree,
} from "./html.ts";

export interface TidyOptions {
  /** Maps a link for the import to resolve. */
  link: (href: string) => string;
  /** Maps a picture's address to a file or full address. */
  picture: (src: string) => string;
  /** Reports what was removed. */
  reportProblem: (problem: string) => void;
  /** Runs first, for the program's own elements. */
  first?: (tree: Tree) => void;
}

/**
 * Converts another program's HTML: replaces frames, players and forms with links or reports them, and maps links and pictures.
 * Throws `DocumentError`.
 */
export function tidy(html: string, { link, picture, reportProblem, first }: TidyOptions): string {
  const tree = readHtml(html);
  first?.(tree);
  const elementsNamed = byName(tree);
  resolveLazyPictures(tree, elementsNamed);
  dropScripts(elementsNamed, reportProblem);
  for (const frame of remainingIn(tree, elementsNamed("iframe", "embed", "object", "frame")))
    linkFrame(frame, reportProblem);
  for (const player of remainingIn(tree, elementsNamed("video", "audio"))) linkPlayer(player, reportProblem);
  const drawings = elementsNamed("svg", "canvas", "math", "form", "select", "textarea", "applet");
  for (const drawing of remainingIn(tree, drawings)) {
    // A formula with its TeX stays.
    if (drawing.name === "math" && hasTex(drawing)) continue;
    reportProblem(`Skipped unsupported content: ${kinds[drawing.name] ?? drawing.name}`);
    replace(drawing, drawing.name === "math" ? escapeHtml(textIn(drawing)) : "");
  }
  const remaining = byName(tree);
  for (const { attribs } of remaining("a"))
    if (attribs.href !== undefined) attribs.href = link(attribs.href.trim());
  for (const { attribs } of remaining("img")) if (attribs.src) attribs.src = picture(attribs.src.trim());
  return writeHtml(tree);
}

type ByName = ReturnType<typeof byName>;

const kinds: Record<string, string> = {
  svg: "a drawing (svg)",
  canvas: "a drawing (canvas)",
  math: "a formula (its text was kept)",
  form: "a form",
  select: "a form",
  textarea: "a form",
};

const hasTex = (math: Element): boolean =>
  math.attribs.alttext !== undefined || /<annotation\b[^<>]*\bx-tex\b/i.test(writeHtml(math));

/** Resolves lazily loaded pictures and those in `<noscript>`. */
function resolveLazyPictures(tree: Tree, elementsNamed: ByName): void {
  for (const image of elementsNamed("img", "amp-img")) {
    image.name = "img";
    const { attribs } = image;
    const address = lazyPictureAddress((name) => attribs[name]);
    if (address) attribs.src = address;
  }
  for (const noscript of remainingIn(tree, elementsNamed("noscript"))) {
    const image = firstNamed(noscript, "img");
    const before = image && pictureBefore(noscript);
    if (!image || (before && before.attribs.src === image.attribs.src)) replace(noscript);
    else {
      if (before && (before.attribs.src ?? "data:").startsWith("data:")) replace(before);
      replace(noscript, tag("img", image.attribs));
    }
  }
  for (const picture of elementsNamed("picture")) unwrap(picture);
  for (const source of elementsNamed("source"))
    if (!["video", "audio"].includes((source.parent as Element | null)?.name ?? "")) replace(source);
}

function pictureBefore(element: Element): Element | undefined {
  const siblings = element.parent?.children ?? [];
  for (let index = indexInSiblings(element, siblings) - 1; index >= 0; index--) {
    const before = siblings[index];
    if (before && "attribs" in before) return before.name === "img" ? before : undefined;
  }
  return undefined;
}

function dropScripts(elementsNamed: ByName, reportProblem: (problem: string) => void): void {
  for (const script of elementsNamed("script", "style", "link", "meta", "base", "title")) {
    const { src = "", type = "" } = script.attribs;
    const embed = script.name === "script" && src ? framePage(src) : null;
    if (embed) replace(script, linkLine(embed));
    else {
      const isEmbedScript = /platform\.(?:twitter|x|instagram)\.com|\/embed(?:s|-lite)?\.js|widgets\.js/.test(
        src,
      );
      if (script.name === "script" && !isEmbedScript && !type.includes("json"))
        reportProblem(`Skipped a script${src ? `: ${src.slice(0, 200)}` : ""}`);
      if (script.name === "style") reportProblem("Skipped a style sheet");
      replace(script);
    }
  }
}

function linkFrame(frame: Element, reportProblem: (problem: string) => void): void {
  const { src, data, title } = frame.attribs;
  const address = [src, data, frame.attribs["data-src"]].find((value) => value && value !== "about:blank");
  const inner = firstNamed(frame, "embed")?.attribs.src;
  const source = address ?? inner;
  const href = source && (framePage(source) ?? absolute(source));
  if (href) replace(frame, linkLine(href, title?.trim() || href));
  else {
    reportProblem(`Skipped an embed from ${source ? source.slice(0, 200) : "an unknown address"}`);
    replace(frame);
  }
}

function linkPlayer(player: Element, reportProblem: (problem: string) => void): void {
  const sources = elements(player, ({ name }) => name === "source").map(({ attribs }) => attribs.src);
  const src = [player.attribs.src, ...sources].find(Boolean);
  const kind = player.name === "video" ? "video" : "sound";
  if (src && absolute(src))
    replace(player, linkLine(absolute(src) ?? "", player.attribs.title?.trim() || undefined));
  else {
    reportProblem(`Skipped a ${kind}${src ? `: ${src.slice(0, 200)}` : ""}`);
    replace(player);
  }
}

/** Returns a full web address, or null. */
export function absolute(address: string): string | null {
  const url = address.trim().replace(/^\/\//, "https://");
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}
