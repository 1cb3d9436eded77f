import { elementsNamed, isBlock, rename, tagOf, textOf, textsIn, wrapRun } from "../dom.ts";

/** Makes code of text in a monospace font, as code editors and many others copy it. */
export function straightenCodeEditors(root: Node): void {
  nameCode(root);
  markCode(root);
}

const isMono = (element: Element): boolean =>
  /(?:^|;)\s*font(?:-family)?\s*:[^;]*(?:\bmono|courier|consolas|menlo|monaco|fira code|source code|cascadia)/i.test(
    element.getAttribute("style") ?? "",
  );
const keepsAll = (element: Element): boolean =>
  /(?:^|;)\s*white-space\s*:\s*pre\b/i.test(element.getAttribute("style") ?? "");

/** Turns a box in a monospace font with preserved spaces, as code editors copy it, into a code block or inline code. */
function nameCode(root: Node): void {
  for (const box of elementsNamed(root, "div")) {
    if (!isMono(box) || !keepsAll(box)) continue;
    const code = textOf(box);
    if (elementsNamed(box, "div", "br").length > 1 || code.includes("\n")) rename(box, "pre");
    else {
      const paragraph = rename(box, "p");
      paragraph.textContent = code;
      if (paragraph.firstChild) wrapRun([paragraph.firstChild], "code");
    }
  }
}

/** Turns text in a monospace font into code, unless it is the whole line. */
function markCode(root: Node): void {
  const words = elementsNamed(root, "span", "font").filter(isMono);
  if (words.length === 0) return;
  const isCode = new Set<Node>(words);
  const lengths = new Map<Node, { all: number; code: number }>();
  const blockOf = (node: Node) => {
    let at: Node | null = node.parentNode;
    let inCode = false;
    while (at && at !== root && !isBlock(at)) {
      inCode ||= isCode.has(at);
      at = at.parentNode;
    }
    return { block: at ?? root, inCode };
  };
  for (const text of textsIn(root)) {
    const { block, inCode } = blockOf(text);
    const length = text.nodeValue?.trim().length ?? 0;
    const known = lengths.get(block) ?? { all: 0, code: 0 };
    lengths.set(block, { all: known.all + length, code: known.code + (inCode ? length : 0) });
  }
  for (const element of words) {
    const { block } = blockOf(element);
    const { all = 0, code = 0 } = lengths.get(block) ?? {};
    if (code < all && tagOf(block) !== "pre") rename(element, "code");
  }
}
