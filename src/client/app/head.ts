import { getQueryKey } from "@trpc/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { SiteFacts } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";

export const TAGLINE = "Write. Inspire. Repeat.";

export function fullTitle({ title }: Pick<PageFacts, "title">, siteName: string): string {
  return title ? `${title} · ${siteName}` : `${siteName}: ${TAGLINE}`;
}

/** Brings the document's head up to date after a navigation; the first one is the server's. */
export function showHead(facts: PageFacts, queryClient: QueryClient): void {
  const site = queryClient.getQueryData<SiteFacts>(getQueryKey(trpc.users.site, undefined, "query"));
  document.title = fullTitle(facts, site?.name ?? "Reprise");
  document.querySelector('meta[name="description"]')?.setAttribute("content", facts.description ?? TAGLINE);
  document.querySelector('link[rel="canonical"]')?.setAttribute("href", (site?.publicUrl ?? "") + (facts.canonical ?? location.pathname));
}
