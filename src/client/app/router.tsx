import { useLayoutEffect, useMemo } from "react";
import { isRouteErrorResponse, useLoaderData, useLocation, useRouteError } from "react-router-dom";
import type { RouteObject } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
// Not loaded on demand: it often reports a missing network.
import ErrorPage from "../pages/error-page.tsx";
import { updateHead } from "../pages/head.ts";
import type { PageFacts } from "../pages/page.ts";
import { useSite } from "../session/site.ts";
import { Site } from "./app.tsx";
import { loadPage } from "./load-page.ts";
import type { ProblemResponse } from "./load-page.ts";
import { notFoundPage, pages } from "./routes.ts";
import type { Page } from "./routes.ts";

/** React Router's routes, for server and browser: every page in the layout, and "not found" for other addresses. */
export const siteRoutes: RouteObject[] = [
  {
    id: "site",
    Component: Site,
    ErrorBoundary: BrokenPage,
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

/** Each address has its own state. */
function componentOf(page: Page) {
  return function PageInPlace() {
    const facts = useLoaderData<PageFacts | null>();
    const { pathname } = useLocation();
    const site = useSite();
    // The server writes the first page's head.
    useLayoutEffect(() => {
      if (facts) updateHead(facts, site);
    }, [facts, site]);
    const { default: Code } = page.module();
    // Rendered once, however often the router reports a navigation.
    return useMemo(() => <Code key={pathname} />, [Code, pathname]);
  };
}

/** Returns the window's title for an error page. */
export const problemTitle = (error?: ProblemResponse): string =>
  error && !error.data ? "Not found" : (error?.data?.failure ?? messages.wrong);

/** Shown for a page that failed to load or threw; the layout stays usable. */
function PageProblem() {
  const thrown = useRouteError();
  const error = isRouteErrorResponse(thrown) ? (thrown as ProblemResponse) : undefined;
  const site = useSite();
  const title = problemTitle(error);
  useLayoutEffect(() => updateHead({ title }, site), [title, site]);
  if (!error) return <BrokenPage />;
  if (error.data) return <ErrorPage {...error.data} />;
  const { default: NotFound } = notFoundPage.module();
  return <NotFound />;
}

/** Rendering again would throw again: only a page load may help. */
function BrokenPage() {
  return <ErrorPage retry={() => location.reload()} />;
}
