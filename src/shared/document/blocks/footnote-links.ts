import {
  elementsNamed,
  firstShown,
  hasClass,
  isBlank,
  isBlock,
  isElement,
  moveContent,
  nextShown,
  ownerOf,
  tagOf,
  textOf,
} from "../dom.ts";

/** A link within the text, and the names of the elements that it is in. */
interface Anchor {
  link: Element;
  target: string;
  places: readonly string[];
}

/** How far up a link's place may have its name. */
const levels = 5;

/**
 * Prepares footnotes for `straightenNotes`: links whose address contains their page's, as browsers copy them, lead to their
 * note again; notes that are paragraphs or boxes (Word, LibreOffice, Google Docs, Substack) become items of a list. Both are
 * recognized by two links that lead to each other.
 */
export function straightenNoteLinks(root: Node): void {
  const anchors = elementsNamed(root, "a").flatMap((link) => anchorOf(link) ?? []);
  const isBetween = new Set(
    anchors.flatMap(({ target, places }) => places.map((place) => `${place}\n${target}`)),
  );
  const mutual = anchors.filter(({ target, places }) =>
    places.some((place) => isBetween.has(`${target}\n${place}`)),
  );
  for (const { link, target } of mutual)
    if (!link.getAttribute("href")?.startsWith("#")) link.setAttribute("href", `#${target}`);
  listNotes(mutual, anchors);
}

function anchorOf(link: Element): Anchor | null {
  const href = link.getAttribute("href")?.trim() ?? "";
  const at = href.indexOf("#");
  if (at < 0 || at === href.length - 1 || (at > 0 && !/^(?:https?|file):/i.test(href))) return null;
  const places: string[] = [];
  let node: Node | null = link;
  for (let level = 0; isElement(node) && level < levels; level++) {
    // Ids of our own HTML.
    if (/^h\d$/.test(tagOf(node)) || node.hasAttribute("data-note")) break;
    for (const name of [node.getAttribute("id"), tagOf(node) === "a" ? node.getAttribute("name") : null])
      if (name) places.push(name);
    if (tagOf(node) === "li") break;
    node = node.parentNode;
  }
  return places.length > 0 ? { link, target: href.slice(at + 1), places } : null;
}

const isLabel = (link: Element): boolean => /^\s*[[(]?[\w*†‡§]{1,6}[\])]?\.?\s*$/.test(textOf(link));

/** Makes lists of notes that are no items, and signs of the links to them. */
function listNotes(mutual: readonly Anchor[], anchors: readonly Anchor[]): void {
  const notes = new Map<string, Anchor>();
  const first = new Map<string, Anchor>();
  for (const anchor of mutual) {
    // Of the two links the later is in the note.
    const reference = anchor.places.map((place) => first.get(place)).find(Boolean);
    const isBack = reference?.places.includes(anchor.target);
    if (isBack && isLabel(anchor.link) && isLabel(reference!.link) && noteOf(anchor.link))
      for (const place of anchor.places) notes.set(place, anchor);
    else if (!isBack && !first.has(anchor.target)) first.set(anchor.target, anchor);
  }
  let section: Element | null = null;
  for (const anchor of new Set(notes.values())) {
    const note = noteOf(anchor.link)!;
    section = moveToList(note, anchor, section);
  }
  for (const { link, target } of anchors) {
    const note = notes.get(target);
    if (!note || note.link === link || !isLabel(link)) continue;
    link.setAttribute("href", `#${noteId(note)}`);
    link.setAttribute("class", "footnote-ref");
  }
}

const noteId = ({ places }: Anchor): string => places[0]!;

/** Returns the paragraph or box that begins with a note's link back; null in a list, or if anything comes before the link. */
function noteOf(link: Element): Element | null {
  let note: Element | null = null;
  let node: Node = link;
  for (let level = 0; level < levels; level++) {
    if (!isFirst(node)) return note;
    const parent: Node | null = node.parentNode;
    if (!isElement(parent) || ["li", "td", "th", "body"].includes(tagOf(parent))) return note;
    if (isBlock(parent) && (note === null || isNoteBox(parent))) note = parent;
    else if (isBlock(parent)) return note;
    node = parent;
  }
  return note;
}

function isFirst(node: Node): boolean {
  for (let before = node.previousSibling; before; before = before.previousSibling)
    if (!isBlank(before)) return false;
  return true;
}

const isNoteBox = (box: Element): boolean =>
  tagOf(box) === "div" &&
  (/^(?:ftn|edn|fn|sd(?:foot|end)note|(?:foot|end)note)\w{0,10}$/i.test(box.getAttribute("id") ?? "") ||
    hasClass(box, "footnote") ||
    /mso-element\s*:\s*(?:foot|end)note\s*(?:;|$)/i.test(box.getAttribute("style") ?? "") ||
    isBareBox(box));

/** Google Docs puts each note into a box without a name. */
const isBareBox = (box: Element): boolean => {
  const first = firstShown(box);
  return first !== null && tagOf(first) === "p" && nextShown(first) === null && !box.hasAttribute("class");
};

/** Moves a note into the list of the note before it, or a new one in its place. */
function moveToList(note: Element, anchor: Anchor, before: Element | null): Element {
  const owner = ownerOf(note);
  const item = owner.createElement("li");
  item.setAttribute("id", noteId(anchor));
  let section = before;
  let previous = note.previousSibling;
  while (previous && isBlank(previous)) previous = previous.previousSibling;
  if (!section || previous !== section) {
    if (previous && tagOf(previous) === "hr") previous.remove();
    section = owner.createElement("section");
    section.setAttribute("class", "footnotes");
    section.appendChild(owner.createElement("ol"));
    note.parentNode?.insertBefore(section, note);
  }
  section.firstChild!.appendChild(item);
  dropLabel(anchor.link, note);
  if (tagOf(note) === "p") item.appendChild(note);
  else {
    moveContent(note, item);
    note.remove();
  }
  return section;
}

/** Removes the link back, with the elements that contain only it and the space after it. */
function dropLabel(link: Element, note: Element): void {
  let label: Element = link;
  while (
    label.parentNode !== note &&
    isElement(label.parentNode) &&
    !isBlock(label.parentNode) &&
    textOf(label.parentNode).trim() === textOf(link).trim()
  )
    label = label.parentNode;
  let next: Node | null = label.nextSibling;
  label.remove();
  while (next && isElement(next) && !isBlock(next)) next = next.firstChild;
  if (next?.nodeType === 3) next.nodeValue = next.nodeValue?.replace(/^[\s\u00a0]+/, "") ?? "";
}
