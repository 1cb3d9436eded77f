import { useEffect } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router-dom";
import type { SiteInfo } from "../../shared/users.ts";
import { errorCode } from "../api/errors.ts";
import { useSite } from "../session/site.ts";
import type { PageFacts } from "./page.ts";

/** Returns the window's title. */
export function fullTitle({ title }: Pick<PageFacts, "title">, site: SiteInfo): string {
  return title ? `${title} · ${site.name}` : `${site.name}: ${site.description}`;
}

/** Returns a page's canonical URL. */
export const canonicalUrlOf = ({ canonical }: PageFacts, { publicUrl }: SiteInfo, path: string): string =>
  canonical ? new URL(canonical, publicUrl).href : publicUrl + path;

/** Updates the document's head after a navigation; the server writes the first one. */
export function updateHead(facts: PageFacts, site: SiteInfo | undefined): void {
  if (!site) return;
  document.title = fullTitle(facts, site);
  document
    .querySelector('meta[name="description"]')
    ?.setAttribute("content", facts.description || site.description);
  document
    .querySelector('link[rel="canonical"]')
    ?.setAttribute("href", canonicalUrlOf(facts, site, location.pathname));
}

/** Updates the window's title when the page's data change. */
export function useTitle(title: string | undefined): void {
  const site = useSite();
  useEffect(() => {
    if (title !== undefined) document.title = fullTitle({ title }, site);
  }, [title, site]);
}

/** Goes to the page's current address after a change of username or when a tab disappears. */
export function useCurrentAddress(address: string | undefined): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (address !== undefined && address !== pathname) void navigate(address + search, { replace: true });
  }, [address, pathname, search, navigate]);
}

/** Shows "not found" once a refetch returns NOT_FOUND. */
export function useNotFoundAfterRefetch(error: unknown): void {
  const { revalidate } = useRevalidator();
  const isGone = errorCode(error) === "NOT_FOUND";
  useEffect(() => {
    if (isGone) void revalidate();
  }, [isGone, revalidate]);
}
