import type MarkdownIt from "markdown-it";
import { beforeDollar, behindDollar, blockTex, cleanTex, isBetweenDollars } from "./tex.ts";

/** Characters searched for a formula's end, so that many dollars stay cheap. */
const maxLength = 2_000;

/** Parses `$x$` in a line, a block between lines of `$$`, and GitHub's ```` ```math ````. */
export function formulas(markdown: InstanceType<typeof MarkdownIt>): void {
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
