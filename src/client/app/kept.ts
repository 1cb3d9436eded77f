import { keptPage } from "../blogs/kept-page.ts";
import type { KeptTable } from "../live/kept.ts";
import { keptViewer } from "../session/kept-viewer.ts";

/** How the answers are kept that any page may show (docs/decisions/0018); the rows of the others come with the code that shows them (`keepAlso`). */
export const liveTable: KeptTable = {
  ...keptPage,
  ...keptViewer,
};
