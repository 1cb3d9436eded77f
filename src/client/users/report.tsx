import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import type { Target } from "../../shared/moderation.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";
import { onDemand } from "../ui/on-demand.tsx";

/** What is reported, and how it is called in the question. */
export interface Reportable extends Target {
  /** A blog's title, or whose comment or profile it is. */
  name: string;
  /** It is one's own, and moderators took it down: they are asked for a review. */
  appeal?: boolean;
}

const asked = new ExternalStore<Reportable | null>(null);

/** Opens the dialog that tells the moderators of something; the menus of blogs, comments and profiles lead here. */
export const askToReport = (what: Reportable): void => asked.set(what);

const ReportDialog = onDemand(() => import("./report-dialog.tsx"));

/** Where it is shown; app/member-parts.tsx holds the one there is. */
export function ReportHost() {
  const what = useStore(asked);
  const { key } = useLocation();
  useEffect(() => () => asked.set(null), [key]);
  return what && <ReportDialog what={what} onClose={() => asked.set(null)} onFail={() => asked.set(null)} />;
}
