import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in the server and until hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
