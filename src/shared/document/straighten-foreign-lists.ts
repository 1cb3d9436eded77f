import {
  elementsNamed,
  firstShown,
  hasClass,
  isElement,
  nextShown,
  ownerOf,
  rename,
  tagOf,
  textOf,
} from "./dom.ts";
import { keepsSpaces } from "./keeps-spaces.ts";

/**
 * Brings lists and tasks of Notion, Slack, Dropbox Paper, Confluence, Evernote and Quip, which write one list an item or boxes
 * of their own, into the form of Quill or of our own HTML.
 */
export function straightenForeignLists(root: Node): void {
  unwrapPaperLines(root);
  for (const list of elementsNamed(root, "ul", "ol")) {
    if (!list.parentNode) continue;
    indentItems(list);
    joinNotionLists(list);
    tickItems(list);
    startAtValue(list);
  }
  for (const box of elementsNamed(root, "div"))
    if (box.getAttribute("data-node-type") === "actionList") toTasks(box);
  for (const item of elementsNamed(root, "li")) tickByText(item);
}

/** Dropbox Paper has a box around each line, and code as a list. */
function unwrapPaperLines(root: Node): void {
  let open: Element | undefined;
  for (const line of elementsNamed(root, "div")) {
    const list = hasClass(line, "ace-line") ? line.firstElementChild : null;
    if (!list || !/(?:^|\s)listtype-/.test(list.getAttribute("class") ?? "")) continue;
    line.parentNode?.insertBefore(list, line);
    if (!line.firstChild) line.remove();
    if (!hasClass(list, "listtype-code")) continue;
    if (open && nextShown(open) === list) {
      open.appendChild(ownerOf(list).createTextNode(`\n${textOf(list)}`));
      list.remove();
    } else {
      const code = textOf(list);
      open = rename(list, "pre");
      open.textContent = code;
    }
  }
}

/** Dropbox Paper's and Slack's level is in the list: nested lists follow each other. */
function indentItems(list: Element): void {
  const classes = list.getAttribute("class") ?? "";
  const level =
    Number(/(?:^|\s)listindent(\d)(?!\d)/.exec(classes)?.[1] ?? 1) - 1 ||
    (hasClass(list, "p-rich_text_list")
      ? Number(/^\d$/.exec(list.getAttribute("data-indent") ?? "")?.[0] ?? 0)
      : 0);
  const isTask = /(?:^|\s)listtype-task(done)?(?!\S)/.exec(classes);
  for (const item of itemsOf(list)) {
    if (level > 0) item.setAttribute("class", `ql-indent-${level}`);
    if (isTask) item.setAttribute("data-checked", String(isTask[1] === "done"));
  }
}

/** Notion writes a list for each item. */
function joinNotionLists(list: Element): void {
  const kind = ["to-do-list", "bulleted-list", "numbered-list"].find((name) => hasClass(list, name));
  if (kind === undefined) return;
  for (let next = nextShown(list); isElement(next) && hasClass(next, kind); next = nextShown(list)) {
    if (Number(next.getAttribute("start") ?? 2) === 1) return;
    for (const item of itemsOf(next)) list.appendChild(item);
    next.remove();
  }
}

/** Reads the boxes of Notion (an element), Evernote (a style) and Quip (a class). */
function tickItems(list: Element): void {
  const isQuip = isElement(list.parentNode) && list.parentNode.getAttribute("data-section-style") === "7";
  for (const item of itemsOf(list)) {
    const style = /--en-checked\s*:\s*(true|false)/.exec(item.getAttribute("style") ?? "")?.[1];
    const box = hasClass(list, "to-do-list") ? firstShown(item) : null;
    if (style) item.setAttribute("data-checked", style);
    else if (isQuip) item.setAttribute("data-checked", String(hasClass(item, "checked")));
    else if (box && isElement(box) && hasClass(box, "checkbox")) {
      item.setAttribute("data-checked", String(hasClass(box, "checkbox-on")));
      box.remove();
    }
  }
}

/** OneNote and others number the first item instead of the list. */
function startAtValue(list: Element): void {
  const [first] = itemsOf(list);
  const value = first?.getAttribute("value");
  if (tagOf(list) === "ol" && value && !list.hasAttribute("start")) list.setAttribute("start", value);
}

/** Confluence writes a box for each task. */
function toTasks(box: Element): void {
  const list = rename(box, "ul");
  for (let child = list.firstChild; child; child = child.nextSibling) {
    const state = isElement(child) ? child.getAttribute("data-task-state") : null;
    if (!isElement(child) || state === null) continue;
    child = rename(child, "li") as unknown as ChildNode;
    (child as Element).setAttribute("data-checked", String(state === "DONE"));
  }
}

/** Notion copies tasks as text, with two spaces behind the box; ours with two spaces say that they keep them. */
function tickByText(item: Element): void {
  const first = firstShown(item);
  const text = first && isElement(first) && tagOf(first) === "p" ? firstShown(first) : first;
  const box = text?.nodeType === 3 ? /^\s*\[([ xX])\][ \u00a0]{2,}/.exec(text.nodeValue ?? "") : null;
  if (
    !box ||
    !isElement(item.parentNode) ||
    tagOf(item.parentNode) !== "ul" ||
    [item, first!].some(hasSpaces)
  )
    return;
  item.setAttribute("data-checked", String(box[1] !== " "));
  text!.nodeValue = text!.nodeValue!.slice(box[0].length);
}

const hasSpaces = (node: Node): boolean => isElement(node) && keepsSpaces(node);

function itemsOf(list: Element): Element[] {
  const items: Element[] = [];
  for (let child = list.firstChild; child; child = child.nextSibling)
    if (isElement(child) && tagOf(child) === "li") items.push(child);
  return items;
}
