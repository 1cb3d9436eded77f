import type { Mark, Node } from "prosemirror-model";
import { calloutLabels, type CalloutKind } from "./box-nodes.ts";
import { blogAt, embeddable, type EmbedCard } from "./embeds.ts";
import { flattenLists, isList } from "./flat-lists.ts";
import { blockClasses } from "./nodes.ts";
import { ratioOf, type FigureSize } from "./figure-nodes.ts";
import { Notes } from "./notes.ts";
import { isOwnPath } from "./own-links.ts";
import { isPictureName } from "./picture-names.ts";
import { withNotesInOrder } from "./referenced-notes.ts";
import { schema, type DocumentJson } from "./schema.ts";
import { headingIds } from "./slugs.ts";

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

interface Writer {
  out: string[];
  options: HtmlOptions;
  idFor: (text: string) => string;
  notes: Notes;
  /** The open figures: a pair and one in it. */
  figures: Node[];
}

type Attributes = Record<string, unknown>;

const voidTags = new Set(["img", "br", "hr"]);

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
  const writer: Writer = { out: [], options, idFor: headingIds(), notes: new Notes(document), figures: [] };
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
  if (node.type.name === "figure_caption" && node.content.size === 0) return;
  const replacementText = isPictureName(node.type.name)
    ? writer.options.pictureText?.(String(node.attrs.src))
    : null;
  if (replacementText) {
    writer.out.push(`<span class="picture-elsewhere">${escapeHtml(replacementText)}</span>`);
    return;
  }
  const attributes = attributesFor(node, writer);
  const tags = tagsOf(node.type.spec.toDOM?.(node), attributes);
  const isFigure = /^figure(?:_pair)?$/.test(node.type.name);
  if (isFigure) writer.figures.push(node);
  writer.out.push(tags.open);
  writer.out.push(nodePrefix(node, writer));
  if (node.type.spec.code) writeCode(node, writer);
  else if (node.type.name === "figure") writeMarked(node, writer);
  else if (node.inlineContent) writeInline(node, writer);
  else writeBlocks(node, writer);
  if (isFigure) writer.figures.pop();
  writer.out.push(nodeSuffix(node, attributes, writer), tags.close);
}

/** Returns what is rendered at the beginning of a node; the parser drops it. */
function nodePrefix(node: Node, { notes, options }: Writer): string {
  switch (node.type.name) {
    case "task_item":
      return openTag("input", {
        type: "checkbox",
        "aria-label": "Done",
        checked: node.attrs.checked ? "" : null,
        disabled: "",
      });
    case "callout":
      return `<p class="callout-label">${calloutLabels[node.attrs.kind as CalloutKind]}</p>`;
    case "embed":
      return cardOf(node, options);
    case "formula":
      return escapeHtml(String(node.attrs.tex));
    case "footnote_ref":
      return notes.sign(node, options.headingIds !== false);
    default:
      return "";
  }
}

/** Renders a link to the embedded page; the player loads only on request. */
function cardOf({ attrs }: Node, { origin }: HtmlOptions): string {
  const { href, title, author, text } = attrs as EmbedCard & { href: string };
  const link = openTag("a", { href, rel: isOwnBlog(href, origin) ? null : "nofollow noopener ugc" });
  if (title === "" || blogAt(href) !== null)
    return `${link}${escapeHtml(isOwnPath(href) ? (origin ?? "") + href : href)}</a>`;
  const from = [author, embeddable(href)?.place].filter(Boolean).join(" · ");
  const textHtml = text === "" ? "" : `<span>${escapeHtml(text)}</span>`;
  return `${link}<strong>${escapeHtml(title)}</strong>${textHtml}<small>${escapeHtml(from)}</small></a>`;
}

/** Returns what is rendered at the end of a node. */
function nodeSuffix(node: Node, { id }: Attributes, { notes, options }: Writer): string {
  if (typeof id !== "string") return "";
  if (node.type.name === "footnote") return notes.backLink(node);
  // Empty and hidden, so that it is neither copied nor read aloud with the heading.
  return options.headingLinks
    ? `${openTag("a", { class: "heading-link", href: `#${id}`, "aria-hidden": "true", tabindex: "-1" })}</a>`
    : "";
}

/** Returns attributes of published HTML beyond `toDOM`. */
function attributesFor(node: Node, writer: Writer): Attributes {
  if (node.type.name === "heading" && writer.options.headingIds !== false)
    return { id: writer.idFor(node.textContent), ...spacesOf(node) };
  if (node.type.name === "footnote" && writer.options.headingIds !== false)
    return { id: writer.notes.idOf(node), value: writer.notes.startOf(node) };
  if (node.type.name === "embed") {
    const { href, title } = node.attrs as EmbedCard & { href: string };
    const { origin } = writer.options;
    // Readers may see different content, so the page fetches it.
    if (isOwnBlog(href, origin)) return { "data-blog": blogAt(href, origin) };
    return title === "" ? {} : { "data-frame": embeddable(href)?.frame };
  }
  if (isPictureName(node.type.name)) return imageAttributes(node, writer);
  if (node.type.name === "figure" && writer.figures.length > 0) return ratioIn(node, writer.options);
  return node.inlineContent && !node.type.spec.code ? spacesOf(node) : {};
}

/** Returns a figure's share of the row of a pair, so that both are equally high. */
function ratioIn({ firstChild }: Node, options: HtmlOptions): Attributes {
  const { src, width, height } = (firstChild?.attrs ?? {}) as {
    src: string;
    width: unknown;
    height: unknown;
  };
  const shape = width && height ? { width, height } : options.image?.(src);
  return shape ? { style: `--ratio: ${ratioOf(shape)};` } : {};
}

/** Returns the picture's rendered width, for choosing a file; null if as wide as the text. */
function figureSizes([outer, inner]: Node[]): string | null {
  const size = outer?.attrs.size as FigureSize | undefined;
  if (inner) return size === "text" ? "(max-width: 480px) 100vw, 340px" : "(max-width: 480px) 100vw, 50vw";
  if (size === "full") return "100vw";
  return size === "wide" ? "(min-width: 56rem) 52rem, 100vw" : null;
}

function imageAttributes(node: Node, { options, figures }: Writer): Attributes {
  const { src, width, height } = node.attrs as { src: string; width: number | null; height: number | null };
  const file = options.image?.(src);
  return {
    src: file?.src ?? src,
    srcset: file?.srcset,
    sizes: file?.srcset && (figureSizes(figures) ?? file.sizes),
    width: width ?? scaled(height, file?.width, file?.height),
    height: height ?? scaled(width, file?.height, file?.width),
    loading: "lazy",
    decoding: "async",
  };
}

// Derives the missing side, so that the page does not shift when the picture loads.
function scaled(
  other: number | null,
  side: number | undefined,
  otherSide: number | undefined,
): number | null {
  if (!side || !otherSide) return null;
  return other === null ? side : Math.max(1, Math.round((other * side) / otherSide));
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

/** Drops the link of a footnote reference, which is already one. */
const renderedMarks = ({ type, marks }: Node): readonly Mark[] =>
  type.name === "footnote_ref" ? marks.filter((mark) => mark.type.name !== "link") : marks;

function linkAttributes(mark: Mark, { origin }: HtmlOptions): Attributes {
  if (mark.type.name !== "link") return {};
  const href = String(mark.attrs.href);
  if (isOwnPath(href)) return { rel: null };
  if (origin === undefined) return {};
  return href === origin || href.startsWith(`${origin}/`) ? { rel: null } : {};
}

const isOwnBlog = (href: string, origin: string | undefined): boolean =>
  origin !== undefined && blogAt(href, origin) !== null;

// Preserves runs of spaces, which HTML would collapse.
function spacesOf(textblock: Node): Attributes {
  const text = textblock.textBetween(0, textblock.content.size, null, (leaf) =>
    leaf.type.name === "hard_break" ? "\n" : "\ufffc",
  );
  return /^[ \t]|[ \t]$|[ \t]{2}|\t|\n[ ]|[ ]\n/.test(text) ? { style: "white-space: pre-wrap;" } : {};
}

/** Returns the tags around the content of a `toDOM` specification. */
function tagsOf(spec: unknown, extra: Attributes): { open: string; close: string } {
  if (!Array.isArray(spec) || typeof spec[0] !== "string")
    throw new RangeError("The schema's toDOM must give an array");
  const [tag, ...rest] = spec as [string, ...unknown[]];
  const hasAttributes = typeof rest[0] === "object" && rest[0] !== null && !Array.isArray(rest[0]);
  const attributes = { ...(hasAttributes ? (rest.shift() as Attributes) : {}), ...extra };
  const inner = Array.isArray(rest[0]) ? tagsOf(rest[0], {}) : { open: "", close: "" };
  return {
    open: openTag(tag, attributes) + inner.open,
    close: voidTags.has(tag) ? "" : `${inner.close}</${tag}>`,
  };
}

export const markTags = (mark: Mark): { open: string; close: string } =>
  tagsOf(mark.type.spec.toDOM?.(mark, true), {});

function openTag(tag: string, attributes: Attributes): string {
  const presentAttributes = Object.entries(attributes).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return `<${tag}${presentAttributes.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join("")}>`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const characters: Record<string, string> = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** Escapes text, also for double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Reverses `escapeHtml`. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]!);
