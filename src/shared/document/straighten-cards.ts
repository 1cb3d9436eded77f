import { calloutKind, type CalloutKind } from "./box-nodes.ts";
import {
  elementsIn,
  elementsNamed,
  firstShown,
  hasClass,
  isBlock,
  isElement,
  nextShown,
  ownerOf,
  rename,
  tagOf,
  textOf,
  textsIn,
} from "./dom.ts";

/**
 * Brings callouts, fold-outs, pull quotes and cards of Notion, Obsidian, Ghost, Confluence, Substack and WordPress into the form
 * that `straightenBoxes` and the parser read.
 */
export function straightenCards(root: Node): void {
  // From the inside out.
  for (const element of [...elementsIn(root)].toReversed()) {
    const tag = tagOf(element);
    if (tag === "aside" && !element.hasAttribute("class")) toCalloutByEmoji(element);
    else if (tag === "div" || tag === "figure") convertBox(element);
    else if (tag === "blockquote" && hasClass(element, "kg-blockquote-alt")) setPullQuote(element);
    else if (tag === "ul" && hasClass(element, "toggle")) unwrapToggle(element);
  }
}

function convertBox(box: Element): void {
  const panel = box.getAttribute("data-panel-type");
  const kind = box.getAttribute("data-callout");
  const isCallout = hasClass(box, "callout");
  if (panel) toCallout(box, calloutKind(panel), partOf(box, "ak-editor-panel__content"));
  else if (kind && isCallout) toObsidianCallout(box, kind);
  else if (isCallout && tagOf(box) === "figure")
    toCallout(box, null, secondElement(box), box.firstElementChild);
  else if (hasClass(box, "kg-callout-card"))
    toCallout(box, colorKind(box), partOf(box, "kg-callout-text"), partOf(box, "kg-callout-emoji"));
  else if (hasClass(box, "kg-toggle-card"))
    toFold(box, partOf(box, "kg-toggle-heading-text"), partOf(box, "kg-toggle-content"));
  else if (box.getAttribute("data-node-type") === "expand") toFold(box, box.getAttribute("data-title"), box);
  else if (hasClass(box, "kg-bookmark-card")) toLink(box);
  else if (hasClass(box, "pullquote")) setPullQuote(rename(box, "blockquote"));
  else if (hasClass(box, "wp-block-pullquote"))
    for (const quote of elementsNamed(box, "blockquote")) setPullQuote(quote);
}

function secondElement(box: Element): Element | null {
  const second = box.firstElementChild && nextShown(box.firstElementChild);
  return isElement(second) ? second : null;
}

const setPullQuote = (quote: Element): void => quote.setAttribute("class", "pull-quote");

const partOf = (box: Element, name: string): Element | undefined =>
  [...elementsIn(box)].find((element) => hasClass(element, name));

const colorKind = (box: Element): CalloutKind =>
  calloutKind(/(?:^|\s)kg-callout-card-(\w+)/.exec(box.getAttribute("class") ?? "")?.[1]);

const emoji = /^\s*(\p{Extended_Pictographic}\ufe0f?)/u;
const emojiKind = (text: string): CalloutKind =>
  calloutKind(/^\s*[⚠❗🚨⛔🚫🔥]/u.test(text) ? "warning" : /^\s*[💡✅👍]/u.test(text) ? "tip" : "note");

/** Notion copies a callout as an `aside` that begins with its emoji. */
function toCalloutByEmoji(box: Element): void {
  const [text] = [...textsIn(box)].filter(({ nodeValue }) => nodeValue?.trim());
  if (!text || !emoji.test(text.nodeValue!)) return;
  text.nodeValue = text.nodeValue!.replace(/^\s+/, "");
  toCallout(box, emojiKind(text.nodeValue), box);
}

/** Makes a callout of the content, which an emoji may precede. */
function toCallout(
  box: Element,
  kind: CalloutKind | null,
  content?: Element | null,
  sign?: Element | null,
): void {
  if (!content) return;
  const signText = sign && sign !== content ? textOf(sign).trim() : "";
  const callout = ownerOf(box).createElement("aside");
  callout.setAttribute("class", `callout callout-${kind ?? emojiKind(signText)}`);
  while (content.firstChild) callout.appendChild(content.firstChild);
  if (signText) {
    const first = firstShown(callout);
    const line = first && isBlock(first) && isElement(first) ? first : callout;
    line.insertBefore(ownerOf(box).createTextNode(`${signText} `), line.firstChild);
  }
  box.parentNode?.replaceChild(callout, box);
}

/** A title that is not the kind's name is the first line. */
function toObsidianCallout(box: Element, kind: string): void {
  const content = partOf(box, "callout-content") ?? ownerOf(box).createElement("div");
  const title = partOf(box, "callout-title-inner");
  if (title && textOf(title).trim().toLowerCase() !== kind.toLowerCase()) {
    const line = ownerOf(box).createElement("p");
    const words = ownerOf(box).createElement("strong");
    while (title.firstChild) words.appendChild(title.firstChild);
    line.appendChild(words);
    content.insertBefore(line, content.firstChild);
  }
  toCallout(box, calloutKind(kind), content);
}

function toFold(
  box: Element,
  title: Element | string | null | undefined,
  content: Element | undefined,
): void {
  if (!content) return;
  const fold = ownerOf(box).createElement("details");
  const summary = ownerOf(box).createElement("summary");
  if (typeof title === "string") summary.textContent = title;
  else while (title?.firstChild) summary.appendChild(title.firstChild);
  fold.appendChild(summary);
  while (content.firstChild) fold.appendChild(content.firstChild);
  box.parentNode?.replaceChild(fold, box);
}

/** Notion writes a fold-out as the only item of a list. */
function unwrapToggle(list: Element): void {
  const folds = elementsNamed(list, "details").filter(({ parentNode }) => parentNode?.parentNode === list);
  for (const fold of folds) list.parentNode?.insertBefore(fold, list);
  if (folds.length > 0 && textOf(list).trim() === "") list.remove();
}

/** Of a bookmark's title, description and pictures the title remains, as a link. */
function toLink(box: Element): void {
  const [link] = elementsNamed(box, "a");
  const title = partOf(box, "kg-bookmark-title");
  const href = link?.getAttribute("href");
  if (!href || !title) return;
  const line = ownerOf(box).createElement("p");
  const words = ownerOf(box).createElement("a");
  words.setAttribute("href", href);
  words.textContent = textOf(title).trim();
  line.appendChild(words);
  const description = partOf(box, "kg-bookmark-description");
  if (description) line.appendChild(ownerOf(box).createTextNode(`: ${textOf(description).trim()}`));
  box.parentNode?.replaceChild(line, box);
}
