import type { Node as DocumentNode } from "prosemirror-model";
import type { Block, MarkdownReader } from "../block.ts";
import { RefusedValue } from "../document-error.ts";
import { hasClass } from "../dom.ts";
import { indented } from "../markdown-signs.ts";
import { noteKey, toNoteKey } from "../note-keys.ts";
import { straightenNotes } from "./footnote-reading.ts";

function isNoteKey(value: unknown): void {
  if (value === null || noteKey(value) !== value)
    throw new RefusedValue("This text has a footnote whose name is not allowed.");
}

// No note has this key.
const noteAttrs = { note: { default: "0", validate: isNoteKey } };

// footnote-reading.ts converts other programs' footnotes.
const noteOf = (dom: Element) => {
  const note = noteKey(dom.getAttribute("data-note"));
  return note !== null && { note };
};

const noteIn = ({ attrs }: DocumentNode): string => String(attrs.note);

/** References in the text and notes below it, connected by keys. Notes are numbered by the order of their references. */
export const footnoteBlock = {
  nodes: {
    footnotes: {
      group: "block",
      content: "footnote+",
      defining: true,
      parseDOM: [
        {
          tag: "section",
          getAttrs: (dom) => (hasClass(dom, "footnotes") ? {} : false),
          contentElement: (dom) => (dom.firstElementChild ?? dom) as HTMLElement,
        },
      ],
      toDOM: () => ["section", { class: "footnotes" }, ["ol", 0]],
      markdown: (node, out) =>
        node.children
          .map((note) => `[^${noteIn(note)}]: ${indented(out.within().blocks(note), "    ")}`)
          .join("\n\n"),
    },

    footnote: {
      content: "block+",
      attrs: noteAttrs,
      defining: true,
      parseDOM: [{ tag: "li", priority: 60, context: "footnotes/", getAttrs: noteOf }],
      toDOM: (node) => ["li", { "data-note": node.attrs.note as string }, 0],
      html: {
        attributes: (node, { options, notes }) =>
          options.headingIds === false ? {} : { id: notes.idOf(node), value: notes.startOf(node) },
        after: (node, { notes }, { id }) => (typeof id === "string" ? notes.backLink(node) : ""),
      },
    },

    footnote_ref: {
      group: "inline",
      inline: true,
      attrs: noteAttrs,
      marks: "",
      parseDOM: [
        {
          tag: "sup",
          priority: 60,
          getAttrs: (dom) => (hasClass(dom, "footnote-ref") ? noteOf(dom) : false),
        },
      ],
      toDOM: (node) => ["sup", { class: "footnote-ref", "data-note": node.attrs.note as string }],
      html: { before: (node, { options, notes }) => notes.sign(node, options.headingIds !== false) },
      markdown: (node) => `[^${noteIn(node)}]`,
      // It is already one.
      refusesMark: (name) => name === "link",
    },
  },
  fromMarkdown: writeInOurForm,
  straighten: straightenNotes,
} satisfies Block;

type Tokens = ReturnType<MarkdownReader["parse"]>;

/** Writes the footnotes of `markdown-it-footnote` in the form that the parser reads. */
function writeInOurForm({ renderer: { rules } }: MarkdownReader): void {
  const keyOf = (tokens: Tokens, at: number): string => {
    const { id, label } = tokens[at]!.meta as { id: number; label?: string };
    const key = label === undefined ? null : toNoteKey(label);
    // A label that changes when it becomes a key could collide with another.
    return key !== null && key === label && !/^note-\d+$/.test(key) ? key : `note-${id + 1}`;
  };
  rules.footnote_ref = (tokens, at) => `<sup class="footnote-ref" data-note="${keyOf(tokens, at)}"></sup>`;
  rules.footnote_anchor = () => "";
  rules.footnote_block_open = () => `<section class="footnotes"><ol>\n`;
  rules.footnote_block_close = () => "</ol></section>\n";
  rules.footnote_open = (tokens, at) => `<li data-note="${keyOf(tokens, at)}">`;
  rules.footnote_close = () => "</li>\n";
}
