import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import type { Target } from "../../shared/moderation.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";
import { onDemand } from "../ui/on-demand.tsx";

export interface Reportable extends Target {
  /** A blog's title, or the name of the comment's author or of the person. */
  name: string;
  /** Requests a review: the viewer's own, taken down by moderators. */
  appeal?: boolean;
}

const reportTarget = new ExternalStore<Reportable | null>(null);

/** Opens the dialog that reports to the moderators. */
export const askToReport = (target: Reportable): void => reportTarget.set(target);

const ReportDialog = onDemand(() => import("./report-dialog.tsx"));

/** The one place for the dialog, in app/member-effects.tsx. */
export function ReportHost() {
  const target = useStore(reportTarget);
  const { key } = useLocation();
  useEffect(() => () => reportTarget.set(null), [key]);
  return target && <ReportDialog target={target} onClose={() => reportTarget.set(null)} />;
}
