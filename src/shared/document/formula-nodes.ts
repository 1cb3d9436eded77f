import type { NodeSpec } from "prosemirror-model";
import { hasClass } from "./dom.ts";
import { RefusedValue } from "./document-error.ts";
import { cleanTex } from "./tex.ts";

function isTex(value: unknown): void {
  if (value === null || cleanTex(value) !== value)
    throw new RefusedValue(
      "This text has a formula that is empty, too long, or not on one line. A long one is a block of its own.",
    );
}

/**
 * Formulas as TeX: inline, as Quill's `ql-formula`, and as a block. `server/text/render-html.ts` renders them;
 * straighten-formulas.ts converts other programs'.
 */
export const formulaNodes = {
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
  },
} satisfies Record<string, NodeSpec>;
