import type { SiteFacts } from "../../shared/users.ts";
import type { PageFacts } from "./page.ts";

export const TAGLINE = "Write. Inspire. Repeat.";

/** What the window's title says. */
export function fullTitle({ title }: Pick<PageFacts, "title">, siteName: string): string {
  return title ? `${title} · ${siteName}` : `${siteName}: ${TAGLINE}`;
}

/** Brings the document's head up to date after a navigation; the first one is the server's. */
export function showHead(facts: PageFacts, site: SiteFacts | undefined): void {
  if (!site) return;
  document.title = fullTitle(facts, site.name);
  document.querySelector('meta[name="description"]')?.setAttribute("content", facts.description ?? TAGLINE);
  document
    .querySelector('link[rel="canonical"]')
    ?.setAttribute("href", site.publicUrl + (facts.canonical ?? location.pathname));
}
