import type { SearchTab } from "./search-params.ts";

/** The search stops counting here. */
const MOST = 1_000;

/** "12", "1,000+". */
export const shortCount = (total: number): string =>
  total >= MOST ? `${MOST.toLocaleString("en")}+` : String(total);

/** "12 blogs", "1 person", "No blogs". */
export function countText(total: number, tab: SearchTab): string {
  const [singular, plural] = tab === "blogs" ? ["blog", "blogs"] : ["person", "people"];
  if (total === 0) return tab === "blogs" ? "No blogs" : "Nobody";
  return `${shortCount(total)} ${total === 1 ? singular : plural}`;
}
