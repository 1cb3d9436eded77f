import type { SiteFacts } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";

/** The site's own facts; each page brings them along. */
export function useSite(): SiteFacts {
  const { data } = trpc.users.site.useQuery();
  if (!data) throw new Error("The page was shown without the site's facts.");
  return data;
}
