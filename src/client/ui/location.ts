import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from "react";

/** An entry of the history. */
export interface Location {
  pathname: string;
  search: string;
  hash: string;
  /** What was given along by whoever led here. */
  state: unknown;
  /** Names the entry. */
  key: string;
}

export interface NavigateOptions {
  /** Takes the place of the entry that is shown. */
  replace?: boolean;
  state?: unknown;
}

/** The ways from the page that is shown: the browser's are in app/navigation.ts, the server goes nowhere. */
export interface Navigation {
  /** Shows the page of an address on this site, or anywhere. Resolves when it is shown. */
  navigate: (to: string, options?: NavigateOptions) => Promise<void>;
  /** Loads the page that is shown anew, all its data too. */
  reload: () => Promise<void>;
  subscribe: (listener: () => void) => () => void;
  /** Whether the next page is being loaded. */
  pending: () => boolean;
}

/**
 * How a page takes the place of another one that a link leads on from: at once, or as `by` has it, which draws it in any case (cards/fade.ts).
 */
export const turning: { by?: (draw: () => void, to: string) => Promise<void> } = {};

/** Where the reader is. */
export interface Place {
  location: Location;
  params: Readonly<Record<string, string | undefined>>;
  navigation: Navigation;
}

/** What app.tsx gives to all it draws. */
export const PlaceContext = createContext<Place | null>(null);

function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (!place) throw new Error("Drawn outside of a page.");
  return place;
}

export const useLocation = (): Location => usePlace().location;

/** What stands in the address in place of the `:names` of its route. */
export const useParams = (): Place["params"] => usePlace().params;

export const useNavigation = (): Navigation => usePlace().navigation;

export const useNavigate = (): Navigation["navigate"] => useNavigation().navigate;

/** What the address asks for behind its question mark. */
export function useSearch(): URLSearchParams {
  const { search } = useLocation();
  return useMemo(() => new URLSearchParams(search), [search]);
}

/** `useNavigate` for after an answer: whoever has gone to another page meanwhile is led nowhere. */
export function useNavigateFromHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(
    (to, options) => {
      if (isHere.current) void navigate(to, options);
    },
    [navigate],
  );
}

/** Whether the next page is being loaded. */
export function usePending(): boolean {
  const { subscribe, pending } = useNavigation();
  return useSyncExternalStore(subscribe, pending, () => false);
}

/** What the part of an address behind its # names; null where there is no such element. */
export function elementAt(hash: string): HTMLElement | null {
  const name = hash.slice(1);
  try {
    return document.getElementById(decodeURIComponent(name));
  } catch {
    // "#100%" is no way to write anything else.
    return document.getElementById(name);
  }
}
