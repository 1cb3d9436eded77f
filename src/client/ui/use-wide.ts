import { useCallback, useSyncExternalStore } from "react";

/** Whether the window is as this media query says: for what is another thing in a wide one, and not only looks otherwise. */
export function useWide(query: string): boolean {
  const follow = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    follow,
    () => window.matchMedia(query).matches,
    () => true,
  );
}
