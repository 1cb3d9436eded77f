import { NodeSelection, Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { schema } from "../../shared/document/schema.ts";

const key = new PluginKey<boolean>("hints");

/** Shows the placeholder of an empty text, and the selection while the toolbar has the focus, where browsers hide it. */
export function hintsPlugin(invitation: string, hint: string): Plugin {
  return new Plugin<boolean>({
    key,
    state: {
      init: () => false,
      apply: (tr, away) => (tr.getMeta(key) as boolean | undefined) ?? away,
    },
    props: {
      decorations(state) {
        const { doc, selection } = state;
        const only = doc.firstChild;
        if (doc.childCount === 1 && only?.type === schema.nodes.paragraph && only.content.size === 0) {
          return DecorationSet.create(doc, [
            Decoration.node(0, only.nodeSize, {
              class: "editor-empty",
              "data-invitation": invitation,
              "data-hint": hint,
            }),
          ]);
        }
        if (!key.getState(state) || selection.empty || selection instanceof NodeSelection) return null;
        return DecorationSet.create(doc, [
          Decoration.inline(selection.from, selection.to, { class: "editor-held" }),
        ]);
      },
      handleDOMEvents: {
        focus: (view) => {
          if (key.getState(view.state))
            view.dispatch(view.state.tr.setMeta(key, false).setMeta("addToHistory", false));
        },
        blur: (view) => {
          // Later: ProseMirror is still reading the browser's selection.
          setTimeout(() => {
            if (
              !view.isDestroyed &&
              document.activeElement?.closest(".editor-bar, .editor-bubble, .editor-menu, .editor-popover")
            )
              view.dispatch(view.state.tr.setMeta(key, true).setMeta("addToHistory", false));
          });
        },
      },
    },
  });
}
