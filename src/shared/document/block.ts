import type MarkdownIt from "markdown-it";
import type { Node, NodeSpec } from "prosemirror-model";
import type { Attributes } from "./html-tags.ts";
import type { Notes } from "./notes.ts";
import type { HtmlOptions } from "./to-html.ts";

export type MarkdownReader = InstanceType<typeof MarkdownIt>;

/** A kind of block; `blocks.ts` lists all of them. The editor's part of it is in `client/editor/blocks`. */
export interface Block {
  nodes: Record<string, BlockNode>;
  /** Adds its signs to the reader of Markdown, which writes HTML for `parseDOM`. */
  fromMarkdown?: (markdown: MarkdownReader) => void;
  /** Brings HTML of other programs into the form that `parseDOM` reads. Our own HTML stays unchanged. */
  straighten?: (root: globalThis.Node) => void;
}

/** A node's specification. Its `toDOM` is for the editor, readers and old Quill clients. */
export interface BlockNode extends NodeSpec {
  html?: HtmlParts;
  /** Returns the node as Markdown. Where it returns null or is missing, the node is written as HTML. */
  markdown?: (node: Node, out: MarkdownWriter, beside: Neighbours) => string | null;
  /** Returns the text in the node's attributes. Text in its content is read without it. */
  text?: (attrs: Record<string, unknown>) => string;
  /** Returns the attributes to store, from those received. */
  stored?: (attrs: Record<string, unknown>) => Record<string, unknown>;
  /** Whether the node cannot have this mark although the schema allows it. */
  refusesMark?: (name: string) => boolean;
  /** Throws `RefusedValue` for what the schema allows and limits do not. */
  check?: (node: Node) => void;
}

/** What published HTML has beyond `toDOM`; the parser drops it. */
interface HtmlParts {
  attributes?: (node: Node, page: HtmlPage) => Attributes;
  /** HTML before and after its content. */
  before?: (node: Node, page: HtmlPage) => string;
  after?: (node: Node, page: HtmlPage, attributes: Attributes) => string;
  /** HTML in its place; null for none. */
  instead?: (node: Node, page: HtmlPage) => string | null;
}

/** The document that is written as HTML. */
export interface HtmlPage {
  options: HtmlOptions;
  /** Returns the id of a heading with this text. */
  idFor: (text: string) => string;
  notes: Notes;
  /** The nodes around what is written, the innermost last. */
  parents: readonly Node[];
}

/** The nodes beside one in a line. */
export interface Neighbours {
  before: Node | null;
  behind: Node | null;
}

/** Writes Markdown in one place of a document. */
export interface MarkdownWriter {
  /** Whether it is in a list, a quotation or a note, where site generators recognize no HTML of several lines and no fence. */
  readonly isWithin: boolean;
  /** The bullet, another than the list right before has. */
  readonly bullet: "-" | "*";
  picture: (src: string) => string;
  /** Writes the blocks in a node. */
  blocks: (parent: Node, between?: string) => string;
  /** Writes the line in a node. */
  line: (parent: Node) => string;
  /** Writes a block as one line of HTML. */
  html: (block: Node) => string;
  /** Returns the writer for the content of a list, a quotation or a note. */
  within: () => MarkdownWriter;
}
