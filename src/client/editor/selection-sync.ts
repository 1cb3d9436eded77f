import { Plugin } from "prosemirror-state";

type Ends = readonly [anchor: Node | null, number, focus: Node | null, number];

function endsNow(): Ends {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection()!;
  return [anchorNode, anchorOffset, focusNode, focusOffset];
}

/**
 * Makes keys and the clipboard apply to the current selection. Browsers report it with the next frame: on a busy page a key
 * comes earlier, and would apply to the caret before a click or a jump to the end.
 */
export function selectionSyncPlugin(): Plugin {
  let lastEnds: Ends | undefined;
  const read = (_view: unknown, event: KeyboardEvent | InputEvent | ClipboardEvent): boolean => {
    const now = endsNow();
    const isComposing = "isComposing" in event && event.isComposing;
    if (!isComposing && now.some((end, at) => end !== lastEnds?.[at]))
      document.dispatchEvent(new Event("selectionchange"));
    return false;
  };
  return new Plugin({
    view: () => {
      const recordEnds = () => (lastEnds = endsNow());
      document.addEventListener("selectionchange", recordEnds);
      return { destroy: () => document.removeEventListener("selectionchange", recordEnds) };
    },
    props: { handleDOMEvents: { keydown: read, beforeinput: read, copy: read, cut: read, paste: read } },
  });
}
