import type { Node, TagParseRule } from "prosemirror-model";
import { keepsSpaces } from "./dom.ts";
import { documentLimits as limits } from "./limits.ts";
import { isOneOf, isWhole } from "./values.ts";

/* Alignment and indentation of paragraphs and headings. */

export type Align = "center" | "right" | "justify";

const alignments = ["center", "right", "justify"] as const;

export const textBlockAttrs = {
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

function readBlock(dom: HTMLElement, more: Record<string, unknown>) {
  const align = alignOf(dom);
  return { align: align === "left" ? null : align, indent: indentOf(dom), ...more };
}

/** Returns the rules of a text block; the first is for elements that preserve spaces. */
export function textBlockRules(tag: string, more: Record<string, unknown> = {}): TagParseRule[] {
  return [
    { tag, preserveWhitespace: true, getAttrs: (dom) => (keepsSpaces(dom) ? readBlock(dom, more) : false) },
    { tag, getAttrs: (dom) => readBlock(dom, more) },
  ];
}

export function textBlockAttributes(node: Node): Record<string, string> {
  const classes = blockClasses(node.attrs);
  return classes ? { class: classes } : {};
}
