import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and until the page's script has taken over; what needs the script waits for it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
