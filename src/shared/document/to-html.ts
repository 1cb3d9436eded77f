import type { Mark, Node } from "prosemirror-model";
import { calloutLabels, type CalloutKind } from "./box-nodes.ts";
import { blogAt, embeddable, type EmbedCard } from "./embeds.ts";
import { flattenLists, isList } from "./flat-lists.ts";
import { blockClasses } from "./nodes.ts";
import { ratioOf, type FigureSize } from "./figure-nodes.ts";
import { Notes } from "./notes.ts";
import { isPictureName } from "./picture-names.ts";
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
  /** Asked for every picture: what is said in its place, where it is not shown. */
  instead?: (src: string) => string | null;
  /** `nested` is HTML as it should be; `flat` is Quill's (`ql-indent-N` on items), for its clients, wherever that can say the same. */
  lists?: "nested" | "flat";
  /** Headings and notes have ids to be linked to, unless this is false: for a text that stands beside another. */
  headingIds?: boolean;
  /** Headings have a link to themselves, for readers. */
  headingLinks?: boolean;
  /** The site's origin (`https://example.org`): links to it are the site's own and carry no `nofollow`. */
  origin?: string;
}

interface Writer {
  out: string[];
  options: HtmlOptions;
  idFor: (text: string) => string;
  notes: Notes;
  /** The figures that are being written: a pair of them, and one within it. */
  figures: Node[];
}

type Attributes = Record<string, unknown>;

const voids = new Set(["img", "br", "hr"]);

/**
 * The document as HTML, by the schema's own `toDOM`. Everything is escaped, and a document the schema refuses is
 * not written at all: it throws a RangeError. `documentParser` makes the same document of it again.
 */
export function documentToHtml(document: DocumentJson, options: HtmlOptions = {}): string {
  return nodeToHtml(schema.nodeFromJSON(document), options);
}

/** The same of a node that was read already, by this schema or by one that has more. */
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
  // A figure has words below its picture, or none are drawn.
  if (node.type.name === "figure_caption" && node.content.size === 0) return;
  const instead = isPictureName(node.type.name) ? writer.options.instead?.(String(node.attrs.src)) : null;
  if (instead) {
    writer.out.push(`<span class="picture-elsewhere">${escapeHtml(instead)}</span>`);
    return;
  }
  const attributes = attributesFor(node, writer);
  const tags = tagsOf(node.type.spec.toDOM?.(node), attributes);
  const isFigure = /^figure(?:_pair)?$/.test(node.type.name);
  if (isFigure) writer.figures.push(node);
  writer.out.push(tags.open);
  writer.out.push(before(node, writer));
  if (node.type.spec.code) writeCode(node, writer);
  else if (node.type.name === "figure") writeMarked(node, writer);
  else if (node.inlineContent) writeInline(node, writer);
  else writeBlocks(node, writer);
  if (isFigure) writer.figures.pop();
  writer.out.push(behind(node, attributes, writer), tags.close);
}

/** What is drawn into a node before all that is in it; the parser leaves it out. */
function before(node: Node, { notes, options }: Writer): string {
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

/** A card leads to what it is of; what plays it is fetched when somebody asks for it. */
function cardOf({ attrs }: Node, { origin }: HtmlOptions): string {
  const { href, title, author, text } = attrs as EmbedCard & { href: string };
  const link = openTag("a", { href, rel: isOwnBlog(href, origin) ? null : "nofollow noopener ugc" });
  if (title === "" || blogAt(href) !== null) return `${link}${escapeHtml(href)}</a>`;
  const from = [author, embeddable(href)?.place].filter(Boolean).join(" · ");
  const said = text === "" ? "" : `<span>${escapeHtml(text)}</span>`;
  return `${link}<strong>${escapeHtml(title)}</strong>${said}<small>${escapeHtml(from)}</small></a>`;
}

/** The same behind all that is in it. */
function behind(node: Node, { id }: Attributes, { notes, options }: Writer): string {
  if (typeof id !== "string") return "";
  if (node.type.name === "footnote") return notes.wayBack(node);
  // Without words, so that nobody who copies a heading has them, nor hears them with each: it is for the pointer.
  return options.headingLinks
    ? `${openTag("a", { class: "heading-link", href: `#${id}`, "aria-hidden": "true", tabindex: "-1" })}</a>`
    : "";
}

/** What published HTML has beyond the schema's `toDOM`. */
function attributesFor(node: Node, writer: Writer): Attributes {
  if (node.type.name === "heading" && writer.options.headingIds !== false)
    return { id: writer.idFor(node.textContent), ...spacesOf(node) };
  if (node.type.name === "footnote" && writer.options.headingIds !== false)
    return { id: writer.notes.idOf(node) };
  if (node.type.name === "embed") {
    const { href, title } = node.attrs as EmbedCard & { href: string };
    const { origin } = writer.options;
    // Of a blog of the site its readers see what each of them may: their page asks for it.
    if (isOwnBlog(href, origin)) return { "data-blog": blogAt(href, origin) };
    return title === "" ? {} : { "data-frame": embeddable(href)?.frame };
  }
  if (isPictureName(node.type.name)) return imageAttributes(node, writer);
  if (node.type.name === "figure" && writer.figures.length > 0) return ratioIn(node, writer.options);
  return node.inlineContent && !node.type.spec.code ? spacesOf(node) : {};
}

/** What share of the row of a pair is a figure's, so that both are as high. */
function ratioIn({ firstChild }: Node, options: HtmlOptions): Attributes {
  const { src, width, height } = (firstChild?.attrs ?? {}) as {
    src: string;
    width: unknown;
    height: unknown;
  };
  const shape = width && height ? { width, height } : options.image?.(src);
  return shape ? { style: `--ratio: ${ratioOf(shape)};` } : {};
}

/** How wide a picture of a figure is drawn, for the browser to choose a file; null where it is as wide as the text. */
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
  const { textContent } = node;
  writer.out.push(textContent === "" || textContent.startsWith("\n") ? "\n" : "");
  writeMarked(node, writer);
  writer.out.push("\n");
}

function writeInline(parent: Node, writer: Writer): void {
  writeMarked(parent, writer);
  // A block without text, and a break at the end of one, are seen only with a break behind them.
  if (!parent.lastChild || parent.lastChild.type.name === "hard_break") writer.out.push("<br>");
}

function writeMarked(parent: Node, writer: Writer): void {
  const open: { mark: Mark; close: string }[] = [];
  for (const node of parent.children) {
    const marks = drawnMarks(node);
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

/** A sign for a note is a link by itself. */
const drawnMarks = ({ type, marks }: Node): readonly Mark[] =>
  type.name === "footnote_ref" ? marks.filter((mark) => mark.type.name !== "link") : marks;

function linkAttributes(mark: Mark, { origin }: HtmlOptions): Attributes {
  if (mark.type.name !== "link" || !origin) return {};
  const href = String(mark.attrs.href);
  return href === origin || href.startsWith(`${origin}/`) ? { rel: null } : {};
}

const isOwnBlog = (href: string, origin: string | undefined): boolean =>
  origin !== undefined && blogAt(href, origin) !== null;

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

/** The tags of a mark around a piece of text. */
export const markTags = (mark: Mark): { open: string; close: string } =>
  tagsOf(mark.type.spec.toDOM?.(mark, true), {});

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

const characters: Record<string, string> = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** Text as it may stand in HTML, in a double-quoted attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** The same text again. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]!);
