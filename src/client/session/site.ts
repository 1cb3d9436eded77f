import { createContext, useContext } from "react";
import type { SiteInfo } from "../../shared/users.ts";

export const SiteContext = createContext<SiteInfo | undefined>(undefined);

/** Returns the site's facts, which come with each page. */
export function useSite(): SiteInfo {
  const site = useContext(SiteContext);
  if (!site) throw new Error("The page was shown without the site's facts.");
  return site;
}
