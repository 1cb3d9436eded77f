import type { Node as DocumentNode } from "prosemirror-model";
import type { Block, MarkdownWriter, Neighbours } from "../block.ts";
import { RefusedValue } from "../document-error.ts";
import { hasClass } from "../dom.ts";
import { escapeHtml } from "../html-tags.ts";
import { changedByGenerators, escapeShortcodes } from "../markdown-signs.ts";
import { beforeDollar, behindDollar, cleanTex, isBetweenDollars } from "../tex.ts";
import { readFormulas, straightenFormulas } from "./formula-reading.ts";

function isTex(value: unknown): void {
  if (value === null || cleanTex(value) !== value)
    throw new RefusedValue(
      "This text has a formula that is empty, too long, or not on one line. A long one is a block of its own.",
    );
}

/** Formulas as TeX: inline, as Quill's `ql-formula`, and as a block. `server/text/render-html.ts` renders them. */
export const formulaBlock = {
  nodes: {
    formula_block: {
      group: "block",
      content: "text*",
      marks: "",
      code: true,
      defining: true,
      parseDOM: [
        {
          tag: "pre",
          priority: 60,
          preserveWhitespace: "full",
          getAttrs: (dom) => (hasClass(dom, "formula") ? {} : false),
        },
      ],
      toDOM: () => ["pre", { class: "formula" }, 0],
      markdown: blockToMarkdown,
    },

    formula: {
      group: "inline",
      inline: true,
      attrs: { tex: { validate: isTex } },
      // In plain text, as on the clipboard.
      leafText: (node) => `$${String(node.attrs.tex)}$`,
      parseDOM: [
        {
          tag: "span",
          priority: 60,
          getAttrs: (dom) => {
            const tex = hasClass(dom, "ql-formula") ? cleanTex(dom.getAttribute("data-value")) : null;
            return tex !== null && { tex };
          },
        },
      ],
      toDOM: (node) => ["span", { class: "ql-formula", "data-value": node.attrs.tex as string }],
      html: { before: ({ attrs }) => escapeHtml(String(attrs.tex)) },
      markdown: toMarkdown,
      text: ({ tex }) => tex as string,
    },
  },
  fromMarkdown: readFormulas,
  straighten: straightenFormulas,
} satisfies Block;

/** Writes a formula between lines of `$$`, as most programs read it; else as GitHub's `math` fence or HTML. */
function blockToMarkdown({ textContent: tex }: DocumentNode, { isWithin }: MarkdownWriter): string | null {
  if (changedByGenerators.test(tex) || /^\s|\s$|^$/.test(tex) || (isWithin && /\n/.test(tex))) return null;
  if (!/\$|\n\s*\n|^\s/m.test(tex)) return `$$\n${tex}\n$$`;
  return /```|^~~~/m.test(tex) || isWithin ? null : `\`\`\`math\n${tex}\n\`\`\``;
}

/** Writes a formula between dollars if it would be read back as one, else as HTML. */
function toMarkdown(formula: DocumentNode, _out: MarkdownWriter, { before, behind }: Neighbours): string {
  const tex = String(formula.attrs.tex);
  const isClear =
    isBetweenDollars(tex) &&
    !changedByGenerators.test(tex) &&
    (!before || (before.isText && beforeDollar.test(before.text!.at(-1)!) && before.marks.length === 0)) &&
    (!behind || (behind.isText && !behindDollar.test([...behind.text!][0]!) && behind.marks.length === 0)) &&
    formula.marks.length === 0;
  if (isClear) return `$${tex}$`;
  const html = escapeHtml(tex).replaceAll("$", "&#36;");
  return escapeShortcodes(`<span class="ql-formula" data-value="${html}"></span>`);
}
