import { elementsNamed, tagOf } from "../dom.ts";

/** Brings checklists and lines of Google Docs into our form. `marks.ts` knows its bold text that is not. */
export function straightenGoogleDocs(root: Node): void {
  for (const item of elementsNamed(root, "li")) {
    const checked = item.getAttribute("aria-checked");
    if (item.getAttribute("role") !== "checkbox" || !checked) continue;
    item.setAttribute("data-checked", String(checked === "true"));
    // It adds a picture of the box.
    const [box] = elementsNamed(item, "img");
    if (box && /^(?:un)?checked$/.test(box.getAttribute("alt") ?? "")) box.remove();
  }
  for (const rule of elementsNamed(root, "hr"))
    // It writes a line within a paragraph, of which two empty ones remain.
    for (const beside of [rule.previousSibling, rule.nextSibling])
      if (beside && tagOf(beside) === "p" && !beside.firstChild) beside.remove();
}
