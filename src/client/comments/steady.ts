import { useEffect } from "react";

const together = 400;
const near = 12;

/**
 * Drops the second of two quick clicks in one place where it meets something else than the first: what has just come
 * under the pointer (a button of the row that moved up, a form or a dialog that opened) was not meant.
 */
export function useSteadyClicks(): void {
  useEffect(() => {
    let last: { control: Element; x: number; y: number; at: number } | undefined;
    const guard = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || event.detail === 0) return; // Keys click, too; they have no place.
      const control = event.target.closest("button, a") ?? event.target;
      const { clientX: x, clientY: y, timeStamp: at } = event;
      const isSecond =
        last && at - last.at < together && Math.abs(x - last.x) < near && Math.abs(y - last.y) < near;
      if (isSecond && last?.control !== control) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (event.type === "click") last = { control, x, y, at };
    };
    // What is pressed would take the focus, too.
    for (const kind of ["mousedown", "click"] as const) document.addEventListener(kind, guard, true);
    return () => {
      for (const kind of ["mousedown", "click"] as const) document.removeEventListener(kind, guard, true);
    };
  }, []);
}
