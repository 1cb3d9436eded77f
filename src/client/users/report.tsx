import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import type { Target } from "../../shared/moderation.ts";
import { onDemand } from "../ui/on-demand.tsx";

/** What is reported, and how it is called in the question. */
export interface Reportable extends Target {
  /** A blog's title, or whose comment or profile it is. */
  name: string;
  /** It is one's own, and moderators took it back: they are asked to look again. */
  appeal?: boolean;
}

let asked: Reportable | null = null;
const listeners = new Set<() => void>();
const become = (next: Reportable | null): void => {
  asked = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Opens the dialog that tells the moderators of something; the menus of blogs, comments and profiles lead here. */
export const askToReport = (what: Reportable): void => become(what);

const ReportDialog = onDemand(() => import("./report-dialog.tsx"));

/** Where it is shown; app/member-parts.tsx holds the one there is. */
export function ReportHost() {
  const what = useSyncExternalStore(
    subscribe,
    () => asked,
    () => null,
  );
  const { key } = useLocation();
  useEffect(() => () => become(null), [key]);
  return what && <ReportDialog what={what} onClose={() => become(null)} onFail={() => become(null)} />;
}
