import { decodeUri } from "../../decode-uri.ts";
import {
  childElements,
  childrenOf,
  elementsNamed,
  firstShown,
  hasClass,
  isBlank,
  isElement,
  ownerOf,
  tagOf,
} from "../dom.ts";
import { straightenNoteLinks } from "./footnote-links.ts";
import { noteKey, toNoteKey } from "../note-keys.ts";

export const isNotes = (element: Element): boolean =>
  tagOf(element) === "section" && hasClass(element, "footnotes");

/**
 * Brings footnotes into our form: `<sup class="footnote-ref" data-note>` in the text, and below it `<section
 * class="footnotes">` with a list whose items have `data-note`. Others' footnotes are recognized by a link to a list item that
 * links back. The links are removed: published HTML adds its own.
 */
export function straightenNotes(root: Node): void {
  emptyOwn(root);
  straightenNoteLinks(root);
  const keys = new Keys();
  findOthers(root, keys);
  for (const list of elementsNamed(root, "ol", "ul")) assignNoteKeys(list, keys);
  for (const section of elementsNamed(root, "section")) if (isNotes(section)) straightenSection(section);
}

/** The assigned keys, by item. */
class Keys {
  readonly keyOf = new Map<Element, string>();
  readonly #uses = new Map<string, number>();
  readonly #usedKeys = new Set<string>();

  keyFor(item: Element, name: string): string {
    const existing = this.keyOf.get(item);
    if (existing !== undefined) return existing;
    // `fn-1`, `fn:1` and `fn1` are the note 1.
    const wanted = toNoteKey(name.replace(/^(?:fn|footnote)[-:_]?(?=.)/i, "")) ?? "note";
    const stem = wanted.slice(0, 32);
    let key = wanted;
    // Counted by stem, so that many long names with one beginning are not each counted from one.
    for (let use = this.#uses.get(stem) ?? 1; this.#usedKeys.has(key);) {
      key = `${stem}-${++use}`;
      this.#uses.set(stem, use);
    }
    this.#usedKeys.add(key);
    this.keyOf.set(item, key);
    return key;
  }
}

/** Removes what our rendering adds. */
function emptyOwn(root: Node): void {
  for (const sign of elementsNamed(root, "sup"))
    if (hasClass(sign, "footnote-ref") && noteKey(sign.getAttribute("data-note")) !== null)
      for (const child of childrenOf(sign)) child.remove();
  for (const link of elementsNamed(root, "a")) if (hasClass(link, "footnote-back")) link.remove();
}

function findOthers(root: Node, keys: Keys): void {
  const links = elementsNamed(root, "a").filter((link) => anchorOf(link) !== null);
  if (links.length === 0) return;
  const items = new Map<string, Element>();
  for (const item of elementsNamed(root, "li")) {
    const id = idOf(item);
    if (id) items.set(id, item);
  }
  const backLinks = new Map<Element, Set<string>>();
  for (const link of links) {
    const item = itemAround(link);
    const id = anchorOf(link);
    if (item && id && idOf(item)) backLinks.set(item, (backLinks.get(item) ?? new Set()).add(id));
  }
  for (const link of links) {
    const id = anchorOf(link)!;
    const item = items.get(id);
    const sign = item && signOf(link);
    if (!item || !sign || !isSignOf(item, backLinks.get(item), link, sign)) continue;
    const reference = ownerOf(link).createElement("sup");
    reference.setAttribute("class", "footnote-ref");
    reference.setAttribute("data-note", keys.keyFor(item, id));
    sign.parentNode?.replaceChild(reference, sign);
  }
}

/** Returns the id that a link within the text leads to. */
function anchorOf(link: Element): string | null {
  const href = link.getAttribute("href")?.trim() ?? "";
  return href.length > 1 && href.startsWith("#") ? nameOf(href.slice(1)) : null;
}

function idOf(element: Element): string | null {
  const id = element.getAttribute("id");
  return id ? nameOf(id) : null;
}

const nameOf = (id: string): string => decodeUri(id)?.replace(/^user-content-/, "") ?? id;

function itemAround(node: Node): Element | null {
  for (let at = node.parentNode; at; at = at.parentNode) if (isElement(at) && tagOf(at) === "li") return at;
  return null;
}

/** Returns the link, or the `<sup>` that contains nothing else. */
function signOf(link: Element): Element | null {
  const parent = link.parentNode;
  if (!parent || !isElement(parent)) return null;
  if (tagOf(parent) !== "sup") return link;
  let checkedCount = 0;
  for (let child = parent.firstChild; child; child = child.nextSibling)
    if (child !== link && (++checkedCount > 20 || !isBlank(child))) return link;
  return parent;
}

/** Whether the item links back, or a class or attribute marks a reference: tables of contents link to items, too. */
function isSignOf(
  item: Element,
  back: ReadonlySet<string> | undefined,
  link: Element,
  sign: Element,
): boolean {
  if (itemAround(link) === item) return false;
  if ([idOf(link), idOf(sign)].some((id) => id !== null && back?.has(id))) return true;
  return [link, sign].some((element) => hasClass(element, "footnote-ref") || element.hasAttribute("data-fn"));
}

/** Gives notes their keys, and their list its own section. */
function assignNoteKeys(list: Element, keys: Keys): void {
  const outer = list.parentNode;
  const items = childElements(list, "li");
  const isInNotes = outer !== null && isElement(outer) && isNotes(outer);
  const hasKey = items.some((item) => keys.keyOf.has(item));
  if (!outer || (!isInNotes && !hasKey)) return;
  // Readers do not see notes without references (referenced-notes.ts): a list of such notes stays a list.
  if (!hasKey && !items.some((item) => noteKey(item.getAttribute("data-note")) !== null)) {
    (outer as Element).removeAttribute("class");
    return;
  }
  for (const item of items) {
    const ownKey = noteKey(item.getAttribute("data-note"));
    if (ownKey === null) item.setAttribute("data-note", keys.keyFor(item, idOf(item) ?? "note"));
    if (ownKey === null) dropLinksBack(item);
  }
  if (isInNotes) return;
  dropRuleAbove(list);
  const section = ownerOf(list).createElement("section");
  section.setAttribute("class", "footnotes");
  outer.insertBefore(section, list);
  section.appendChild(list);
}

function dropRuleAbove(list: Element): void {
  let before = list.previousSibling;
  while (before && isBlank(before)) before = before.previousSibling;
  if (before && tagOf(before) === "hr") before.remove();
}

function dropLinksBack(item: Element): void {
  // Wikipedia: "^ a b", where a note has several references.
  for (const back of elementsNamed(item, "span")) if (hasClass(back, "mw-cite-backlink")) back.remove();
  for (const link of elementsNamed(item, "a")) {
    if (anchorOf(link) === null || !isLinkBack(link)) continue;
    const { previousSibling: before, nextSibling: after, parentNode: parent } = link;
    link.remove();
    if (before?.nodeType === 3 && !after)
      before.nodeValue = before.nodeValue?.replace(/(?<![ \u00a0])[ \u00a0]+$/, "") ?? "";
    // The link was alone in its paragraph.
    if (parent && isElement(parent) && tagOf(parent) === "p" && !firstShown(parent)) parent.remove();
  }
}

/** Whether it is an arrow, or marked as a link back. */
function isLinkBack(link: Element): boolean {
  const attributes = ["class", "rev", "role"].map((name) => link.getAttribute(name) ?? "").join(" ");
  if (/back-?ref|back-?link|reverse/i.test(attributes)) return true;
  const first = link.firstChild;
  return (
    first?.nodeType === 3 && /^(?:[\s\u21a9\u21a5\u2191\u2912^]|\ufe0e|\ufe0f)+$/.test(first.nodeValue ?? "")
  );
}

/** Leaves only one list of notes; without notes it is no longer a section of notes. */
function straightenSection(section: Element): void {
  const [ownList] = [...childElements(section, "ol"), ...childElements(section, "ul")];
  for (const child of childrenOf(section)) {
    if (child === ownList) continue;
    const isDecoration = tagOf(child) === "hr" || (isElement(child) && hasClass(child, "sr-only"));
    if (isElement(child) && ownList && ["ol", "ul"].includes(tagOf(child)))
      for (const item of childElements(child, "li")) ownList.appendChild(item);
    if (isDecoration || isBlank(child) || !firstShown(child)) child.remove();
    else section.parentNode?.insertBefore(child, section);
  }
  for (const child of ownList ? childrenOf(ownList) : []) if (tagOf(child) !== "li") child.remove();
  if (!ownList?.firstChild) section.removeAttribute("class");
}
