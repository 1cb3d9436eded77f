import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** False in the server and until hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
