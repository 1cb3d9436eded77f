import type { Mark, Node } from "prosemirror-model";
import { flattenLists, isList } from "./flat-lists.ts";
import { blockClasses } from "./nodes.ts";
import { schema, type DocumentJson } from "./schema.ts";
import { headingIds } from "./slugs.ts";

/** Where a picture is really fetched from: another address, several sizes of it, its natural size in pixels. */
export interface ResponsiveImage {
  src: string;
  srcset?: string;
  sizes?: string;
  width?: number;
  height?: number;
}

export interface HtmlOptions {
  /** Asked for every picture; null leaves it as the document has it. */
  image?: (src: string) => ResponsiveImage | null | undefined;
  /** `nested` is HTML as it should be; `flat` is Quill's (`ql-indent-N` on items), for its clients, wherever that can say the same. */
  lists?: "nested" | "flat";
  /** The site's origin (`https://example.org`): links to it are the site's own and carry no `nofollow`. */
  origin?: string;
}

interface Writer {
  out: string[];
  options: HtmlOptions;
  idFor: (text: string) => string;
}

type Attributes = Record<string, unknown>;

const voids = new Set(["img", "br", "hr"]);

/**
 * The document as HTML, by the schema's own `toDOM`. Everything is escaped, and a document the schema refuses is
 * not written at all: it throws a RangeError. `documentParser` makes the same document of it again.
 */
export function documentToHtml(document: DocumentJson, options: HtmlOptions = {}): string {
  const writer: Writer = { out: [], options, idFor: headingIds() };
  writeBlocks(schema.nodeFromJSON(document), writer);
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
  for (const { tag, indent, paragraph } of items) {
    if (tag !== open) writer.out.push(open ? `</${open}>` : "", `<${tag}>`);
    open = tag;
    const classes = blockClasses({ ...paragraph.attrs, indent });
    writer.out.push(openTag("li", { ...(classes && { class: classes }), ...spacesOf(paragraph) }));
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
  const tags = tagsOf(node.type.spec.toDOM?.(node), attributesFor(node, writer));
  writer.out.push(tags.open);
  if (node.type.name === "code_block") writeCode(node, writer);
  else if (node.inlineContent) writeInline(node, writer);
  else writeBlocks(node, writer);
  writer.out.push(tags.close);
}

/** What published HTML has beyond the schema's `toDOM`. */
function attributesFor(node: Node, writer: Writer): Attributes {
  if (node.type.name === "heading") return { id: writer.idFor(node.textContent), ...spacesOf(node) };
  if (node.type.name === "image") return imageAttributes(node, writer.options);
  return node.inlineContent && !node.type.spec.code ? spacesOf(node) : {};
}

function imageAttributes(node: Node, options: HtmlOptions): Attributes {
  const { src, width, height } = node.attrs as { src: string; width: number | null; height: number | null };
  const file = options.image?.(src);
  return {
    src: file?.src ?? src,
    srcset: file?.srcset,
    sizes: file?.srcset && file.sizes,
    width: width ?? scaled(height, file?.width, file?.height),
    height: height ?? scaled(width, file?.height, file?.width),
    loading: "lazy",
    decoding: "async",
  };
}

// One side as the author set it gives the other by the picture's own shape; so the page does not jump when it comes.
function scaled(
  other: number | null,
  side: number | undefined,
  otherSide: number | undefined,
): number | null {
  if (!side || !otherSide) return null;
  return other === null ? side : Math.max(1, Math.round((other * side) / otherSide));
}

// The last line has an end as in Quill. A browser drops a line break right after <pre>: it gets one to drop.
function writeCode(node: Node, writer: Writer): void {
  const code = `${node.textContent}\n`;
  writer.out.push(code.startsWith("\n") ? "\n" : "", escapeHtml(code));
}

function writeInline(parent: Node, writer: Writer): void {
  const open: { mark: Mark; close: string }[] = [];
  for (const node of parent.children) {
    const differs = open.findIndex(({ mark }, at) => !node.marks[at]?.eq(mark));
    const same = differs === -1 ? open.length : differs;
    while (open.length > same) writer.out.push(open.pop()?.close ?? "");
    for (const mark of node.marks.slice(same)) {
      const tags = tagsOf(mark.type.spec.toDOM?.(mark, true), linkAttributes(mark, writer.options));
      writer.out.push(tags.open);
      open.push({ mark, close: tags.close });
    }
    writeNode(node, writer);
  }
  while (open.length > 0) writer.out.push(open.pop()?.close ?? "");
  // A block without text, and a break at the end of one, are seen only with a break behind them.
  if (!parent.lastChild || parent.lastChild.type.name === "hard_break") writer.out.push("<br>");
}

function linkAttributes(mark: Mark, { origin }: HtmlOptions): Attributes {
  if (mark.type.name !== "link" || !origin) return {};
  const href = String(mark.attrs.href);
  return href === origin || href.startsWith(`${origin}/`) ? { rel: null } : {};
}

// HTML folds spaces; a text that has more of them than that leaves says so.
function spacesOf(textblock: Node): Attributes {
  const text = textblock.textBetween(0, textblock.content.size, null, (leaf) =>
    leaf.type.name === "hard_break" ? "\n" : "\ufffc",
  );
  return /^[ \t]|[ \t]$|[ \t]{2}|\t|\n[ ]|[ ]\n/.test(text) ? { style: "white-space: pre-wrap;" } : {};
}

/** The tags before and after the content of a `toDOM` specification. */
function tagsOf(spec: unknown, extra: Attributes): { open: string; close: string } {
  if (!Array.isArray(spec) || typeof spec[0] !== "string")
    throw new RangeError("The schema's toDOM must give an array");
  const [tag, ...rest] = spec as [string, ...unknown[]];
  const hasAttributes = typeof rest[0] === "object" && rest[0] !== null && !Array.isArray(rest[0]);
  const attributes = { ...(hasAttributes ? (rest.shift() as Attributes) : {}), ...extra };
  const inner = Array.isArray(rest[0]) ? tagsOf(rest[0], {}) : { open: "", close: "" };
  return {
    open: openTag(tag, attributes) + inner.open,
    close: voids.has(tag) ? "" : `${inner.close}</${tag}>`,
  };
}

function openTag(tag: string, attributes: Attributes): string {
  const written = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return `<${tag}${written.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join("")}>`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand in HTML, in a double-quoted attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
