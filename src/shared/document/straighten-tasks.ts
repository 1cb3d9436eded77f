import { elementsNamed, firstShown, isBlock, isElement, ownerOf, tagOf } from "./dom.ts";

/**
 * Brings tasks into our form: `data-checked` on items of a bullet list. GitHub puts an `<input>` into the item, Quill 1 marks
 * the list, Quill 2 each item. Checkboxes elsewhere become characters.
 */
export function straightenTasks(root: Node): void {
  for (const list of elementsNamed(root, "ul")) {
    const checked = list.getAttribute("data-checked");
    if (checked !== "true" && checked !== "false") continue;
    for (let item = list.firstChild; item; item = item.nextSibling)
      if (isElement(item) && tagOf(item) === "li" && !item.hasAttribute("data-checked"))
        item.setAttribute("data-checked", checked);
  }
  for (const item of elementsNamed(root, "li")) {
    const kind = item.getAttribute("data-list");
    // Google Docs adds a picture of a checkbox.
    const ariaChecked = item.getAttribute("role") === "checkbox" && item.getAttribute("aria-checked");
    if (kind === "checked" || kind === "unchecked" || ariaChecked) {
      item.setAttribute("data-checked", String(kind === "checked" || ariaChecked === "true"));
      const [box] = ariaChecked ? elementsNamed(item, "img") : [];
      if (box && /^(?:un)?checked$/.test(box.getAttribute("alt") ?? "")) box.remove();
    }
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
