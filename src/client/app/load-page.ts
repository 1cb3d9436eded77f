import {
  NavigationType,
  createContext,
  data as answer,
  redirect,
  redirectDocument,
  replace,
} from "react-router-dom";
import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import { errorCode, isTransient, retryAfter } from "../api/errors.ts";
import type { Data } from "../api/trpc.ts";
import { NotFound } from "../pages/page.ts";
import type { PageFacts, PageModule, Problem } from "../pages/page.ts";
import { CodeMissing, siteResponds, fetchCode } from "../ui/fetch-code.ts";
import { isServersOwn, notFoundPage } from "./routes.ts";
import type { Page } from "./routes.ts";

export interface PageSources {
  /** The queries that a loader can run; results stay in the cache. */
  data: Data;
  /** The kind of navigation; "server" in the server. */
  navigationType: NavigationType | "server" | "reload";
  hash: string;
  /** Only in the browser: may keep the current page instead of an error page, and returns whether it does. */
  keepCurrentPage?: (url: URL) => boolean;
  onError?: (error: unknown) => void;
}

/** The loaders' sources: a function, since in the browser they depend on the navigation. */
export const pageSources = createContext<() => PageSources>();

/** A page's error as React Router expects it (`isRouteErrorResponse`), serializable. */
export interface ProblemResponse {
  status: number;
  statusText: string;
  internal: boolean;
  /** Null for "not found". */
  data: Problem | null;
}

/** Returns the error that React Router makes of a response with this status. */
export const problemResponse = (status: number, data: Problem | null): ProblemResponse => ({
  status,
  statusText: "",
  internal: false,
  data,
});

/** Fetches a page's code with its style sheets. */
export const codeOf = ({ load }: Page): Promise<PageModule> => fetchCode(load);

/**
 * Loads a page's code, viewer and data. A `page` of null is not found. Throws what React Router understands: a redirect, or
 * status and data of an error page. Not React Router's `lazy`, which keeps a failed import for good.
 */
export async function loadPage(
  page: Page | null,
  { params, request, context }: LoaderFunctionArgs<Readonly<RouterContextProvider>>,
): Promise<PageFacts> {
  const sources = context.get(pageSources)();
  const { data, hash, navigationType } = sources;
  const url = new URL(request.url);
  url.hash = hash;
  try {
    if (!page || isServersOwn(page, url.pathname)) throw new NotFound();
    const [module, viewer] = await Promise.all([
      codeOf(page),
      data.users.me.ensureData(),
      data.users.site.ensureData(),
    ]);
    return (await module.loader?.({ params, url, viewer, data })) ?? { title: "" };
  } catch (thrown) {
    const address = url.pathname + url.search;
    if (thrown instanceof CodeMissing && navigationType !== "server" && (await siteResponds(url)))
      throw documentRedirect(url);
    const error = classifyError(thrown, address);
    if (error instanceof Response) throw replacingRedirect(error, navigationType);
    // A new address without a page may be a file or a redirect, which the server knows.
    const isMissing = error instanceof NotFound;
    if (isMissing && (navigationType === NavigationType.Push || navigationType === NavigationType.Replace))
      throw documentRedirect(url);
    if (!isMissing && sources.keepCurrentPage?.(url)) return { title: "" };
    // The layout needs these, also around an error page.
    await Promise.all([
      data.users.me.ensureData(),
      data.users.site.ensureData(),
      isMissing && codeOf(notFoundPage),
      isMissing && data.blogs.list.fetch({ page: 1, sort: "latest" }).catch(() => null),
    ]);
    if (isMissing) throw answer(null, { status: 404 });
    if (!isTransient(error)) sources.onError?.(error);
    throw answer(problemOf(error, page), { status: statusOf(error) });
  }
}

/** Loads a document from the server. With its fragment, the current address would load nothing. */
const documentRedirect = (url: URL): Response =>
  redirectDocument(url.pathname + url.search + (url.href === location.href ? "" : url.hash));

function classifyError(error: unknown, address: string): Response | NotFound | Error {
  if (error instanceof Response) return error;
  const code = errorCode(error);
  // What the API rejects (BAD_REQUEST) has no page, and a forbidden page must look absent.
  if (code === "NOT_FOUND" || code === "BAD_REQUEST" || code === "FORBIDDEN") return new NotFound();
  if (code === "UNAUTHORIZED") return redirect(routes.signIn(address));
  return error instanceof Error ? error : new Error(String(error));
}

/** Except after following a link, a redirect replaces the history entry. */
const replacingRedirect = (redirection: Response, navigationType: PageSources["navigationType"]): Response =>
  navigationType === "server" || navigationType === NavigationType.Push
    ? redirection
    : replace(redirection.headers.get("location") ?? "/");

function problemOf(error: Error, page: Page | null): Problem {
  const isTemporary = error instanceof CodeMissing || isTransient(error);
  return { failure: page?.failure, again: isTemporary ? (retryAfter(error) ?? 0) : undefined };
}

/** A temporary error is no bug: 429 or 503, not 500. */
function statusOf(error: Error): number {
  if (!isTransient(error)) return 500;
  return errorCode(error) === "TOO_MANY_REQUESTS" ? 429 : 503;
}
