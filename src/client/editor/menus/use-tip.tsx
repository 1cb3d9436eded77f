import { Tooltip, useTooltipStore } from "@ariakit/react/tooltip";
import { useRef, useState } from "react";
import type { FocusEvent, PointerEvent } from "react";

/** One tooltip for a whole bar: shows `data-tip` of the control under the pointer or with keyboard focus. */
export function useTip() {
  const tooltip = useTooltipStore({ placement: "bottom", timeout: 400 });
  const [text, setText] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = (target: EventTarget, delay: number) => {
    clearTimeout(timer.current);
    const control = target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
    if (!control) {
      tooltip.hide();
      return;
    }
    timer.current = setTimeout(() => {
      setText(control.dataset.tip!);
      tooltip.setAnchorElement(control);
      tooltip.show();
    }, delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    tooltip.hide();
  };
  return {
    tip: (
      <Tooltip store={tooltip} className="editor-tip" gutter={6} portal unmountOnHide aria-hidden>
        {text}
      </Tooltip>
    ),
    tipProps: {
      onPointerOver: (event: PointerEvent) => {
        if (event.pointerType === "mouse") show(event.target, tooltip.getState().open ? 0 : 500);
      },
      onPointerLeave: hide,
      onPointerDown: hide,
      onFocus: (event: FocusEvent) => {
        if (event.target instanceof Element && event.target.matches("[data-focus-visible], :focus-visible"))
          show(event.target, 0);
      },
      onBlur: hide,
    },
  };
}
