import { NavigationType, RouterContextProvider, createBrowserRouter, createPath } from "react-router-dom";
import type { HydrationState } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { ApiSources } from "../api/provider.tsx";
import { createQueryClient, STALE_AT_ONCE } from "../api/query-client.ts";
import { dataOf } from "../api/trpc.ts";
import { toast } from "../ui/toasts.tsx";
import { codeOf, pageSources } from "./load-page.ts";
import type { PageSources } from "./load-page.ts";
import { siteRoutes } from "./router.tsx";
import { pageAt } from "./routes.ts";
import type { Page } from "./routes.ts";

export type BrowserRouter = ReturnType<typeof createBrowserRouter>;

/** Milliseconds in which following a link shows cached data without a fetch. */
const MAX_AGE_MS = 2_000;

/** Creates the browser's router. The next page's code and data are loaded before address and page change. */
export function createRouter(sources: ApiSources, hydrationData: HydrationState): BrowserRouter {
  const router: BrowserRouter = createBrowserRouter(siteRoutes, {
    hydrationData,
    getContext: () =>
      new RouterContextProvider(new Map([[pageSources, () => currentSources(router, sources)]])),
  });
  return router;
}

/** Returns the sources of the page being loaded. Going back shows cached data. */
function currentSources(router: BrowserRouter, { client, queryClient }: ApiSources): PageSources {
  const { navigation, revalidation, location } = router.state;
  const arrival = navigation.historyAction ?? "reload";
  const maxAge =
    revalidation === "loading" ? STALE_AT_ONCE : arrival === NavigationType.Pop ? Infinity : MAX_AGE_MS;
  return {
    data: dataOf(client, createQueryClient(queryClient.getQueryCache(), maxAge)),
    navigationType: arrival,
    hash: (navigation.location ?? location).hash,
    // A list whose next page fails keeps the current one (docs/specification.md, 8.5).
    keepCurrentPage: ({ pathname }) => {
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

/** Handles plain links, as in articles. Pointing at any link fetches its page's code. */
export function followPlainLinks(router: BrowserRouter): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
    if (event.shiftKey || event.altKey) return;
    const link = linkOf(event.target);
    if (!link || !pageOf(link)) return;
    event.preventDefault();
    // A link to the current address adds no history entry.
    const replace = link.href === location.href;
    // The element of the fragment may have to be loaded before scrolling.
    const preventScrollReset = link.hash !== "" && link.pathname === location.pathname;
    void router.navigate(link.pathname + link.search + link.hash, { replace, preventScrollReset });
  });
  const prefetchCode = ({ target }: Event): void => {
    const link = linkOf(target);
    const page = link && pageOf(link);
    if (page) codeOf(page).catch(() => {});
  };
  for (const type of ["pointerover", "focusin"] as const)
    document.addEventListener(type, prefetchCode, { passive: true });
}

/** Returns the link within this site that an event happened in. */
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
 * Returns the page that a link leads to. Null where the server answers: a file, a feed, or `/?p=1`, as other programs address
 * texts.
 */
const pageOf = ({ pathname, search }: HTMLAnchorElement): Page | null =>
  /^\/\?(.*&)?p=/.test(pathname + search) ? null : pageAt(pathname);
