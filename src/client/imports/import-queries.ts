import type { ImportReport, ImportRun } from "../../shared/imports.ts";
import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** The progress of imports, in every window of the account. */
registerLiveQueries({
  "imports.list": liveQuery<{ runs: ImportRun[] }>({
    topics: () => ["me"],
    on: { "viewer.importsChanged": refetch },
  }),
  "imports.report": liveQuery<{ report: ImportReport | null }>({
    topics: () => ["me"],
    on: { "viewer.importsChanged": refetch },
  }),
});
