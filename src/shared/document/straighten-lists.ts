import {
  elementsIn,
  elementsNamed,
  firstShown,
  isBlock,
  isElement,
  moveFormats,
  nextShown,
  ownerOf,
  tagOf,
  wrapRun,
} from "./dom.ts";
import { indentOf } from "./nodes.ts";

export interface FlatItem {
  item: Element;
  kind: "ol" | "ul";
  indent: number;
  /** The number the list says it starts with, on its first item. */
  start: string | null;
}

/**
 * Nests the lists of Quill, which writes them flat: items with `ql-indent-N`, a new list wherever the kind changes,
 * or (Quill 2) all in one `<ol>` with the kind on each item. Levels that are skipped become indentation of the text.
 */
export function straightenLists(root: Node): void {
  holdLooseLists(root);
  const lists = [...elementsIn(root)].filter(isFlatList);
  const seen = new Set<Element>();
  for (const first of lists) {
    if (seen.has(first)) continue;
    const run: Element[] = [];
    for (let list: Node | null = first; list && isElement(list) && isFlatList(list); list = nextShown(list)) {
      run.push(list);
      seen.add(list);
    }
    const items = run.flatMap(flatItems);
    if (items.some(({ item, indent }) => indent > 0 || item.hasAttribute("data-list"))) nest(items, run);
  }
}

// Some programs put a list right into a list. Behind an item, the parser takes it into that; before any, it gets one.
function holdLooseLists(root: Node): void {
  for (const list of elementsNamed(root, "ul", "ol")) {
    const first = firstShown(list);
    if (!first || (tagOf(first) !== "ul" && tagOf(first) !== "ol")) continue;
    wrapRun([first], "li");
  }
}

// A list is as Quill writes them where no item holds a block; ours hold paragraphs and are never touched.
function isFlatList(list: Element): boolean {
  if (tagOf(list) !== "ul" && tagOf(list) !== "ol") return false;
  let items = 0;
  for (let child = list.firstChild; child; child = child.nextSibling) {
    if (!isElement(child)) continue;
    if (tagOf(child) !== "li") return false;
    for (let inner = child.firstChild; inner; inner = inner.nextSibling) if (isBlock(inner)) return false;
    items++;
  }
  return items > 0;
}

function flatItems(list: Element): FlatItem[] {
  const items: FlatItem[] = [];
  for (let child = list.firstChild; child; child = child.nextSibling) {
    if (!isElement(child)) continue;
    const said = child.getAttribute("data-list");
    const kind = said ? (said === "ordered" ? "ol" : "ul") : (tagOf(list) as "ol" | "ul");
    items.push({
      item: child,
      kind,
      indent: indentOf(child),
      start: items.length === 0 ? list.getAttribute("start") : null,
    });
  }
  return items;
}

/** Puts the items into lists, each in the one before it that is indented less, in the place of the elements of `run`. */
export function nest(items: FlatItem[], run: Element[]): void {
  const home = ownerOf(run[0] as Element).createElement("div");
  run[0]?.parentNode?.insertBefore(home, run[0]);
  // The items that are open: each stands in a list in the one before it.
  const open: { item: Element; indent: number }[] = [];
  for (const { item, kind, indent, start } of items) {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.item ?? home;
    listIn(parent, kind, start).appendChild(item);
    holdText(item, indent - open.length);
    open.push({ item, indent });
  }
  for (const list of run) list.parentNode?.removeChild(list);
  while (home.firstChild) home.parentNode?.insertBefore(home.firstChild, home);
  home.parentNode?.removeChild(home);
}

/** The list at the end of the parent, if it is of that kind; else a new one there. */
function listIn(parent: Element, kind: "ol" | "ul", start: string | null): Element {
  const last = parent.lastChild;
  if (last && isElement(last) && tagOf(last) === kind) return last;
  const list = ownerOf(parent).createElement(kind);
  if (start) list.setAttribute("start", start);
  return parent.appendChild(list);
}

// The item's formats are its text's: items that get nested in it have their own.
function holdText(item: Element, indent: number): void {
  const paragraph = ownerOf(item).createElement("p");
  while (item.firstChild) paragraph.appendChild(item.firstChild);
  moveFormats(item, paragraph);
  const classes = (paragraph.getAttribute("class") ?? "").replace(/(?:^|\s)ql-indent-\S+/g, "");
  paragraph.setAttribute("class", indent > 0 ? `${classes} ql-indent-${indent}` : classes);
  item.removeAttribute("data-list");
  item.appendChild(paragraph);
}
