import type { ImportReport, ImportRun } from "../../shared/imports.ts";
import { askAgain, kept } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";

/** How far an import is, in whichever window one looks. */
keepAlso({
  "imports.list": kept<{ runs: ImportRun[] }>({
    topics: () => ["me"],
    on: { "viewer.importsChanged": askAgain },
  }),
  "imports.report": kept<{ report: ImportReport | null }>({
    topics: () => ["me"],
    on: { "viewer.importsChanged": askAgain },
  }),
});
