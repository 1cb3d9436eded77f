import { getQueryKey } from "@trpc/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import {
  RouterContextProvider,
  StaticRouterProvider,
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
} from "react-router-dom";
import type { StaticHandlerContext } from "react-router-dom";
import type { CardWords } from "../shared/cards.ts";
import { createQueryClient } from "./api/query-client.ts";
import { dataOf, trpc } from "./api/trpc.ts";
import type { Client, Data } from "./api/trpc.ts";
import { App } from "./app/app.tsx";
import { htmlDocument } from "./app/document.ts";
import type { Assets } from "./app/document.ts";
import { canonicalAddress } from "./app/canonical-address.ts";
import { pageSources, problemResponse } from "./app/load-page.ts";
import type { PageSources, ProblemResponse } from "./app/load-page.ts";
import type { PageFacts } from "./pages/page.ts";
import { problemTitle, siteRoutes } from "./app/router.tsx";
import { notFoundPage, pages } from "./app/routes.ts";
import type { Page } from "./app/routes.ts";
import { headOf } from "./app/page-head.ts";
import type { LoadedPage } from "./app/page-head.ts";
import { packQueries, scriptText } from "./app/state.ts";
import type { PageState } from "./app/state.ts";
import type { Theme } from "./ui/theme.ts";
import { loadEntries } from "./entries/lazy-section.ts";
import { loadComments } from "./comments/lazy-section.tsx";

export interface RenderRequest {
  url: URL;
  theme: Theme;
  /** The service worker's address, where pages are to register it. */
  worker: string | undefined;
  /** Calls the API as the viewer of the page, without HTTP. */
  client: Client;
  /** Returns the address of a rendered card. */
  cardAt: (card: CardWords) => Promise<string>;
  /** Returns what the browser must load for source files. */
  assetsFor: (files: string[], forMember: boolean) => Assets;
  onError: (error: unknown) => void;
}

export type Rendered =
  | { kind: "redirect"; to: string; permanent: boolean }
  /** `topics` are null where the page must not be cached. */
  | {
      kind: "page";
      /** The route's path. */
      route: string;
      status: number;
      /** In parts, with `textPlaceholder` in place of an article's text. */
      html: string[];
      topics: string[] | null;
      /** Seconds until a retry may succeed. */
      retryAfter?: number | undefined;
    };

const handler = createStaticHandler(siteRoutes);

/** Renders the document of an address. */
export async function render({
  url,
  theme,
  worker,
  client,
  cardAt,
  assetsFor,
  onError,
}: RenderRequest): Promise<Rendered> {
  const now = Date.now();
  const queryClient = createQueryClient();
  const data = dataOf(client, queryClient);
  const sources = (): PageSources => ({
    data,
    navigationType: "server",
    hash: "",
    onError,
  });
  const result = await handler.query(new Request(url), {
    requestContext: new RouterContextProvider(new Map([[pageSources, sources]])),
  });
  if (result instanceof Response) {
    const to = result.headers.get("location") ?? "/";
    return { kind: "redirect", to, permanent: result.status === 301 };
  }
  // The layout needs them, also around an error page.
  const [viewer, site] = await Promise.all([data.users.me.ensureData(), data.users.site.ensureData()]);
  if (viewer) await prefetchNoLiveBlogs(data, queryClient);
  const { route, params } = result.matches.at(-1)!;
  const routePage = route.handle as Page | null;
  const thrown: unknown = result.errors?.[route.id];
  // The error page failed, too.
  if (thrown && !isRouteErrorResponse(thrown)) throw thrown;
  let error = thrown as ProblemResponse | undefined;
  const renderBody = (): string =>
    renderToString(
      <StrictMode>
        <App client={client} queryClient={queryClient} renderedAt={now}>
          <StaticPage context={{ ...result, errors: error ? { [route.id]: error } : null }} />
        </App>
      </StrictMode>,
    );
  let body: string;
  try {
    body = renderBody();
  } catch (cause) {
    onError(cause);
    error = problemResponse(500, { failure: routePage?.failure });
    body = renderBody();
  }
  const page: LoadedPage = error
    ? {
        path: "",
        file: error.status === 404 ? notFoundPage.file : "",
        params: {},
        status: error.status,
        facts: { title: problemTitle(error) },
      }
    : {
        path: route.path ?? "",
        file: routePage?.file ?? "",
        params,
        status: 200,
        facts: (result.loaderData as Record<string, PageFacts>)[route.id]!,
      };
  const queries = packQueries(queryClient, !error);
  const state = scriptText({
    error: error && problemResponse(error.status, error.data),
    now,
    queries,
  } satisfies PageState);
  const head = await headOf({ page, url, data, site, viewer, cardAt });
  const assets = assetsFor([page.file, ...(page.facts.parts ?? [])], viewer !== null);
  const html = htmlDocument({ page, head, site, url, theme, worker, body, state, assets });
  return {
    kind: "page",
    route: page.path,
    status: page.facts.isNotFound ? 404 : page.status,
    retryAfter: error?.data?.again || undefined,
    html,
    topics: error ? null : (page.facts.topics ?? null),
  };
}

/** Saves members' pages a request: that no live blog of the viewer's is on air. Of others the bar fetches what it shows. */
async function prefetchNoLiveBlogs(data: Data, queryClient: QueryClient): Promise<void> {
  const own = await data.blogs.ownLive.fetch().catch(() => undefined);
  if (own && own.blogs.length > 0)
    queryClient.removeQueries({ queryKey: getQueryKey(trpc.blogs.ownLive, undefined, "query") });
}

function StaticPage({ context }: { context: StaticHandlerContext }) {
  const router = createStaticRouter(handler.dataRoutes, context);
  return <StaticRouterProvider router={router} context={context} hydrate={false} />;
}

/** Loads the code of all pages. */
export const loadPages = async (): Promise<void> => {
  await Promise.all([...pages.map(({ load }) => load()), notFoundPage.load(), loadComments(), loadEntries()]);
};

export { canonicalAddress };
export type { Assets };
