import {
  elementsIn,
  elementsNamed,
  hasClass,
  inlineRuns,
  isBlock,
  isElement,
  ownerOf,
  rename,
  tagOf,
  textOf,
  textsIn,
  wrapRun,
} from "./dom.ts";

/**
 * Removes what programs add to copied text (link signs of headings, buttons, link colours), and turns text in a monospace font
 * into code.
 */
export function straightenCopied(root: Node): void {
  const around = [...elementsIn(root)].filter(
    (element) => hasClass(element, "mw-editsection") || isAnchorSign(element) || isCopyButton(element),
  );
  for (const element of around) element.remove();
  for (const element of elementsNamed(root, ...headings)) dropStyle(element, "color|font-weight");
  for (const element of elementsNamed(root, "blockquote")) dropStyle(element, "font-style");
  for (const label of elementsNamed(root, "div")) if (isLanguageLabel(label)) label.remove();
  for (const quote of elementsNamed(root, "q")) {
    // Browsers show the quotation marks, which are in no text.
    quote.insertBefore(ownerOf(quote).createTextNode("“"), quote.firstChild);
    quote.appendChild(ownerOf(quote).createTextNode("”"));
  }
  for (const term of elementsNamed(root, "dt")) for (const run of inlineRuns(term)) wrapRun(run, "strong");
  for (const rule of elementsNamed(root, "hr"))
    // Google Docs writes a line within a paragraph, of which two empty ones remain.
    for (const beside of [rule.previousSibling, rule.nextSibling])
      if (beside && tagOf(beside) === "p" && !beside.firstChild) beside.remove();
  uncolourLinks(root);
  nameCode(root);
  markCode(root);
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

const isCopyButton = (element: Element): boolean =>
  ["button", "clipboard-copy"].includes(tagOf(element)) &&
  /^(?:copy(?: code)?|copied!?)?$/i.test(textOf(element).trim());

/** Whether it is the line with the language above a chat program's code. */
function isLanguageLabel(label: Element): boolean {
  const group = label.parentNode;
  if (!isElement(group) || group.getAttribute("role") !== "group") return false;
  return `${textOf(label).trim()} code` === group.getAttribute("aria-label");
}

/** Whether it is a link sign in or beside a heading. */
function isAnchorSign(element: Element): boolean {
  const href = element.getAttribute("href") ?? "";
  // Browsers copy addresses with their page's.
  if (
    tagOf(element) !== "a" ||
    !(href.startsWith("#") || (href.includes("#") && element.hasAttribute("class")))
  )
    return false;
  const beside = element.parentNode;
  const isNear =
    beside &&
    (headings.includes(tagOf(beside)) || (isElement(beside) && hasClass(beside, "markdown-heading")));
  return Boolean(isNear) && ["", "#", "¶", "§", "🔗"].includes(textOf(element).trim());
}

/** Drops a style that the element implies. */
function dropStyle(element: Element, names: string): void {
  const style = element.getAttribute("style");
  if (style)
    element.setAttribute("style", style.replace(new RegExp(`(^|;)\\s*(?:${names})\\s*:[^;]*`, "gi"), "$1"));
}

/** Drops the inline style of links, so that they look like ours. */
function uncolourLinks(root: Node): void {
  for (const link of elementsNamed(root, "a")) {
    if (!link.hasAttribute("href")) continue;
    for (const element of [link, ...elementsNamed(link, "span", "u")]) {
      const style = element.getAttribute("style");
      if (!style || !/(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*underline/i.test(style)) continue;
      dropStyle(element, "color|text-decoration(?:-[\\w-]+)?|text-underline");
    }
  }
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
