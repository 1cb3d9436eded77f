import type { Node, NodeSpec, TagParseRule } from "prosemirror-model";
import { boxNodes } from "./box-nodes.ts";
import { embedNodes } from "./embed-nodes.ts";
import { formulaNodes } from "./formula-nodes.ts";
import { keepsSpaces } from "./keeps-spaces.ts";
import { figureNodes } from "./figure-nodes.ts";
import { imageAttrs, readImage } from "./image-attrs.ts";
import { documentLimits as limits } from "./limits.ts";
import { noteNodes } from "./note-nodes.ts";
import { tableNodes } from "./table-nodes.ts";
import { codeLanguage, isLanguageOrNull, isOneOf, isWhole, isWholeBetween } from "./values.ts";

export type Align = "center" | "right" | "justify";

const alignments = ["center", "right", "justify"] as const;

const blockAttrs = {
  align: { default: null, validate: isOneOf(null, ...alignments) },
  indent: { default: 0, validate: isWhole(0, limits.indent) },
};

/** Returns Quill's classes; empty if there are none. */
export function blockClasses(attrs: { align?: Align | null; indent?: number }): string {
  const classes = [];
  if (attrs.align) classes.push(`ql-align-${attrs.align}`);
  if (attrs.indent) classes.push(`ql-indent-${attrs.indent}`);
  return classes.join(" ");
}

/** Reads Quill's class, the style or the old `align` attribute; null if unset. */
export function alignOf(dom: Element): Align | "left" | null {
  const alignValue =
    /(?:^|\s)ql-align-(\w+)/.exec(dom.getAttribute("class") ?? "")?.[1] ??
    /(?:^|;)\s*text-align\s*:\s*([\w-]+)/i.exec(dom.getAttribute("style") ?? "")?.[1] ??
    dom.getAttribute("align");
  const word = alignValue?.toLowerCase().replace(/^-\w+-/, "");
  if (word === "end") return "right";
  if (word === "left" || word === "start") return "left";
  return alignments.find((align) => align === word) ?? null;
}

/** Returns the level of Quill's `ql-indent-N`. */
export function indentOf(dom: Element): number {
  const level = Number(/(?:^|\s)ql-indent-(\d{1,2})(?!\S)/.exec(dom.getAttribute("class") ?? "")?.[1] ?? 0);
  return Math.min(level, limits.indent);
}

function readBlock(dom: HTMLElement, more: Record<string, unknown> = {}) {
  const align = alignOf(dom);
  return { align: align === "left" ? null : align, indent: indentOf(dom), ...more };
}

// Each textblock has two rules; the first is for elements that preserve spaces.
function textblockRules(tag: string, more: Record<string, unknown> = {}): TagParseRule[] {
  return [
    { tag, preserveWhitespace: true, getAttrs: (dom) => (keepsSpaces(dom) ? readBlock(dom, more) : false) },
    { tag, getAttrs: (dom) => readBlock(dom, more) },
  ];
}

function writeBlock(node: Node): Record<string, string> {
  const classes = blockClasses(node.attrs);
  return classes ? { class: classes } : {};
}

function languageOf(dom: Element): string | null {
  const classes = `${dom.getAttribute("class") ?? ""} ${dom.firstElementChild?.getAttribute("class") ?? ""}`;
  return (
    codeLanguage(dom.getAttribute("data-language")) ??
    codeLanguage(/(?:^|\s)(lang(?:uage)?-\S+)/.exec(classes)?.[1])
  );
}

// Elements whose content is not text to read.
const unread =
  "script, style, template, title, head, iframe, frame, frameset, object, embed, applet, noscript, noframes, noembed, svg, math, select, textarea, audio, video, canvas, xmp, plaintext, listing";

/** Their `toDOM` is for the editor, readers and old Quill clients. */
export const nodes = {
  doc: { content: "block+" },

  paragraph: {
    group: "block",
    content: "inline*",
    attrs: blockAttrs,
    parseDOM: [{ tag: unread, ignore: true, priority: 90 }, ...textblockRules("p")],
    toDOM: (node) => ["p", writeBlock(node), 0],
  },

  heading: {
    group: "block",
    content: "inline*",
    defining: true,
    attrs: { level: { default: 1, validate: isWhole(1, 6) }, ...blockAttrs },
    parseDOM: [1, 2, 3, 4, 5, 6].flatMap((level) => textblockRules(`h${level}`, { level })),
    toDOM: (node) => [`h${Number(node.attrs.level)}`, writeBlock(node), 0],
  },

  blockquote: {
    group: "block",
    content: "block+",
    defining: true,
    parseDOM: [{ tag: "blockquote" }],
    toDOM: () => ["blockquote", 0],
  },

  bullet_list: {
    group: "block",
    content: "(list_item | task_item)+",
    parseDOM: [{ tag: "ul" }],
    toDOM: () => ["ul", 0],
  },

  ordered_list: {
    group: "block",
    content: "list_item+",
    attrs: { order: { default: 1, validate: isWhole(0, 1_000_000) } },
    parseDOM: [
      {
        tag: "ol",
        getAttrs: (dom) => {
          const start = Number(/^\d{1,7}$/.exec(dom.getAttribute("start") ?? "")?.[0] ?? 1);
          return { order: isWholeBetween(start, 0, 1_000_000) ? start : 1 };
        },
      },
    ],
    toDOM: (node) => ["ol", node.attrs.order === 1 ? {} : { start: String(node.attrs.order) }, 0],
  },

  list_item: {
    content: "paragraph block*",
    defining: true,
    parseDOM: [{ tag: "li" }],
    toDOM: () => ["li", 0],
  },

  /** With a checkbox. */
  task_item: {
    content: "paragraph block*",
    defining: true,
    attrs: { checked: { default: false, validate: isOneOf(true, false) } },
    parseDOM: [
      {
        tag: "li",
        priority: 60,
        context: "bullet_list/",
        getAttrs: (dom) => {
          const checkedValue = dom.getAttribute("data-checked");
          return (
            (checkedValue === "true" || checkedValue === "false") && { checked: checkedValue === "true" }
          );
        },
      },
    ],
    toDOM: (node) => ["li", { "data-checked": String(node.attrs.checked) }, 0],
  },

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
  },

  horizontal_rule: {
    group: "block",
    parseDOM: [{ tag: "hr" }],
    toDOM: () => ["hr"],
  },

  ...boxNodes,
  ...figureNodes,
  ...tableNodes,
  ...noteNodes,
  ...formulaNodes,
  ...embedNodes,

  text: { group: "inline" },

  image: {
    group: "inline",
    inline: true,
    draggable: true,
    attrs: imageAttrs,
    parseDOM: [{ tag: "img", getAttrs: readImage }],
    toDOM: (node) => ["img", node.attrs],
  },

  hard_break: {
    group: "inline",
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: "br" }],
    toDOM: () => ["br"],
  },
} satisfies Record<string, NodeSpec>;
