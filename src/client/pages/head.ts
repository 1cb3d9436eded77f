import { useEffect } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router-dom";
import type { SiteFacts } from "../../shared/users.ts";
import { errorCode } from "../api/errors.ts";
import { useSite } from "../session/site.ts";
import type { PageFacts } from "./page.ts";

/** What the window's title says. */
export function fullTitle({ title }: Pick<PageFacts, "title">, site: SiteFacts): string {
  return title ? `${title} · ${site.name}` : `${site.name}: ${site.description}`;
}

/** The whole address that a page is best known by. */
export const addressOf = ({ canonical }: PageFacts, { publicUrl }: SiteFacts, path: string): string =>
  canonical ? new URL(canonical, publicUrl).href : publicUrl + path;

/** Brings the document's head up to date after a navigation; the first one is the server's. */
export function showHead(facts: PageFacts, site: SiteFacts | undefined): void {
  if (!site) return;
  document.title = fullTitle(facts, site);
  document
    .querySelector('meta[name="description"]')
    ?.setAttribute("content", facts.description || site.description);
  document
    .querySelector('link[rel="canonical"]')
    ?.setAttribute("href", addressOf(facts, site, location.pathname));
}

/** Keeps the window's title at what the page shows by now; `loader` gives it first. */
export function useTitle(title: string | undefined): void {
  const site = useSite();
  useEffect(() => {
    if (title !== undefined) document.title = fullTitle({ title }, site);
  }, [title, site]);
}

/** Goes to the address that the page has by now: its person has taken another username, or a part of it is shown no more. */
export function useAddress(address: string | undefined): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (address !== undefined && address !== pathname) void navigate(address + search, { replace: true });
  }, [address, pathname, search, navigate]);
}

/** Shows that there is nothing here any more, where what the page is about was asked for again in vain. */
export function useGone(error: unknown): void {
  const { revalidate } = useRevalidator();
  const isGone = errorCode(error) === "NOT_FOUND";
  useEffect(() => {
    if (isGone) void revalidate();
  }, [isGone, revalidate]);
}
