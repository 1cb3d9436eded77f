import type { NodeSpec } from "prosemirror-model";
import { hasClass } from "./dom.ts";
import { RefusedValue } from "./document-error.ts";
import { noteKey } from "./note-keys.ts";

function isNoteKey(value: unknown): void {
  if (value === null || noteKey(value) !== value)
    throw new RefusedValue("This text has a footnote whose name is not allowed.");
}

// No note has this key.
const noteAttrs = { note: { default: "0", validate: isNoteKey } };

// straighten-notes.ts converts other programs' footnotes.
const noteOf = (dom: Element) => {
  const note = noteKey(dom.getAttribute("data-note"));
  return note !== null && { note };
};

/** References in the text and notes below it, connected by keys. Notes are numbered by the order of their references. */
export const noteNodes = {
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
  },

  footnote: {
    content: "block+",
    attrs: noteAttrs,
    defining: true,
    parseDOM: [{ tag: "li", priority: 60, context: "footnotes/", getAttrs: noteOf }],
    toDOM: (node) => ["li", { "data-note": node.attrs.note as string }, 0],
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
  },
} satisfies Record<string, NodeSpec>;
