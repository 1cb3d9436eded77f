import type { EditorState } from "prosemirror-state";
import type { SlashItem } from "../block.ts";
import { blocks } from "../blocks.ts";
import type { Slash } from "./slash.ts";

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
