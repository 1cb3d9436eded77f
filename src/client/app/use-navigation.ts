import { createContext, useContext, useSyncExternalStore } from "react";
import type { Navigation } from "./navigation.ts";

export const NavigationContext = createContext<Navigation | null>(null);

/** The browser's navigation, for what React Router does not know: `reload()`. Null on the server. */
export const useNavigation = (): Navigation | null => useContext(NavigationContext);

const nothing = () => () => {};

/** Whether the next page is being loaded. */
export function usePending(): boolean {
  const navigation = useNavigation();
  return useSyncExternalStore(
    navigation?.subscribe ?? nothing,
    () => navigation?.pending() ?? false,
    () => false,
  );
}
