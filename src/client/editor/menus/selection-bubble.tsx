import { Popover, usePopoverStore } from "@ariakit/react/popover";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "../../ui/external-store.ts";
import type { Bubble } from "./bubble.ts";
import type { Editor } from "../create-editor.ts";
import { barProps } from "./block-bar.tsx";
import { selectionRect } from "./popover.tsx";
import { barsOf } from "./visible-area.ts";
import { LinkButton, ToolButton } from "./tool-button.tsx";
import { tools } from "./tools.ts";
import { useTip } from "./use-tip.tsx";

const gap = 8;
const sides = ["top", "right", "bottom", "left"] as const;

/** Pixels covered by bars and page margins: the bubble stays over the text. */
function coveredBy(editor: Editor): Record<(typeof sides)[number], number> {
  const { dom } = editor.view;
  const { left, right } = dom.getBoundingClientRect();
  const { header, bar, isBarAbove } = barsOf(editor);
  const height = window.visualViewport?.height ?? window.innerHeight;
  return {
    top: Math.round(isBarAbove ? Math.max(header, bar.bottom) : header),
    right: Math.max(0, Math.floor(document.documentElement.clientWidth - right)),
    bottom: isBarAbove ? 0 : Math.max(0, Math.round(height - bar.top)),
    left: Math.max(0, Math.floor(left)),
  };
}

/**
 * The most used tools, above the selection; on touch screens below it, since the system's menu is above. The text keeps the
 * focus; keyboard users have the toolbar.
 */
export function SelectionBubble({ editor, bubble }: { editor: Editor; bubble: Bubble }) {
  const facts = useStore(editor.facts);
  const { tip, tipProps } = useTip();
  const element = useRef<HTMLDivElement>(null);
  const [covered, setCovered] = useState(() => coveredBy(editor));
  const [isTouch] = useState(() => matchMedia("(pointer: coarse)").matches);
  const popover = usePopoverStore({ open: true, placement: isTouch ? "bottom" : "top" });

  useLayoutEffect(() => popover.render(), [popover, bubble]);
  useEffect(() => {
    const { dom } = editor.view;
    popover.setAnchorElement(dom);
    // Tables scroll within the text.
    dom.addEventListener("scroll", popover.render, { capture: true, passive: true });
    return () => dom.removeEventListener("scroll", popover.render, { capture: true });
  }, [editor, popover]);

  const own = { editor, facts };
  return (
    <>
      <Popover
        store={popover}
        ref={element}
        {...barProps}
        aria-label="Selected text"
        className="editor-bubble popup row wrap"
        gutter={isTouch ? 28 : gap}
        overflowPadding={{ ...covered, top: covered.top + gap, bottom: covered.bottom + gap }}
        getAnchorRect={() => {
          // Its visible part.
          const { x, width, top, bottom } = selectionRect(editor);
          const visible = { top: covered.top, bottom: window.innerHeight - covered.bottom };
          element.current?.toggleAttribute("data-away", bottom < visible.top || top > visible.bottom);
          const y = Math.max(top, visible.top);
          return { x, width, y, height: Math.max(0, Math.min(bottom, visible.bottom) - y) };
        }}
        updatePosition={({ updatePosition }) => {
          const now = coveredBy(editor);
          if (sides.some((side) => now[side] !== covered[side])) setCovered(now);
          return updatePosition();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          editor.view.focus();
          bubble.dismiss();
        }}
        {...tipProps}
      >
        <ToolButton {...own} tool={tools.bold} />
        <ToolButton {...own} tool={tools.italic} />
        <LinkButton {...own} />
        <ToolButton {...own} tool={tools.heading2} />
        <ToolButton {...own} tool={tools.quote} />
      </Popover>
      {tip}
    </>
  );
}
