import { useEffect } from "react";
import type { Viewer } from "../../shared/users.ts";
import { fetchCode } from "../app/fetch-code.ts";
import { useNews } from "../social/use-news.ts";
import { DeleteAccountHost } from "./delete-account.tsx";

/** What every page of a member has beside what it shows; loaded after the page itself. */
export default function MemberParts({ viewer }: { viewer: Viewer }) {
  useNews(viewer);
  useEffect(() => whenIdle(fetchBarParts), []);
  return <DeleteAccountHost viewer={viewer} />;
}

/** What opens from the bar, for most members sooner or later: it is here when they ask for it. */
function fetchBarParts(): void {
  const parts = matchMedia("(min-width: 64rem)").matches
    ? [() => import("../social/notices-popover.tsx"), () => import("../ui/menu-popup.tsx")]
    : [() => import("../app/menu-sheet.tsx")];
  // Where one can't be had now, asking for it will tell.
  for (const part of parts) fetchCode<unknown>(part).catch(() => {});
}

/** Safari has no idle callbacks. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act);
  return () => cancelIdleCallback(handle);
}
