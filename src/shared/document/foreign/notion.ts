import {
  childElements,
  elementsNamed,
  firstShown,
  hasClass,
  isElement,
  isText,
  nextShown,
  tagOf,
  textOf,
  textsIn,
  keepsSpaces,
} from "../dom.ts";
import { emojiKind, toCallout } from "./callouts.ts";

/** Brings Notion's lists, tasks, callouts and toggles, copied or exported, into our form. */
export function straightenNotion(root: Node): void {
  for (const list of elementsNamed(root, "ul", "ol")) {
    if (!list.parentNode) continue;
    joinLists(list);
    if (hasClass(list, "to-do-list")) tickItems(list);
    else if (hasClass(list, "toggle")) unwrapToggle(list);
  }
  for (const item of elementsNamed(root, "li")) tickByText(item);
  // From the inside out.
  for (const box of elementsNamed(root, "aside", "figure").toReversed())
    if (tagOf(box) === "aside" && !box.hasAttribute("class")) toCalloutByEmoji(box);
    else if (tagOf(box) === "figure" && hasClass(box, "callout")) {
      const [sign, content] = childElements(box);
      toCallout(box, null, content, sign);
    }
}

/** Notion writes a list for each item. */
function joinLists(list: Element): void {
  const kind = ["to-do-list", "bulleted-list", "numbered-list"].find((name) => hasClass(list, name));
  if (kind === undefined) return;
  for (let next = nextShown(list); isElement(next) && hasClass(next, kind); next = nextShown(list)) {
    if (Number(next.getAttribute("start") ?? 2) === 1) return;
    for (const item of childElements(next, "li")) list.appendChild(item);
    // Including blanks between the two: else every search would pass them again.
    while (list.nextSibling && list.nextSibling !== next) list.nextSibling.remove();
    next.remove();
  }
}

function tickItems(list: Element): void {
  for (const item of childElements(list, "li")) {
    const box = firstShown(item);
    if (!isElement(box) || !hasClass(box, "checkbox")) continue;
    item.setAttribute("data-checked", String(hasClass(box, "checkbox-on")));
    box.remove();
  }
}

/** Notion copies tasks as text, with two spaces after the box. Our own items that begin like this keep their spaces and stay text. */
function tickByText(item: Element): void {
  const first = firstShown(item);
  const text = isElement(first) && tagOf(first) === "p" ? firstShown(first) : first;
  const box = isText(text) ? /^\s*\[([ xX])\][ \u00a0]{2,}/.exec(text.nodeValue ?? "") : null;
  const list = item.parentNode;
  if (!box || !isElement(list) || tagOf(list) !== "ul" || [item, first!].some(hasSpaces)) return;
  item.setAttribute("data-checked", String(box[1] !== " "));
  text!.nodeValue = text!.nodeValue!.slice(box[0].length);
}

const hasSpaces = (node: Node): boolean => isElement(node) && keepsSpaces(node);

/** Notion exports a fold-out as the only item of a list. */
function unwrapToggle(list: Element): void {
  const folds = elementsNamed(list, "details").filter(({ parentNode }) => parentNode?.parentNode === list);
  for (const fold of folds) list.parentNode?.insertBefore(fold, list);
  if (folds.length > 0 && textOf(list).trim() === "") list.remove();
}

const emoji = /^\s*(\p{Extended_Pictographic}\ufe0f?)/u;

/** Notion copies a callout as an `aside` that begins with its emoji. */
function toCalloutByEmoji(box: Element): void {
  const [text] = [...textsIn(box)].filter(({ nodeValue }) => nodeValue?.trim());
  if (!text || !emoji.test(text.nodeValue!)) return;
  text.nodeValue = text.nodeValue!.replace(/^\s+/, "");
  toCallout(box, emojiKind(text.nodeValue), box);
}
