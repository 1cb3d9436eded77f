import type { Block } from "../block.ts";
import { elementsNamed, hasClass, isBlock, isElement, isText, tagOf } from "../dom.ts";
import { changedByGenerators, changedInCode } from "../markdown-signs.ts";
import { codeLanguage, isLanguageOrNull } from "../values.ts";

export const codeBlock = {
  nodes: {
    code_block: {
      group: "block",
      content: "text*",
      marks: "",
      code: true,
      defining: true,
      attrs: { language: { default: null, validate: isLanguageOrNull } },
      parseDOM: [
        { tag: "pre", preserveWhitespace: "full", getAttrs: (dom) => ({ language: languageOf(dom) }) },
      ],
      toDOM: (node) => [
        "pre",
        { class: "ql-syntax", spellcheck: "false", "data-language": node.attrs.language as string | null },
        0,
      ],
      markdown({ attrs, textContent }, { isWithin }) {
        // Other programs read this as a formula.
        if (attrs.language === "math") return null;
        // Site generators recognize no fence within a list or a quotation.
        if ((isWithin ? changedByGenerators : changedInCode).test(textContent)) return null;
        const runs = [...textContent.matchAll(/`{3,}/g)].map(([run]) => run.length);
        const fence = "`".repeat(Math.max(2, ...runs) + 1);
        return `${fence}${(attrs.language as string | null) ?? ""}\n${textContent}\n${fence}`;
      },
    },
  },
  straighten: straightenCode,
} satisfies Block;

function languageOf(dom: Element): string | null {
  const classes = `${dom.getAttribute("class") ?? ""} ${dom.firstElementChild?.getAttribute("class") ?? ""}`;
  return (
    codeLanguage(dom.getAttribute("data-language")) ??
    codeLanguage(/(?:^|\s)(lang(?:uage)?-\S+)/.exec(classes)?.[1])
  );
}

/**
 * Turns every code block into one `<pre>` with only text: with highlighting, an element per line, or `<br>`. Removes
 * the final line break.
 */
function straightenCode(root: Node): void {
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
    if (isText(node)) parts.push(node.nodeValue ?? "");
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
