import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { DecorationSet } from "prosemirror-view";

/** Shows with a text what follows from all of it and stands in no document. Looked for anew with each change. */
export const drawnOver = (decorations: (doc: Node) => DecorationSet): Plugin<DecorationSet> =>
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
