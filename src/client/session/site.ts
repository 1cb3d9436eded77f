import { createContext, useContext } from "react";
import type { SiteFacts } from "../../shared/users.ts";

export const SiteContext = createContext<SiteFacts | undefined>(undefined);

/** The site's own facts; each page brings them along. */
export function useSite(): SiteFacts {
  const site = useContext(SiteContext);
  if (!site) throw new Error("The page was shown without the site's facts.");
  return site;
}
