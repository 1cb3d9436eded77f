import { useEffect } from "react";
import { fullTitle } from "./head.ts";
import { useSite } from "./site.ts";

/** Keeps the window's title at what the page shows by now; `prefetch` gives it first. */
export function useTitle(title: string | undefined): void {
  const { name } = useSite();
  useEffect(() => {
    if (title !== undefined) document.title = fullTitle({ title }, name);
  }, [title, name]);
}
