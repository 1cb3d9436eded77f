import {
  childrenOf,
  elementsIn,
  elementsNamed,
  firstShown,
  hasClass,
  isElement,
  isText,
  moveContent,
  nextShown,
  ownerOf,
  tagOf,
  textOf,
  unfoldBlocks,
} from "../dom.ts";
import { documentLimits as limits } from "../limits.ts";
import { safeLink } from "../values.ts";
import { readPicture, type FigureSize } from "./picture.ts";

export const sizeInClass = (dom: Element): FigureSize =>
  hasClass(dom, "figure-full") ? "full" : hasClass(dom, "figure-wide") ? "wide" : "text";

function shownIn(dom: Node): Node[] {
  const shown: Node[] = [];
  for (let node = firstShown(dom); node && shown.length < 4; node = nextShown(node)) shown.push(node);
  return shown;
}

/** Whether it has our form: a picture, linked or not, and its caption. */
export function isFigure(dom: Node | null): boolean {
  if (!isElement(dom) || tagOf(dom) !== "figure") return false;
  const [first, second, ...more] = shownIn(dom);
  if (!first || !isElement(first) || more.length > 0 || (second && tagOf(second) !== "figcaption"))
    return false;
  const [inside, ...others] = tagOf(first) === "a" ? shownIn(first) : [first];
  return (
    Boolean(inside) &&
    isElement(inside) &&
    tagOf(inside) === "img" &&
    others.length === 0 &&
    readPicture(inside) !== false
  );
}

export function isPair(dom: Node | null): boolean {
  if (!isElement(dom) || tagOf(dom) !== "div" || !hasClass(dom, "figure-pair")) return false;
  const figures = shownIn(dom);
  return figures.length === 2 && figures.every((figure) => isFigure(figure));
}

/**
 * Brings each `figure` of one picture into our form. Of others the parser keeps the content; their captions become paragraphs.
 */
export function straightenFigures(root: Node): void {
  // From the inside out: a gallery is a figure of figures.
  for (const figure of elementsNamed(root, "figure").toReversed()) straightenFigure(figure);
  for (const caption of elementsNamed(root, "figcaption")) {
    if (!isFigure(caption.parentNode)) toBox(caption);
  }
  for (const box of elementsNamed(root, "div")) {
    if (!hasClass(box, "figure-pair")) continue;
    if (isPair(box)) setClass(box, "figure-pair", sizeOf(box));
    else box.removeAttribute("class");
  }
}

// With one of these, a figure is more than a picture.
const others = new Set(
  "audio blockquote canvas details embed figure h1 h2 h3 h4 h5 h6 hr iframe math object ol pre select table textarea ul video".split(
    " ",
  ),
);
// Their text is not visible.
const unread = new Set(["button", "noscript", "script", "style", "svg", "template"]);

function straightenFigure(figure: Element): void {
  const found = partsOf(figure);
  if (!found) return;
  const { image, caption } = found;
  const href = linkAround(image, figure);
  const size = sizeOf(figure);
  if (caption) {
    unfoldBlocks(caption);
    for (const line of elementsNamed(caption, "hr", "img")) line.remove();
  }
  const picture = href === null ? image : ownerOf(figure).createElement("a");
  if (href !== null) {
    picture.setAttribute("href", href.address);
    if (href.title) picture.setAttribute("title", href.title);
  }
  for (const child of childrenOf(figure)) child.remove();
  if (href !== null) picture.appendChild(image);
  figure.appendChild(picture);
  if (caption) {
    const spaces = caption.getAttribute("style");
    for (const name of ["class", "align", "style"]) caption.removeAttribute(name);
    // The only style that a caption keeps.
    const whiteSpaceStyle = /(?:^|;)\s*white-space\s*:\s*(?:pre|break-spaces)[\w-]*/i.exec(spaces ?? "")?.[0];
    if (whiteSpaceStyle) caption.setAttribute("style", whiteSpaceStyle.replace(/^;/, ""));
    figure.appendChild(caption);
  }
  for (const name of ["style", "align", "dir"]) figure.removeAttribute(name);
  setClass(figure, "", size);
}

/** Returns the picture and its caption; null if the figure contains anything else. */
function partsOf(figure: Element): { image: Element; caption: Element | undefined } | null {
  let image: Element | undefined;
  let caption: Element | undefined;
  for (const element of elementsIn(figure)) {
    const tag = tagOf(element);
    if (tag === "figcaption") {
      if (caption) return null;
      caption = element;
    } else if (tag === "img") {
      if (image) return null;
      image = element;
    } else if (others.has(tag)) return null;
  }
  if (!image || readPicture(image) === false || isWithin(image, caption)) return null;
  if (caption && textOf(caption).length > limits.caption) return null;
  return hasWords(figure, caption) ? null : { image, caption };
}

function isWithin(node: Node, outer: Node | undefined): boolean {
  for (let at: Node | null = node; at && outer; at = at.parentNode) if (at === outer) return true;
  return false;
}

function hasWords(figure: Element, caption: Element | undefined): boolean {
  let node: Node | null = figure.firstChild;
  while (node) {
    if (isText(node) && (node.nodeValue ?? "").trim() !== "") return true;
    const isSkipped = node === caption || unread.has(tagOf(node));
    let next: Node | null = isSkipped ? null : node.firstChild;
    while (!next && node && node !== figure) {
      next = node.nextSibling;
      if (!next) node = node.parentNode;
    }
    node = next;
  }
  return false;
}

/** Returns the picture's link. One around the whole figure becomes the picture's. */
function linkAround(image: Element, figure: Element): { address: string; title: string | null } | null {
  let link: { address: string; title: string | null } | null = null;
  let isOutside = false;
  for (let at: Node | null = image.parentNode; at; at = at.parentNode) {
    if (at === figure) isOutside = true;
    if (!isElement(at) || tagOf(at) !== "a") continue;
    const address = safeLink(at.getAttribute("href"));
    if (address !== null) link ??= { address, title: at.getAttribute("title") };
    if (isOutside) at.removeAttribute("href");
  }
  return link;
}

const classes: Record<Exclude<FigureSize, "text">, RegExp> = {
  // WordPress, Ghost, Medium.
  full: /(?:^|\s)(?:figure-full|alignfull|kg-width-full|graf--layoutFillWidth)(?!\S)/,
  wide: /(?:^|\s)(?:figure-wide|alignwide|kg-width-wide|graf--layoutOutsetCenter)(?!\S)/,
};

function sizeOf(element: Element): FigureSize {
  const className = element.getAttribute("class") ?? "";
  return classes.full.test(className) ? "full" : classes.wide.test(className) ? "wide" : "text";
}

function setClass(element: Element, name: string, size: FigureSize): void {
  const classNames = [name, size === "text" ? "" : `figure-${size}`].filter(Boolean).join(" ");
  if (classNames) element.setAttribute("class", classNames);
  else element.removeAttribute("class");
}

/** Replaces the caption with a box that keeps its style. */
function toBox(caption: Element): void {
  const box = ownerOf(caption).createElement("div");
  for (const name of ["class", "style", "align"]) {
    const value = caption.getAttribute(name);
    if (value !== null) box.setAttribute(name, value);
  }
  moveContent(caption, box);
  caption.parentNode?.replaceChild(box, caption);
}
