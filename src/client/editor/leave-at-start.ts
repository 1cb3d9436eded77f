import { undoInputRule } from "prosemirror-inputrules";
import { chainCommands } from "prosemirror-commands";
import type { Command } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";

/** Keys that leave the text at its start: Backspace before the first character, ArrowUp in the first line. */
export function leaveAtStartKeys(leave: () => void): Record<string, Command> {
  const isFirst: Command = ({ selection: { $from, empty }, doc }) =>
    empty && $from.depth === 1 && $from.parent === doc.firstChild;
  const back: Command = (state, dispatch) => {
    const { $from } = state.selection;
    // Otherwise Backspace first makes the block plain.
    const isPlain = $from.parent.type === schema.nodes.paragraph && !$from.parent.attrs.indent;
    if (!isFirst(state) || !isPlain || $from.parentOffset > 0) return false;
    if (dispatch) leave();
    return true;
  };
  const up: Command = (state, dispatch, view) => {
    const isText = [schema.nodes.paragraph, schema.nodes.heading].includes(state.selection.$from.parent.type);
    if (!isFirst(state) || !isText || !view?.endOfTextblock("up")) return false;
    if (dispatch) leave();
    return true;
  };
  return { Backspace: chainCommands(undoInputRule, back), ArrowUp: up };
}
