import { Popover, usePopoverStore } from "@ariakit/react/popover";
import type { PopoverProps } from "@ariakit/react/popover";
import { Toolbar } from "@ariakit/react/toolbar";
import { useEffect, useLayoutEffect, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import type { Editor } from "../create-editor.ts";
import { useTip } from "./use-tip.tsx";

/** Where the focus keeps the bars shown; their menus are elsewhere in the page. */
const near = ".editor-content, .editor-block-bar, .editor-menu";

/** Whether the text, a bar at a block or its menu has the focus. */
export function useIsNear(editor: Editor): boolean {
  const [isNear, setNear] = useState(() => editor.view.hasFocus());
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => setNear((target as Element).closest(near) !== null);
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, []);
  return isNear;
}

/** A bar beside the text, which keeps the focus and its selection. */
export const barProps: Partial<PopoverProps> = {
  render: <Toolbar />,
  role: "toolbar",
  portal: true,
  preserveTabOrder: false,
  overlap: true,
  autoFocusOnShow: false,
  autoFocusOnHide: false,
  hideOnEscape: false,
  hideOnInteractOutside: false,
  onMouseDown: (event) => event.preventDefault(),
};

interface Props {
  editor: Editor;
  label: string;
  className: string;
  placement?: "top" | "top-start" | "top-end" | "bottom-start";
  gutter?: number;
  /** It moves to the other side of a block without room for it there; otherwise over the block. */
  flips?: boolean;
  /** The block's rectangle. */
  rect: () => DOMRect;
  children: ReactNode;
}

/** Tools at the block with the caret. Escape returns to the text, Alt-F10 goes on to all tools. */
export function BlockBar({
  editor,
  label,
  className,
  placement = "top",
  gutter = 8,
  flips = true,
  rect,
  children,
}: Props) {
  const { tip, tipProps } = useTip();
  const popover = usePopoverStore({ open: true, placement });
  useLayoutEffect(() => popover.render());
  useEffect(() => popover.setAnchorElement(editor.view.dom), [editor, popover]);
  return (
    <>
      <Popover
        store={popover}
        {...barProps}
        aria-label={label}
        className={`editor-bubble editor-block-bar popup row wrap ${className}`}
        gutter={gutter}
        flip={flips}
        overflowPadding={{ top: 124, right: 8, bottom: 72, left: 8 }}
        getAnchorRect={rect}
        onKeyDown={(event) => onBarKey(event, editor)}
        {...tipProps}
      >
        {children}
      </Popover>
      {tip}
    </>
  );
}

/** Handles the keys that leave a bar at a block. */
export function onBarKey(event: KeyboardEvent<HTMLElement>, editor: Editor): void {
  // Events of its menus bubble through portals.
  if (!event.currentTarget.contains(event.target as Node)) return;
  if (event.key === "Escape") editor.view.focus();
  else if (event.key === "F10" && event.altKey) {
    event.preventDefault();
    editor.openToolbar();
  }
}

/** Moves the focus to the tools of the innermost block that has some. Returns false when there are none. */
export function toBlockBar(...bars: string[]): boolean {
  const first = bars
    .map((bar) => document.querySelector<HTMLElement>(`.${bar} .editor-tool`))
    .find((tool) => tool !== null);
  first?.focus();
  return first !== undefined;
}
