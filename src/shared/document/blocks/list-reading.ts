import {
  childElements,
  elementsIn,
  elementsNamed,
  firstShown,
  isBlock,
  isElement,
  moveContent,
  moveFormats,
  nextShown,
  ownerOf,
  tagOf,
  wrapRun,
} from "../dom.ts";
import { indentOf } from "../text-blocks.ts";

export interface FlatItem {
  item: Element;
  kind: "ol" | "ul";
  indent: number;
  /** The list's `start`, on its first item. */
  start: string | null;
}

/**
 * Nests Quill's flat lists: items with `ql-indent-N`, and a new list wherever the kind changes, or (Quill 2) all in one `<ol>`
 * with the kind on each item. Skipped levels become indentation.
 */
export function straightenLists(root: Node): void {
  wrapLooseLists(root);
  for (const list of elementsNamed(root, "ol")) startAtValue(list);
  const lists = [...elementsIn(root)].filter(isFlatList);
  const handled = new Set<Element>();
  for (const first of lists) {
    if (handled.has(first)) continue;
    const run: Element[] = [];
    for (let list: Node | null = first; list && isElement(list) && isFlatList(list); list = nextShown(list)) {
      run.push(list);
      handled.add(list);
    }
    const items = run.flatMap(flatItems);
    if (items.some(({ item, indent }) => indent > 0 || item.hasAttribute("data-list"))) nest(items, run);
  }
}

// Gives a list directly in a list an item, unless it follows one: the parser moves it into that.
function wrapLooseLists(root: Node): void {
  for (const list of elementsNamed(root, "ul", "ol")) {
    const first = firstShown(list);
    if (!first || (tagOf(first) !== "ul" && tagOf(first) !== "ol")) continue;
    wrapRun([first], "li");
  }
}

/** OneNote and others number the first item instead of the list. */
function startAtValue(list: Element): void {
  const value = childElements(list, "li")[0]?.getAttribute("value");
  if (value && !list.hasAttribute("start")) list.setAttribute("start", value);
}

// Whether the list is Quill's: none of its items contains a block. Ours contain paragraphs and stay unchanged.
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
    const listKind = child.getAttribute("data-list");
    const kind = listKind ? (listKind === "ordered" ? "ol" : "ul") : (tagOf(list) as "ol" | "ul");
    items.push({
      item: child,
      kind,
      indent: indentOf(child),
      start: items.length === 0 ? list.getAttribute("start") : null,
    });
  }
  return items;
}

/** Replaces `run` with nested lists: each item goes into the nearest one before it that is indented less. */
export function nest(items: FlatItem[], run: Element[]): void {
  const home = ownerOf(run[0] as Element).createElement("div");
  run[0]?.parentNode?.insertBefore(home, run[0]);
  // Each is in a list in the one before it.
  const open: { item: Element; indent: number }[] = [];
  for (const { item, kind, indent, start } of items) {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.item ?? home;
    listIn(parent, kind, start).appendChild(item);
    wrapItemText(item, indent - open.length);
    open.push({ item, indent });
  }
  for (const list of run) list.parentNode?.removeChild(list);
  while (home.firstChild) home.parentNode?.insertBefore(home.firstChild, home);
  home.parentNode?.removeChild(home);
}

/** Returns the parent's last list if of that kind, else a new one. */
function listIn(parent: Element, kind: "ol" | "ul", start: string | null): Element {
  const last = parent.lastChild;
  if (last && isElement(last) && tagOf(last) === kind) return last;
  const list = ownerOf(parent).createElement(kind);
  if (start) list.setAttribute("start", start);
  return parent.appendChild(list);
}

// Moves the item's formats to its text: nested items have their own.
function wrapItemText(item: Element, indent: number): void {
  const paragraph = ownerOf(item).createElement("p");
  moveContent(item, paragraph);
  moveFormats(item, paragraph);
  const classes = (paragraph.getAttribute("class") ?? "").replace(/(?:^|\s)ql-indent-\S+/g, "");
  paragraph.setAttribute("class", indent > 0 ? `${classes} ql-indent-${indent}` : classes);
  item.removeAttribute("data-list");
  item.appendChild(paragraph);
}

/**
 * Brings tasks into our form: `data-checked` on items of a bullet list. GitHub puts an `<input>` into the item, Quill 1 marks
 * the list, Quill 2 each item. Checkboxes elsewhere become characters.
 */
export function straightenTasks(root: Node): void {
  for (const list of elementsNamed(root, "ul")) {
    const checked = list.getAttribute("data-checked");
    if (checked !== "true" && checked !== "false") continue;
    for (const item of childElements(list, "li"))
      if (!item.hasAttribute("data-checked")) item.setAttribute("data-checked", checked);
  }
  for (const item of elementsNamed(root, "li")) {
    const kind = item.getAttribute("data-list");
    if (kind === "checked" || kind === "unchecked")
      item.setAttribute("data-checked", String(kind === "checked"));
  }
  const itemsByBox = new Map(elementsNamed(root, "li").map((item) => [boxAt(item), item]));
  for (const box of elementsNamed(root, "input")) {
    if (!isBox(box)) continue;
    const checked = box.hasAttribute("checked");
    const item = itemsByBox.get(box);
    if (item && tagOf(item.parentNode!) === "ul") {
      item.setAttribute("data-checked", String(checked));
      box.remove();
    } else box.parentNode?.replaceChild(ownerOf(box).createTextNode(checked ? "☑ " : "☐ "), box);
  }
}

const isBox = (node: Node): node is Element =>
  isElement(node) && tagOf(node) === "input" && node.getAttribute("type")?.toLowerCase() === "checkbox";

/** Returns the checkbox that an item begins with. */
function boxAt(item: Element): Element | null {
  let node = firstShown(item);
  while (node && isElement(node) && !isBox(node)) {
    if (tagOf(node) === "li" || (isBlock(node) && !["p", "div"].includes(tagOf(node)))) return null;
    node = firstShown(node);
  }
  return node && isBox(node) ? node : null;
}
