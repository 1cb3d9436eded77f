import {
  childElements,
  elementsIn,
  elementsNamed,
  hasClass,
  isBlock,
  isElement,
  moveContent,
  nextShown,
  ownerOf,
  rename,
  tagOf,
  textOf,
  wrapRun,
} from "../dom.ts";
import { nest, type FlatItem } from "../blocks/list-reading.ts";

/** Makes lists and headings of what Word copies, on the desktop (paragraphs with Word's styles) and in a browser. */
export function straightenWord(root: Node): void {
  const paragraphs = elementsNamed(root, "p").filter((p) => /\bMso/.test(p.getAttribute("class") ?? ""));
  for (const paragraph of paragraphs) {
    if (isEmptyLine(paragraph)) paragraph.remove();
    else if (hasClass(paragraph, "MsoQuote") || hasClass(paragraph, "MsoIntenseQuote"))
      wrapRun([paragraph], "blockquote");
    else if (hasClass(paragraph, "MsoTitle")) rename(paragraph, "h1");
    else if (hasClass(paragraph, "MsoSubtitle")) rename(paragraph, "h2");
  }
  for (const part of elementsNamed(root, "span")) if (hasClass(part, "EOP")) part.remove();
  for (const paragraph of elementsNamed(root, "p", "div")) {
    const level = /^[1-6]$/.exec(paragraph.getAttribute("aria-level") ?? "")?.[0];
    if (level && paragraph.getAttribute("role") === "heading") rename(paragraph, `h${level}`);
  }
  for (const number of elementsNamed(root, "span"))
    if (isHeadingNumber(number)) number.textContent = `${textOf(number).trim()} `;
  listRuns(root, itemOfDesk);
  listRuns(root, itemOfBrowser);
}

const isHeadingNumber = (span: Element): boolean =>
  isIgnored(span) && isElement(span.parentNode) && /^h\d$/.test(tagOf(span.parentNode));
const isIgnored = (span: Element): boolean => /mso-list:\s*ignore/i.test(span.getAttribute("style") ?? "");

interface Item extends Omit<FlatItem, "item"> {
  /** Word's id of the list. */
  list: string;
  content: Element;
}

// Makes a list of neighbouring items with the same id.
function listRuns(root: Node, itemOf: (element: Element) => Item | null): void {
  const seen = new Set<Node>();
  const all = [...elementsIn(root)];
  for (const first of all) {
    if (seen.has(first)) continue;
    const run: Element[] = [];
    const items: FlatItem[] = [];
    let list: string | undefined;
    for (let next: Node | null = first; next && isElement(next); next = nextShown(next)) {
      const item = itemOf(next);
      if (!item || (list !== undefined && item.list !== list)) break;
      list = item.list;
      seen.add(next);
      run.push(next);
      const li = ownerOf(next).createElement("li");
      moveContent(item.content, li);
      items.push({ item: li, kind: item.kind, indent: item.indent, start: item.start });
    }
    if (run.length > 0) nest(items, run);
  }
}

/** Reads a paragraph with `mso-list: l0 level2 lfo1`; its bullet or number is in a span to be ignored. */
function itemOfDesk(element: Element): Item | null {
  if (tagOf(element) !== "p") return null;
  const [, list, level] = /mso-list:\s*(l\d+)\s+level(\d)\b/i.exec(element.getAttribute("style") ?? "") ?? [];
  if (list === undefined) return null;
  const sign = elementsNamed(element, "span").find(isIgnored);
  const said = sign ? textOf(sign).trim() : "";
  const number = (/^\(?(\d{1,6}|[a-z]{1,4})[.)]/i.exec(said) ?? /^(\d{1,6})$/.exec(said))?.[1];
  sign?.remove();
  return {
    list,
    kind: number === undefined ? "ul" : "ol",
    indent: Number(level) - 1,
    start: number !== undefined && /^\d+$/.test(number) ? number : null,
    content: element,
  };
}

/** Reads a list of one item in its own box, with the level on the item. */
function itemOfBrowser(element: Element): Item | null {
  if (!hasClass(element, "ListContainerWrapper")) return null;
  const [list, ...more] = elementsNamed(element, "ul", "ol");
  const [item, ...others] = elementsNamed(element, "li");
  const level = Number(/^\d$/.exec(item?.getAttribute("data-aria-level") ?? "")?.[0] ?? 0);
  if (!list || !item || more.length + others.length > 0 || level === 0) return null;
  const [only, ...rest] = childElements(item);
  return {
    list: "",
    kind: tagOf(list) as "ol" | "ul",
    indent: level - 1,
    start: item.getAttribute("data-aria-posinset") ?? list.getAttribute("start"),
    content: only && rest.length === 0 && isBlock(only) ? only : item,
  };
}

/** Whether it is a line with only a non-breaking space, which Word puts between paragraphs. */
const isEmptyLine = (paragraph: Element): boolean =>
  elementsNamed(paragraph, "img").length === 0 && /^[\s\u00a0]*$/.test(textOf(paragraph));
