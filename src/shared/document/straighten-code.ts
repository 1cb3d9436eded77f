import {
  elementsIn,
  elementsNamed,
  hasClass,
  isBlock,
  isElement,
  moveContent,
  ownerOf,
  tagOf,
} from "./dom.ts";
import { codeLanguage } from "./values.ts";

/**
 * Turns every code block into one `<pre>` with only text: with highlighting, an element per line (Quill 2), or `<br>`. Removes
 * the final line break.
 */
export function straightenCode(root: Node): void {
  for (const container of [...elementsIn(root)].filter((element) =>
    hasClass(element, "ql-code-block-container"),
  )) {
    const pre = ownerOf(container).createElement("pre");
    const language = container.firstElementChild?.getAttribute("data-language");
    if (language) pre.setAttribute("data-language", language);
    moveContent(container, pre);
    container.parentNode?.replaceChild(pre, container);
  }
  for (const table of elementsNamed(root, "table")) dropLineNumbers(table);
  // Backwards, so that a <pre> in a <pre> is text when the outer one is read.
  for (const pre of elementsNamed(root, "pre").toReversed()) {
    const language = languageNamed(pre);
    const code = codeText(codeAlone(pre) ?? pre);
    pre.textContent = code.endsWith("\n") ? code.slice(0, -1) : code;
    if (language) pre.setAttribute("data-language", language);
  }
}

/** Replaces a table of line numbers and code, as Hexo and Rouge write it, with the code. */
function dropLineNumbers(table: Element): void {
  const [numbers, code, ...more] = elementsNamed(table, "td");
  const isNumbered =
    numbers &&
    code &&
    more.length === 0 &&
    ["gutter", "rouge-gutter"].some((name) => hasClass(numbers, name));
  const [pre] = isNumbered ? elementsNamed(code, "pre") : [];
  if (pre) table.parentNode?.replaceChild(pre, table);
}

// Returns the code without the bar that some programs put beside it.
function codeAlone(pre: Element): Element | null {
  if (!pre.firstElementChild || !isBlock(pre.firstElementChild)) return null;
  const [code, ...more] = elementsNamed(pre, "code");
  return code && more.length === 0 ? code : null;
}

function languageNamed(pre: Element): string | null {
  const languages = ["data-language", "data-code-block-lang", "data-lang"].map((name) =>
    pre.getAttribute(name),
  );
  const language = codeLanguage(languages.find((name) => name !== null));
  if (language) return language;
  for (const element of [pre, pre.firstElementChild, codeAlone(pre)]) {
    const named = /(?:^|\s)(?:lang|language)-(\S+)/.exec(element?.getAttribute("class") ?? "")?.[1];
    if (named) return codeLanguage(named);
  }
  // GitHub and Rouge put the language on a surrounding box.
  for (const box of [pre.parentNode, pre.parentNode?.parentNode]) {
    const classes = isElement(box) ? (box.getAttribute("class") ?? "") : "";
    const named =
      /(?:^|\s)highlight-source-(\S+)/.exec(classes)?.[1] ??
      (/(?:^|\s)highlighter-rouge(?!\S)/.test(classes) && /(?:^|\s)language-(\S+)/.exec(classes)?.[1]);
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
