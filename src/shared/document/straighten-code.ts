import { elementsIn, elementsNamed, hasClass, isBlock, isElement, ownerOf, tagOf } from "./dom.ts";
import { codeLanguage } from "./values.ts";

/**
 * Makes one `<pre>` with nothing but text of every code block: those with colouring inside, those with an
 * element for each line (Quill 2), those with `<br>`. The line break that ends the last line goes.
 */
export function straightenCode(root: Node): void {
  for (const container of [...elementsIn(root)].filter((element) =>
    hasClass(element, "ql-code-block-container"),
  )) {
    const pre = ownerOf(container).createElement("pre");
    const language = container.firstElementChild?.getAttribute("data-language");
    if (language) pre.setAttribute("data-language", language);
    while (container.firstChild) pre.appendChild(container.firstChild);
    container.parentNode?.replaceChild(pre, container);
  }
  // Backwards, so that a <pre> in a <pre> has become text when the outer one is read.
  for (const pre of elementsNamed(root, "pre").toReversed()) {
    const language = languageNamed(pre);
    const code = codeText(pre);
    pre.textContent = code.endsWith("\n") ? code.slice(0, -1) : code;
    if (language) pre.setAttribute("data-language", language);
  }
}

function languageNamed(pre: Element): string | null {
  const own = codeLanguage(pre.getAttribute("data-language"));
  if (own) return own;
  for (const element of [pre, pre.firstElementChild]) {
    const named = /(?:^|\s)(?:lang|language)-(\S+)/.exec(element?.getAttribute("class") ?? "")?.[1];
    if (named) return codeLanguage(named);
  }
  return null;
}

function codeText(pre: Element): string {
  const parts: string[] = [];
  const lineIsOpen = () => parts.length > 0 && !parts.at(-1)?.endsWith("\n");
  let node: Node | null = pre.firstChild;
  while (node) {
    if (node.nodeType === 3 && node.nodeValue) parts.push(node.nodeValue);
    else if (tagOf(node) === "br") parts.push("\n");
    else if (isBlock(node) && lineIsOpen()) parts.push("\n");
    let next: Node | null = isElement(node) ? node.firstChild : null;
    while (!next && node && node !== pre) {
      if (isBlock(node) && lineIsOpen()) parts.push("\n");
      next = node.nextSibling;
      if (!next) node = node.parentNode;
    }
    node = next;
  }
  return parts.join("");
}
