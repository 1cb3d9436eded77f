import type { TagParseRule } from "prosemirror-model";
import { blocks, nodes } from "./blocks.ts";
import {
  childrenOf,
  elementsIn,
  elementsNamed,
  firstShown,
  inlineRuns,
  isBlock,
  isElement,
  ownerOf,
  tagOf,
  wrapRun,
  keepsSpaces,
} from "./dom.ts";
import { programs } from "./foreign/programs.ts";
import { dropNeedlessBreaks } from "./line-breaks.ts";
import { alignOf, indentOf } from "./text-blocks.ts";

/**
 * Brings HTML of other programs into the form that the schema's parse rules read: nested lists, one element per block, formats on
 * their block. Our own HTML stays unchanged. Modifies the tree.
 */
export function straighten(root: Node): void {
  for (const straightenProgram of programs) straightenProgram(root);
  // From the small parts to what they are in.
  for (const block of blocks.toReversed()) block.straighten?.(root);
  dropNeedlessBreaks(root);
  handDownFormats(root);
  leadItemsWithText(root);
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
  const children = childrenOf(element);
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

/** Adds a paragraph at the beginning of items: without one the parser moves them out of their list. */
function leadItemsWithText(root: Node): void {
  const wrappers = new Set(["div", "section", "article", "aside"]);
  for (const item of elementsNamed(root, "li")) {
    // A note may begin with any block.
    if (item.hasAttribute("data-note")) continue;
    let first = firstShown(item);
    while (first && wrappers.has(tagOf(first)) && !isOtherBlock(first)) first = firstShown(first);
    if (isOtherBlock(first)) item.insertBefore(ownerOf(item).createElement("p"), item.firstChild);
  }
}

const otherRules = Object.entries(nodes).flatMap(([name, { group, parseDOM = [] }]) =>
  group === "block" && name !== "paragraph" ? (parseDOM as TagParseRule[]) : [],
);

/** Whether the parser makes a block of it that is no paragraph. */
const isOtherBlock = (node: Node | null): boolean =>
  isElement(node) &&
  otherRules.some(({ tag, getAttrs }) => node.matches(tag) && getAttrs?.(node as HTMLElement) !== false);
