import { elementsIn, hasClass, moveContent, ownerOf } from "../dom.ts";

/**
 * Removes the language menu and checkboxes that Quill 2 puts into the text, and joins its code, an element per line. Lists and
 * quotations, which it has line by line, are joined by their blocks.
 */
export function straightenQuill(root: Node): void {
  const elements = [...elementsIn(root)];
  for (const control of elements) if (hasClass(control, "ql-ui")) control.remove();
  for (const container of elements) {
    if (!hasClass(container, "ql-code-block-container")) continue;
    const pre = ownerOf(container).createElement("pre");
    const language = container.firstElementChild?.getAttribute("data-language");
    if (language) pre.setAttribute("data-language", language);
    moveContent(container, pre);
    container.parentNode?.replaceChild(pre, container);
  }
}
