import { NavigationType, RouterContextProvider, createBrowserRouter, createPath } from "react-router-dom";
import type { HydrationState } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { ApiSources } from "../api/provider.tsx";
import { loadDocument } from "../api/document.ts";
import { createQueryClient } from "../api/query-client.ts";
import { dataOf } from "../api/trpc.ts";
import { toast } from "../ui/toasts.tsx";
import { codeOf, pageSources } from "./load-page.ts";
import type { PageSources } from "./load-page.ts";
import { siteRoutes } from "./router.tsx";
import { pageAt } from "./routes.ts";
import type { Page } from "./routes.ts";

export type BrowserRouter = ReturnType<typeof createBrowserRouter>;

/** Data younger than this are shown again without asking, where the reader goes forward. */
const FRESH_FOR = 2_000;

/**
 * Creates the browser's router. The next page's code and data are loaded first, then the address and the page change at once;
 * a list whose next page can't be had stays.
 */
export function createRouter(sources: ApiSources, hydrationData: HydrationState): BrowserRouter {
  const router: BrowserRouter = createBrowserRouter(siteRoutes, {
    hydrationData,
    getContext: () => new RouterContextProvider(new Map([[pageSources, () => sourcesNow(router, sources)]])),
  });
  return router;
}

/** What the page is loaded from that the router is on the way to: going back shows what was shown before. */
function sourcesNow(router: BrowserRouter, { client, queryClient }: ApiSources): PageSources {
  const { navigation, revalidation, location } = router.state;
  const arrival = navigation.historyAction ?? "reload";
  const maxAge = revalidation === "loading" ? 0 : arrival === NavigationType.Pop ? Infinity : FRESH_FOR;
  return {
    data: dataOf(client, createQueryClient(queryClient.getQueryCache(), maxAge)),
    load: (path) => loadDocument(queryClient, path, maxAge),
    arrival,
    hash: (navigation.location ?? location).hash,
    // A list that can't be turned to its next page stays at the one it shows (docs/specification.md, 8.5).
    stay: ({ pathname }) => {
      if (arrival !== NavigationType.Push || pathname !== location.pathname) return false;
      toast({ kind: "error", message: messages.dataFetch });
      void router.navigate(createPath(location), {
        state: location.state as unknown,
        replace: true,
        preventScrollReset: true,
        defaultShouldRevalidate: false,
      });
      return true;
    },
  };
}

/** Follows links that are no components, as texts have them; a page's code is fetched as soon as any link to it is pointed at. */
export function followPlainLinks(router: BrowserRouter): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
    if (event.shiftKey || event.altKey) return;
    const link = linkOf(event.target);
    if (!link || !pageOf(link)) return;
    event.preventDefault();
    // To where one is already leads no second entry of the history.
    const replace = link.href === location.href;
    // What is named within the page that is shown may have to be loaded first.
    const preventScrollReset = link.hash !== "" && link.pathname === location.pathname;
    void router.navigate(link.pathname + link.search + link.hash, { replace, preventScrollReset });
  });
  const foresee = ({ target }: Event): void => {
    const link = linkOf(target);
    const page = link && pageOf(link);
    if (page) codeOf(page).catch(() => {});
  };
  for (const type of ["pointerover", "focusin"] as const)
    document.addEventListener(type, foresee, { passive: true });
}

/** Returns the link to this site that an event happened in. */
function linkOf(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  const isElsewhere =
    !link ||
    (link.target && link.target !== "_self") ||
    link.hasAttribute("download") ||
    link.origin !== location.origin;
  return isElsewhere ? null : link;
}

/**
 * Returns the page that a link leads to. Null where the server knows what is there: a file, a feed, or a text that is named by
 * its number alone, as other programs did.
 */
const pageOf = ({ pathname, search }: HTMLAnchorElement): Page | null =>
  /^\/\?(.*&)?p=/.test(pathname + search) ? null : pageAt(pathname);
