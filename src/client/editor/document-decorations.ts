import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { DecorationSet } from "prosemirror-view";

/** Decorations that depend on the whole document, recomputed with each change. */
export const documentDecorations = (decorations: (doc: Node) => DecorationSet): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    state: {
      init: (_, { doc }) => decorations(doc),
      apply: (tr, before) => (tr.docChanged ? decorations(tr.doc) : before),
    },
    props: {
      decorations(state) {
        return this.getState(state);
      },
    },
  });
