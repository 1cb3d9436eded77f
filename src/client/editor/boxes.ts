import { lift, wrapIn } from "prosemirror-commands";
import type { Attrs, NodeType } from "prosemirror-model";
import type { Command } from "prosemirror-state";
import { ancestor, inEachCell } from "./commands.ts";

/** Wraps the selection in a box, changes the box's attributes, or lifts its content out. */
export function toggleBox(type: NodeType, attrs: Attrs | null = null): Command {
  const toggle: Command = (state, dispatch) => {
    const box = ancestor(state, type);
    if (!box) return wrapIn(type, attrs)(state, dispatch);
    if (!box.node.hasMarkup(type, attrs)) {
      dispatch?.(state.tr.setNodeMarkup(box.pos, null, attrs));
      return true;
    }
    const inner = state.doc.resolve(box.pos + 1);
    const range = inner.blockRange(
      state.doc.resolve(box.pos + box.node.nodeSize - 1),
      (node) => node === box.node,
    );
    if (!range) return lift(state, dispatch);
    dispatch?.(state.tr.lift(range, box.depth - 1).scrollIntoView());
    return true;
  };
  return inEachCell(toggle, (state) => ancestor(state, type)?.node.hasMarkup(type, attrs) ?? false);
}
