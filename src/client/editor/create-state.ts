import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { history } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import type { Command, Plugin } from "prosemirror-state";
import { tableEditing } from "prosemirror-tables";
import { noteNumbers } from "./footnotes.ts";
import { figuresPlugin } from "./figures/figures-plugin.ts";
import { markdownRules } from "./input-rules.ts";
import { keys } from "./keys.ts";
import { lineEndsPlugin } from "./line-ends.ts";
import { pasteCells } from "./table-keys.ts";
import { linkedWords } from "./typed-links.ts";

/** `more`: keys and plugins that need the page, and the language for smart quotes and dashes. */
export function createState(
  document: Node,
  more: { keys?: Record<string, Command>; plugins?: Plugin[]; language?: () => string | null } = {},
): EditorState {
  return EditorState.create({
    doc: document,
    plugins: [
      ...(more.plugins ?? []),
      figuresPlugin(),
      linkedWords(),
      markdownRules(more.language ?? (() => null)),
      keys(more.keys ?? {}),
      noteNumbers(),
      lineEndsPlugin(),
      pasteCells(),
      tableEditing(),
      history({ depth: 1000 }),
      dropCursor({ color: false, class: "editor-drop" }),
      gapCursor(),
    ],
  });
}
