import {
  elementsIn,
  elementsNamed,
  firstShown,
  hasClass,
  inlineRuns,
  isBlock,
  isElement,
  moveContent,
  moveFormats,
  nextShown,
  ownerOf,
  tagOf,
  wrapRun,
} from "./dom.ts";
import { keepsSpaces } from "./keeps-spaces.ts";
import { alignOf, indentOf } from "./nodes.ts";
import { dropNeedlessBreaks } from "./straighten-breaks.ts";
import { straightenCode } from "./straighten-code.ts";
import { straightenCopied } from "./straighten-copied.ts";
import { straightenFrames } from "./straighten-frames.ts";
import { straightenFormulas } from "./straighten-formulas.ts";
import { straightenLazyPictures } from "./straighten-lazy-pictures.ts";
import { straightenLists } from "./straighten-lists.ts";
import { straightenWord } from "./straighten-word.ts";
import { isFigure } from "./figure-nodes.ts";
import { straightenGhost } from "./foreign/ghost.ts";
import { straightenNotion } from "./foreign/notion.ts";
import { straightenObsidian } from "./foreign/obsidian.ts";
import { straightenFigures } from "./straighten-figures.ts";
import { straightenBoxes } from "./straighten-boxes.ts";
import { isNotes, straightenNotes } from "./straighten-notes.ts";
import { straightenTasks } from "./straighten-tasks.ts";

/**
 * Brings HTML of other editors (above all Quill) into the form that the schema's parse rules read: nested lists, one element
 * per block, formats on their block. Our own HTML stays unchanged. Modifies the tree.
 */
export function straighten(root: Node): void {
  dropControls(root);
  straightenLazyPictures(root);
  straightenFormulas(root);
  straightenNotes(root);
  straightenNotion(root);
  straightenObsidian(root);
  straightenGhost(root);
  straightenTasks(root);
  straightenBoxes(root);
  straightenFrames(root);
  liftCaptions(root);
  straightenFigures(root);
  straightenCopied(root);
  straightenCode(root);
  straightenWord(root);
  straightenLists(root);
  joinQuotes(root);
  dropNeedlessBreaks(root);
  handDownFormats(root);
  leadItemsWithText(root);
}

// Removes the language menu and checkboxes that Quill 2 puts into the text.
function dropControls(root: Node): void {
  const controls = [...elementsIn(root)].filter((element) => hasClass(element, "ql-ui"));
  for (const control of controls) control.remove();
}

function liftCaptions(root: Node): void {
  for (const caption of elementsNamed(root, "caption")) {
    const table = caption.parentNode;
    if (!table || tagOf(table) !== "table") continue;
    const above = ownerOf(caption).createElement("div");
    moveContent(caption, above);
    table.removeChild(caption);
    table.parentNode?.insertBefore(above, table);
  }
}

// Joins the lines of a quotation, each of which Quill writes as a blockquote without paragraphs.
function joinQuotes(root: Node): void {
  const lines = new Set<Node>();
  for (const quote of elementsNamed(root, "blockquote")) {
    if (!quote.firstChild || [...childrenOf(quote)].some(isBlock) || hasClass(quote, "pull-quote")) continue;
    moveFormats(quote, wrapRun([...childrenOf(quote)], "p"));
    lines.add(quote);
  }
  for (const quote of lines) {
    for (let next = nextShown(quote); next && lines.has(next); next = nextShown(quote)) {
      moveContent(next, quote);
      // Including blanks between the two: else every search would pass them again.
      while (quote.nextSibling && quote.nextSibling !== next) quote.nextSibling.remove();
      quote.nextSibling?.remove();
      lines.delete(next);
    }
  }
}

// Blocks that ProseMirror takes for inline elements, joining their texts.
const unseenBlocks = new Set([
  "center",
  "details",
  "dialog",
  "dt",
  "legend",
  "main",
  "menu",
  "nav",
  "search",
]);
const textblocks = new Set(["p", "summary", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6"]);

// Moves the alignment of a list item, quotation, cell or <div> to its text: in the schema only textblocks have one.
function handDownFormats(root: Node): void {
  for (const element of elementsIn(root)) {
    const tag = tagOf(element);
    if (!isBlock(element) || textblocks.has(tag) || tag === "pre" || tag === "hr") continue;
    const align = tag === "center" ? "center" : alignOf(element);
    const indent = indentOf(element);
    const spaces = keepsSpaces(element);
    if (!align && !indent && !spaces && !unseenBlocks.has(tag)) continue;
    if (mayHoldText(tag)) wrapText(element, spaces);
    // An empty line of a list or cell has a format, too.
    if (!element.firstChild && ["li", "td", "th"].includes(tag))
      element.appendChild(ownerOf(element).createElement("p"));
    for (const child of childrenOf(element)) {
      if (!isElement(child) || !isBlock(child)) continue;
      if (align && !alignOf(child)) addClass(child, `ql-align-${align}`);
      if (textblocks.has(tagOf(child))) copyFormats(element, child);
    }
  }
}

function wrapText(element: Element, spacesCount: boolean): void {
  const children = [...childrenOf(element)];
  if (spacesCount && children.length > 0 && !children.some(isBlock)) wrapRun(children, "p");
  else for (const run of inlineRuns(element)) wrapRun(run, "p");
}

function mayHoldText(tag: string): boolean {
  return !["ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr"].includes(tag);
}

// Gives a textblock the formats of the surrounding element, unless it has its own.
function copyFormats(from: Element, to: Element): void {
  const align = alignOf(from);
  const indent = indentOf(from);
  if (align && !alignOf(to)) addClass(to, `ql-align-${align}`);
  if (indent && !indentOf(to)) addClass(to, `ql-indent-${indent}`);
  if (keepsSpaces(from) && !keepsSpaces(to))
    to.setAttribute("style", `${to.getAttribute("style") ?? ""};white-space:pre-wrap`);
}

function addClass(element: Element, name: string): void {
  element.setAttribute("class", `${element.getAttribute("class") ?? ""} ${name}`.trim());
}

// Adds a paragraph at the beginning of items: without one the parser moves them out of their list.
function leadItemsWithText(root: Node): void {
  const unfit = new Set("ul ol pre table blockquote hr h1 h2 h3 h4 h5 h6 details".split(" "));
  const wrappers = new Set(["div", "section", "article", "aside"]);
  const isOurs = (element: Node): boolean =>
    isElement(element) &&
    (isNotes(element) ||
      isFigure(element) ||
      (tagOf(element) === "figure" && hasClass(element, "embed")) ||
      (tagOf(element) === "aside" && hasClass(element, "callout")));
  for (const item of elementsNamed(root, "li")) {
    // A note may begin with any block.
    if (item.hasAttribute("data-note")) continue;
    let first = firstShown(item);
    while (first && wrappers.has(tagOf(first)) && !isOurs(first)) first = firstShown(first);
    if (first && (unfit.has(tagOf(first)) || isOurs(first)))
      item.insertBefore(ownerOf(item).createElement("p"), item.firstChild);
  }
}

function* childrenOf(parent: Node): Generator<Node> {
  for (let child = parent.firstChild; child;) {
    const next: ChildNode | null = child.nextSibling;
    yield child;
    child = next;
  }
}
