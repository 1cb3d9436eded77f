import { Plugin, PluginKey } from "prosemirror-state";
import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { schema } from "../../../shared/document/schema.ts";
import type { SlashItem } from "../block.ts";
import { blocks } from "../blocks.ts";

/** A slash at the start of a paragraph, and the text after it. */
export interface Slash {
  from: number;
  query: string;
  /** False when opened by a button. */
  isTyped: boolean;
}

/** The keys of the open menu. */
export interface SlashKeys {
  move(by: 1 | -1): void;
  /** Returns false without a choice. */
  choose(): boolean;
}

const key = new PluginKey<Slash | null>("slash");

/** Returns the query; null if the paragraph contains anything else. */
function slashAt(state: EditorState, from: number, isTyped: boolean): Slash | null {
  const { $from, empty } = state.selection;
  if (
    !empty ||
    $from.parent.type !== schema.nodes.paragraph ||
    $from.start() !== from ||
    $from.pos !== $from.end()
  )
    return null;
  const match = (isTyped ? /^\/([\p{L}\p{N} -]{0,20})$/u : /^([\p{L}\p{N} -]{0,20})$/u).exec(
    $from.parent.textContent,
  );
  return match ? { from, query: match[1]!.trim().toLowerCase(), isTyped } : null;
}

export const isSlashOpen = (state: EditorState): boolean => Boolean(key.getState(state));

/** Opens the menu in an empty paragraph without a slash. */
export function openSlash(view: EditorView): void {
  const { tr, selection } = view.state;
  view.dispatch(tr.setMeta(key, { at: selection.from, isTyped: false }));
}

/** Opens the menu for a slash typed into an empty paragraph. Escape closes it and leaves the slash. */
export function slashPlugin(onSlash: (slash: Slash | null) => void, keys: () => SlashKeys | null): Plugin {
  return new Plugin<Slash | null>({
    key,
    state: {
      init: () => null,
      apply(tr, slash, _before, state) {
        const meta = tr.getMeta(key) as { at: number; isTyped: boolean } | "close" | undefined;
        if (meta === "close") return null;
        // Other writers' changes above move it.
        const from = meta?.at ?? (slash ? tr.mapping.map(slash.from, -1) : undefined);
        return from === undefined ? null : slashAt(state, from, (meta ?? slash)!.isTyped);
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
        view.dispatch(
          view.state.tr.insertText("/", from).setMeta(key, { at: from, isTyped: true }).scrollIntoView(),
        );
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

/** Returns the items that match the text after the slash and can be inserted in its place. */
export function slashItems(state: EditorState, { from, query }: Slash): SlashItem[] {
  const items = blocks.flatMap((block) => block.items ?? []);
  const matching = items.filter(({ name, keywords }) => {
    const words = `${name} ${keywords}`.toLowerCase().split(" ");
    return words.some((word) => word.startsWith(query)) || name.toLowerCase().startsWith(query);
  });
  const withoutQuery = state.apply(state.tr.delete(from, state.selection.to));
  return matching.filter(
    ({ command, isHidden }) => !isHidden?.(state) && (!command || command(withoutQuery)),
  );
}
