import { useEffect } from "react";

const maxDelayMs = 400;
const maxDistancePx = 12;

/**
 * Drops the second of two quick clicks in one place if it hits another control: one that has just moved under the pointer was
 * not meant.
 */
export function useDoubleClickGuard(): void {
  useEffect(() => {
    let last: { control: Element; x: number; y: number; at: number } | undefined;
    const guard = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || event.detail === 0) return; // Keyboard clicks have no position.
      const control = event.target.closest("button, a") ?? event.target;
      const { clientX: x, clientY: y, timeStamp: at } = event;
      const isSecond =
        last &&
        at - last.at < maxDelayMs &&
        Math.abs(x - last.x) < maxDistancePx &&
        Math.abs(y - last.y) < maxDistancePx;
      if (isSecond && last?.control !== control) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (event.type === "click") last = { control, x, y, at };
    };
    // A mousedown moves the focus.
    for (const kind of ["mousedown", "click"] as const) document.addEventListener(kind, guard, true);
    return () => {
      for (const kind of ["mousedown", "click"] as const) document.removeEventListener(kind, guard, true);
    };
  }, []);
}
