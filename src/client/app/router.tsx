import { useLayoutEffect, useMemo } from "react";
import { isRouteErrorResponse, useLoaderData, useLocation, useRouteError } from "react-router-dom";
import type { RouteObject } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
// Not loaded on demand: what it tells of is often the network.
import ErrorPage from "../pages/error-page.tsx";
import { showHead } from "../pages/head.ts";
import type { PageFacts } from "../pages/page.ts";
import { useSite } from "../session/site.ts";
import { Site } from "./app.tsx";
import { loadPage } from "./load-page.ts";
import type { ProblemResponse } from "./load-page.ts";
import { notFoundPage, pages } from "./routes.ts";
import type { Page } from "./routes.ts";

/** React Router's routes, the same on both sides: the pages of the table in their frame, and the page of what has none. */
export const siteRoutes: RouteObject[] = [
  {
    id: "site",
    Component: Site,
    ErrorBoundary: Broken,
    children: [...pages, null].map((page) => ({
      id: page?.path ?? "*",
      path: page?.path ?? "*",
      loader: (args) => loadPage(page, args),
      Component: page && componentOf(page),
      ErrorBoundary: PageProblem,
      handle: page,
    })),
  },
];

/** A page's component, whose code its loader has fetched. Each address has a state of its own. */
function componentOf(page: Page) {
  return function PageInPlace() {
    const facts = useLoaderData<PageFacts | null>();
    const { pathname } = useLocation();
    const site = useSite();
    // The first page's head is the server's.
    useLayoutEffect(() => {
      if (facts) showHead(facts, site);
    }, [facts, site]);
    const { default: Code } = page.module();
    // Drawn once, however often the router tells of the way to the next page.
    return useMemo(() => <Code key={pathname} />, [Code, pathname]);
  };
}

/** Returns what the window's title says in place of a page. */
export const problemTitle = (error?: ProblemResponse): string =>
  error && !error.data ? "Not found" : (error?.data?.failure ?? messages.wrong);

/** In place of a page that could not be loaded, or that broke: the frame around it stays usable. */
function PageProblem() {
  const thrown = useRouteError();
  const error = isRouteErrorResponse(thrown) ? (thrown as ProblemResponse) : undefined;
  const site = useSite();
  const title = problemTitle(error);
  useLayoutEffect(() => showHead({ title }, site), [title, site]);
  if (!error) return <Broken />;
  if (error.data) return <ErrorPage {...error.data} />;
  const { default: NotFound } = notFoundPage.module();
  return <NotFound />;
}

/** What broke a page breaks it again: only a document of its own may help. */
function Broken() {
  return <ErrorPage retry={() => location.reload()} />;
}
