import { Plugin, PluginKey } from "prosemirror-state";
import type { EditorState } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";

/** A slash at the start of a paragraph, and what was typed behind it. */
export interface Slash {
  /** Position of the slash. */
  from: number;
  query: string;
}

/** How the menu takes part in the keyboard while it is open. */
export interface SlashKeys {
  move(by: 1 | -1): void;
  /** False where there is nothing to choose. */
  choose(): boolean;
}

const key = new PluginKey<Slash | null>("slash");

/** What the slash in this paragraph asks for; null where the paragraph says anything else. */
function slashAt(state: EditorState, from: number): Slash | null {
  const { $from, empty } = state.selection;
  if (
    !empty ||
    $from.parent.type !== schema.nodes.paragraph ||
    $from.start() !== from ||
    $from.pos !== $from.end()
  )
    return null;
  const match = /^\/([\p{L}\p{N} ]{0,20})$/u.exec($from.parent.textContent);
  return match ? { from, query: match[1]!.trim().toLowerCase() } : null;
}

/** Opens a menu for a slash that is typed into an empty paragraph. Escape closes it and leaves the slash as text. */
export function slashPlugin(onSlash: (slash: Slash | null) => void, keys: () => SlashKeys | null): Plugin {
  return new Plugin<Slash | null>({
    key,
    state: {
      init: () => null,
      apply(tr, slash, _before, state) {
        const meta = tr.getMeta(key) as { at: number } | "close" | undefined;
        if (meta === "close") return null;
        const from = meta?.at ?? slash?.from;
        return from === undefined ? null : slashAt(state, from);
      },
    },
    view: () => ({
      update(view, before) {
        const slash = key.getState(view.state) ?? null;
        if (slash !== key.getState(before)) onSlash(slash);
      },
    }),
    props: {
      handleTextInput(view, from, to, text) {
        const { parent } = view.state.doc.resolve(from);
        if (text !== "/" || from !== to || parent.type !== schema.nodes.paragraph || parent.content.size > 0)
          return false;
        view.dispatch(view.state.tr.insertText("/", from).setMeta(key, { at: from }).scrollIntoView());
        return true;
      },
      handleKeyDown(view, event) {
        const open = key.getState(view.state) ? keys() : null;
        if (!open || event.ctrlKey || event.metaKey || event.altKey) return false;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          open.move(event.key === "ArrowDown" ? 1 : -1);
          return true;
        }
        if (event.key === "Enter" || event.key === "Tab") return open.choose();
        if (event.key !== "Escape") return false;
        view.dispatch(view.state.tr.setMeta(key, "close"));
        return true;
      },
      handleDOMEvents: {
        blur: (view) => {
          if (key.getState(view.state)) view.dispatch(view.state.tr.setMeta(key, "close"));
        },
      },
    },
  });
}
