import { useCallback, useEffect, useState } from "react";
import type { Dispatch, SetStateAction } from "react";
import { useLocation } from "react-router-dom";
import type { Start } from "./stretch.ts";

/** How the reader has the list before them: what they folded, and where what is drawn of a long one begins. */
export interface View {
  folded: ReadonlySet<string>;
  start: Start | null;
}

const fresh: View = { folded: new Set(), start: null };

/** By entry of the history, so that going back finds it as it was. Never touched on the server. */
const kept = new Map<string, View>();

export function useView(): {
  view: View;
  setFolded: Dispatch<SetStateAction<ReadonlySet<string>>>;
  setStart: (start: Start | null) => void;
} {
  const { key } = useLocation();
  const [view, setView] = useState(() => kept.get(key) ?? fresh);
  useEffect(() => void kept.set(key, view), [key, view]);
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
