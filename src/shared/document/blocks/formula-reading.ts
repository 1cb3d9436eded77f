import type { MarkdownReader } from "../block.ts";
import { elementsNamed, firstShown, hasClass, isElement, nextShown, ownerOf, tagOf, textOf } from "../dom.ts";
import { beforeDollar, behindDollar, blockTex, cleanTex, isBetweenDollars } from "../tex.ts";

/**
 * Brings formulas that contain their TeX into our form: MathML with an annotation (ours, KaTeX, Temml, Wikipedia),
 * GitHub's rendering, and code in the language `math`. Of MathML without TeX the text stays.
 */
export function straightenFormulas(root: Node): void {
  for (const math of elementsNamed(root, "math")) {
    const tex = texOf(math);
    const outer = drawingAround(math);
    if (tex === null) {
      // Without a rendering beside it, its text is all there is.
      if (outer === math) math.parentNode?.replaceChild(ownerOf(math).createTextNode(textInLine(math)), math);
      continue;
    }
    const isBlock =
      math.getAttribute("display") === "block" ||
      /(?:^|\s)(?:katex-display|formula)(?!\S)/.test(outer.getAttribute("class") ?? "") ||
      (isElement(outer.parentNode) && hasClass(outer.parentNode, "katex-display"));
    put(outer, tex, isBlock);
  }
  for (const renderer of elementsNamed(root, "math-renderer")) {
    const [, sign, tex] = /^\s*(\${1,2})`?([^$]*?)`?\1\s*$/.exec(textOf(renderer)) ?? [];
    if (tex) put(renderer, tex, sign === "$$");
  }
  for (const pre of elementsNamed(root, "pre"))
    if (!pre.hasAttribute("data-language") && isMath(pre)) pre.setAttribute("class", "formula");
}

const isMath = (pre: Element): boolean =>
  [pre, pre.firstElementChild].some((element) => element && hasClass(element, "language-math"));

function texOf(math: Element): string | null {
  for (const annotation of elementsNamed(math, "annotation"))
    if (/^(?:application\/x-tex|latex)$/i.test(annotation.getAttribute("encoding") ?? ""))
      return withoutStyle(textOf(annotation));
  const altText = math.getAttribute("alttext");
  return altText ? withoutStyle(altText) : null;
}

const textInLine = (math: Element): string => textOf(math).replace(/\s+/g, " ").trim();

/** Unwraps the group with a size that Wikipedia adds. */
const withoutStyle = (tex: string): string =>
  (/^\s*\{\\(?:display|text)style(?![a-zA-Z])\s?([\s\S]*)\}\s*$/.exec(tex)?.[1] ?? tex).trim();

/** Boxes with a visual rendering beside the MathML for screen readers. */
const boxes = /(?:^|\s)(?:katex|katex-mathml|katex-display|ql-formula|formula|mwe-math\S*)(?!\S)/;

function drawingAround(math: Element): Element {
  let outer = math;
  for (let at = math.parentNode, steps = 0; isElement(at) && steps < 6; at = at.parentNode, steps++)
    if (boxes.test(at.getAttribute("class") ?? "")) outer = at;
    else if (tagOf(at) !== "span") break;
  return outer;
}

function put(drawing: Element, tex: string, isBlock: boolean): void {
  const owner = ownerOf(drawing);
  const line = cleanTex(tex);
  let formula: Element;
  if (isBlock || line === null) {
    formula = owner.createElement("pre");
    formula.setAttribute("class", "formula");
    formula.textContent = blockTex(tex);
  } else {
    formula = owner.createElement("span");
    formula.setAttribute("class", "ql-formula");
    formula.setAttribute("data-value", line);
  }
  let place: Element = drawing;
  // A block that is alone in a paragraph takes its place.
  while (
    isBlock &&
    isElement(place.parentNode) &&
    ["p", "span"].includes(tagOf(place.parentNode)) &&
    isAlone(place)
  )
    place = place.parentNode;
  place.parentNode?.replaceChild(formula, place);
}

const isAlone = (node: Element): boolean => firstShown(node.parentNode!) === node && nextShown(node) === null;

/** Characters searched for a formula's end, so that many dollars stay cheap. */
const maxLength = 2_000;

/** Parses `$x$` in a line, a block between lines of `$$`, and GitHub's ```` ```math ````. */
export function readFormulas(markdown: MarkdownReader): void {
  markdown.inline.ruler.after("escape", "formula", (state, silent) => {
    const { src, pos } = state;
    if (src[pos] !== "$" || (pos > 0 && !beforeDollar.test(src[pos - 1]!))) return false;
    const sign = src.startsWith("$$", pos) ? "$$" : "$";
    const begin = pos + sign.length;
    const end = src.indexOf(sign, begin);
    if (end === -1 || end >= state.posMax || end - begin > maxLength) return false;
    const after = src[end + sign.length];
    if (after !== undefined && behindDollar.test(after)) return false;
    const source = src.slice(begin, end).replace(/(?<!\s)\s*\n\s*/g, " ");
    // Between double dollars there is no price.
    const tex = sign === "$$" ? cleanTex(source.replaceAll("$", "")) : source;
    if (tex === null || (sign === "$" ? !isBetweenDollars(tex) : source.includes("$"))) return false;
    if (!silent) state.push("formula", "span", 0).content = tex;
    state.pos = end + sign.length;
    return true;
  });

  markdown.block.ruler.before(
    "fence",
    "formula_block",
    (state, from, to, silent) => {
      const lineAt = (at: number) => state.src.slice(state.bMarks[at]! + state.tShift[at]!, state.eMarks[at]);
      const first = lineAt(from);
      if (!first.startsWith("$$") || state.sCount[from]! - state.blkIndent >= 4) return false;
      const oneLine = /^\$\$([^$]+)\$\$\s*$/.exec(first);
      let next = from + 1;
      const lines = [oneLine?.[1] ?? first.slice(2)];
      if (!oneLine) {
        if (first.slice(2).includes("$")) return false;
        for (let isOpen = true; isOpen; next++) {
          if (next >= to || state.sCount[next]! < state.blkIndent) return false;
          const line = state.getLines(next, next + 1, state.sCount[from]!, false);
          isOpen = !line.includes("$$");
          if (!isOpen && !/\$\$\s*$/.test(line)) return false;
          lines.push(isOpen ? line : line.replace(/\$\$\s*$/, ""));
        }
      }
      const tex = blockTex(lines.join("\n"));
      if (tex.trim() === "" || tex.includes("$")) return false;
      if (silent) return true;
      const token = state.push("formula_block", "pre", 0);
      token.block = true;
      token.content = tex;
      token.map = [from, next];
      state.line = next;
      return true;
    },
    { alt: ["paragraph", "reference", "blockquote", "list"] },
  );

  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  rules.formula = (tokens, at) => {
    const tex = escapeHtml(tokens[at]!.content);
    return `<span class="ql-formula" data-value="${tex}">${tex}</span>`;
  };
  rules.formula_block = (tokens, at) => `<pre class="formula">${escapeHtml(tokens[at]!.content)}\n</pre>\n`;
}
