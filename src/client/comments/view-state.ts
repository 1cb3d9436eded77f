import { useCallback, useEffect, useState } from "react";
import type { Dispatch, SetStateAction } from "react";
import { useLocation } from "react-router-dom";
import type { WindowStart } from "./row-window.ts";

/** The folded threads, and the first rendered row of a long list. */
export interface View {
  folded: ReadonlySet<string>;
  start: WindowStart | null;
}

const initialView: View = { folded: new Set(), start: null };

/** By history entry, for going back. Never written on the server. */
const viewsByEntry = new Map<string, View>();

export function useView(): {
  view: View;
  setFolded: Dispatch<SetStateAction<ReadonlySet<string>>>;
  setStart: (start: WindowStart | null) => void;
} {
  const { key } = useLocation();
  const [view, setView] = useState(() => viewsByEntry.get(key) ?? initialView);
  useEffect(() => void viewsByEntry.set(key, view), [key, view]);
  return {
    view,
    setFolded: useCallback(
      (change) =>
        setView((before) => ({
          ...before,
          folded: typeof change === "function" ? change(before.folded) : change,
        })),
      [],
    ),
    setStart: useCallback((start) => setView((before) => ({ ...before, start })), []),
  };
}
