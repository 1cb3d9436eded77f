import type { NodeSpec } from "prosemirror-model";
import { hasClass } from "./dom.ts";
import { keepsSpaces } from "./keeps-spaces.ts";
import { isOneOf } from "./values.ts";

/** The first is the default. */
export const calloutKinds = ["note", "tip", "warning"] as const;
export type CalloutKind = (typeof calloutKinds)[number];

export const calloutLabels: Record<CalloutKind, string> = { note: "Note", tip: "Tip", warning: "Warning" };

/** Returns our kind for another program's word; GitHub has five. */
export function calloutKind(word: string | undefined): CalloutKind {
  const kindWord = word?.toLowerCase() ?? "";
  if (/^(?:tip|hint|success|green)$/.test(kindWord)) return "tip";
  return /^(?:warning|caution|danger|important|attention|red|yellow)$/.test(kindWord) ? "warning" : "note";
}

export function kindInClass(dom: Element): CalloutKind {
  const classKind = /(?:^|\s)callout-([\w-]+)/.exec(dom.getAttribute("class") ?? "")?.[1];
  return calloutKinds.find((kind) => kind === classKind) ?? "note";
}

export const boxNodes = {
  pull_quote: {
    group: "block",
    content: "block+",
    defining: true,
    parseDOM: [
      { tag: "blockquote", priority: 60, getAttrs: (dom) => (hasClass(dom, "pull-quote") ? {} : false) },
    ],
    toDOM: () => ["blockquote", { class: "pull-quote" }, 0],
  },

  callout: {
    group: "block",
    content: "block+",
    defining: true,
    attrs: { kind: { default: "note", validate: isOneOf(...calloutKinds) } },
    parseDOM: [
      {
        tag: "aside",
        getAttrs: (dom) => (hasClass(dom, "callout") ? { kind: kindInClass(dom) } : false),
      },
    ],
    toDOM: (node) => ["aside", { class: `callout callout-${String(node.attrs.kind)}` }, 0],
  },

  fold: {
    group: "block",
    content: "fold_summary block+",
    defining: true,
    parseDOM: [{ tag: "details" }],
    toDOM: () => ["details", 0],
  },

  fold_summary: {
    content: "inline*",
    defining: true,
    parseDOM: [
      {
        tag: "summary",
        preserveWhitespace: true,
        getAttrs: (dom) => (keepsSpaces(dom) ? {} : false),
      },
      { tag: "summary" },
    ],
    toDOM: () => ["summary", 0],
  },
} satisfies Record<string, NodeSpec>;
