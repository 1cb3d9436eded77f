import { keptPage } from "../blogs/kept-page.ts";
import { keptBlogs } from "../blogs/kept.ts";
import { keptComments } from "../comments/kept.ts";
import type { KeptTable } from "../live/kept.ts";
import { keptSocial } from "../social/kept.ts";
import { keptUsers } from "../users/kept.ts";

/** How every answer that any page shows is kept: each area's rows (docs/decisions/0018). */
export const liveTable: KeptTable = {
  ...keptBlogs,
  ...keptPage,
  ...keptComments,
  ...keptSocial,
  ...keptUsers,
};
