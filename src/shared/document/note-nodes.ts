import type { NodeSpec } from "prosemirror-model";
import { hasClass } from "./dom.ts";
import { RefusedValue } from "./document-error.ts";
import { noteKey } from "./note-keys.ts";

function isNoteKey(value: unknown): void {
  if (value === null || noteKey(value) !== value)
    throw new RefusedValue("This text has a footnote whose name is not allowed.");
}

// What the default names is nobody's note.
const noteAttrs = { note: { default: "0", validate: isNoteKey } };

// How the notes of other programs come to look like these: straighten-notes.ts.
const noteOf = (dom: Element) => {
  const note = noteKey(dom.getAttribute("data-note"));
  return note !== null && { note };
};

/**
 * Footnotes: a sign in the text, and the notes below it, found by a key that both have. They are numbered by where they stand
 * in the list.
 */
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
