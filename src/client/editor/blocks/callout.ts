import { InputRule } from "prosemirror-inputrules";
import type { Command } from "prosemirror-state";
import { findWrapping } from "prosemirror-transform";
import { calloutKind, type CalloutKind } from "../../../shared/document/blocks/callout.ts";
import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock } from "../block.ts";
import { toggleBox } from "../block-rules.ts";

const { nodes } = schema;

export const toggleCallout = (kind: CalloutKind): Command => toggleBox(nodes.callout, { kind });

/** GitHub's `[!NOTE]`, in a quote or alone. */
const rule = new InputRule(/^\[!(note|tip|important|warning|caution)\]$/i, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph) return null;
  const attrs = { kind: calloutKind(match[1]) };
  const tr = state.tr.delete(start, end);
  if ($start.depth > 1 && $start.index(-1) === 0 && $start.node(-1).type === nodes.blockquote)
    return tr.setNodeMarkup($start.before(-1), nodes.callout, attrs);
  const range = tr.doc.resolve(start).blockRange();
  const wrapping = range && findWrapping(range, nodes.callout, attrs);
  return wrapping ? tr.wrap(range, wrapping) : null;
});

export const calloutBlock: EditorBlock = {
  rules: [rule],
  items: [
    {
      name: "Note",
      keywords: "callout info box",
      icon: "M12 3.8a8.2 8.2 0 1 0 0 16.4 8.2 8.2 0 0 0 0-16.4zM12 11v5M12 7.8v.2",
      command: toggleCallout("note"),
    },
    {
      name: "Tip",
      keywords: "callout hint box",
      icon: "M9.5 17.5h5M10.5 20.5h3M9 14.5c-1.8-1.2-2.8-3-2.8-5a5.8 5.8 0 0 1 11.6 0c0 2-1 3.8-2.8 5v3H9z",
      command: toggleCallout("tip"),
    },
    {
      name: "Warning",
      keywords: "callout caution box",
      icon: "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.2",
      command: toggleCallout("warning"),
    },
  ],
};
