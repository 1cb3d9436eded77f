import type { Mark, Node } from "prosemirror-model";
import type { BlockNode, HtmlPage } from "./block.ts";
import { flattenLists, isList } from "./blocks/list-flat.ts";
import { escapeHtml, openTag, tagsOf, type Attributes } from "./html-tags.ts";
import { Notes } from "./notes.ts";
import { isOwnPath } from "./own-links.ts";
import { withNotesInOrder } from "./referenced-notes.ts";
import { schema, type DocumentJson } from "./schema.ts";
import { headingIds } from "./slugs.ts";
import { blockClasses } from "./text-blocks.ts";

/** The file of a picture: its URL, sizes, and natural size in pixels. */
export interface ResponsiveImage {
  src: string;
  srcset?: string;
  sizes?: string;
  width?: number;
  height?: number;
}

export interface HtmlOptions {
  /** Called for every picture; null leaves it unchanged. */
  image?: (src: string) => ResponsiveImage | null | undefined;
  /** Returns the text shown instead of a picture, or null. */
  pictureText?: (src: string) => string | null;
  /** `nested` is standard HTML; `flat` is Quill's form (`ql-indent-N` on items), where that can express the lists. */
  lists?: "nested" | "flat";
  /** Whether headings and notes get ids; false for a text beside another one. */
  headingIds?: boolean;
  headingLinks?: boolean;
  /** Links to this origin (`https://example.org`) carry no `nofollow`. */
  origin?: string;
}

interface Writer extends HtmlPage {
  out: string[];
  parents: Node[];
}

/**
 * Returns the document as HTML, by the schema's `toDOM`, with everything escaped and footnotes in the order of their references.
 * `documentParser` parses it back to the same document. Throws a RangeError if the schema refuses it.
 */
export function documentToHtml(document: DocumentJson, options: HtmlOptions = {}): string {
  const node = schema.nodeFromJSON(document);
  const inOrder = withNotesInOrder(document);
  return nodeToHtml(inOrder === document ? node : schema.nodeFromJSON(inOrder), options);
}

/** Renders a parsed node, of this schema or one that extends it. */
export function nodeToHtml(document: Node, options: HtmlOptions = {}): string {
  const writer: Writer = { out: [], options, idFor: headingIds(), notes: new Notes(document), parents: [] };
  writeBlocks(document, writer);
  return writer.out.join("");
}

function writeBlocks(parent: Node, writer: Writer): void {
  const blocks = parent.children;
  for (let at = 0; at < blocks.length; at++) {
    const lists = writer.options.lists === "flat" ? listsFrom(blocks, at) : [];
    if (lists.length > 0 && parent.type.name !== "list_item") {
      if (!writeFlatLists(lists, writer)) for (const list of lists) writeNode(list, writer);
      at += lists.length - 1;
    } else writeNode(blocks[at] as Node, writer);
  }
}

function listsFrom(blocks: readonly Node[], from: number): Node[] {
  let to = from;
  while (to < blocks.length && isList(blocks[to] as Node)) to++;
  return blocks.slice(from, to);
}

function writeFlatLists(lists: Node[], writer: Writer): boolean {
  const items = flattenLists(lists);
  if (!items) return false;
  let open: string | null = null;
  for (const { tag, indent, checked, paragraph } of items) {
    if (tag !== open) writer.out.push(open ? `</${open}>` : "", `<${tag}>`);
    open = tag;
    const classes = blockClasses({ ...paragraph.attrs, indent });
    const kind = checked === null ? {} : { "data-list": checked ? "checked" : "unchecked" };
    writer.out.push(openTag("li", { ...kind, ...(classes && { class: classes }), ...spacesOf(paragraph) }));
    writeInline(paragraph, writer);
    writer.out.push("</li>");
  }
  if (open) writer.out.push(`</${open}>`);
  return true;
}

function writeNode(node: Node, writer: Writer): void {
  if (node.isText) {
    writer.out.push(escapeHtml(node.text ?? ""));
    return;
  }
  const { html = {}, toDOM, code } = node.type.spec as BlockNode;
  const instead = html.instead?.(node, writer) ?? null;
  if (instead !== null) {
    writer.out.push(instead);
    return;
  }
  const attributes = {
    ...html.attributes?.(node, writer),
    ...(node.inlineContent && !code ? spacesOf(node) : {}),
  };
  const tags = tagsOf(toDOM?.(node), attributes);
  writer.out.push(tags.open, html.before?.(node, writer) ?? "");
  writer.parents.push(node);
  if (code) writeCode(node, writer);
  else if (node.inlineContent) writeInline(node, writer);
  // A figure, whose picture can be a link.
  else if (node.type.spec.marks) writeMarked(node, writer);
  else writeBlocks(node, writer);
  writer.parents.pop();
  writer.out.push(html.after?.(node, writer, attributes) ?? "", tags.close);
}

// The last line ends with a line break as in Quill. Browsers drop one right after <pre>, so it is doubled.
function writeCode(node: Node, writer: Writer): void {
  const { textContent } = node;
  writer.out.push(textContent === "" || textContent.startsWith("\n") ? "\n" : "");
  writeMarked(node, writer);
  writer.out.push("\n");
}

function writeInline(parent: Node, writer: Writer): void {
  writeMarked(parent, writer);
  // An empty block, or a break at a block's end, is visible only with another break.
  if (!parent.lastChild || parent.lastChild.type.name === "hard_break") writer.out.push("<br>");
}

function writeMarked(parent: Node, writer: Writer): void {
  const open: { mark: Mark; close: string }[] = [];
  for (const node of parent.children) {
    const marks = renderedMarks(node);
    const differs = open.findIndex(({ mark }, at) => !marks[at]?.eq(mark));
    const same = differs === -1 ? open.length : differs;
    while (open.length > same) writer.out.push(open.pop()?.close ?? "");
    for (const mark of marks.slice(same)) {
      const tags = tagsOf(mark.type.spec.toDOM?.(mark, true), linkAttributes(mark, writer.options));
      writer.out.push(tags.open);
      open.push({ mark, close: tags.close });
    }
    writeNode(node, writer);
  }
  while (open.length > 0) writer.out.push(open.pop()?.close ?? "");
}

const renderedMarks = ({ type, marks }: Node): readonly Mark[] => {
  const { refusesMark } = type.spec as BlockNode;
  return refusesMark ? marks.filter((mark) => !refusesMark(mark.type.name)) : marks;
};

function linkAttributes(mark: Mark, { origin }: HtmlOptions): Attributes {
  if (mark.type.name !== "link") return {};
  const href = String(mark.attrs.href);
  if (isOwnPath(href)) return { rel: null };
  if (origin === undefined) return {};
  return href === origin || href.startsWith(`${origin}/`) ? { rel: null } : {};
}

// Preserves runs of spaces, which HTML would collapse.
function spacesOf(textblock: Node): Attributes {
  const text = textblock.textBetween(0, textblock.content.size, null, (leaf) =>
    leaf.type.name === "hard_break" ? "\n" : "\ufffc",
  );
  return /^[ \t]|[ \t]$|[ \t]{2}|\t|\n[ ]|[ ]\n/.test(text) ? { style: "white-space: pre-wrap;" } : {};
}

export const markTags = (mark: Mark): { open: string; close: string } =>
  tagsOf(mark.type.spec.toDOM?.(mark, true), {});
