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
import { errorCode, mayPass, retryAfter } from "../api/errors.ts";
import type { Data } from "../api/trpc.ts";
import { NotFound } from "../pages/page.ts";
import type { PageFacts, PageModule, Problem } from "../pages/page.ts";
import { CodeMissing, answers, fetchCode } from "../ui/fetch-code.ts";
import { isServersOwn, notFoundPage } from "./routes.ts";
import type { Page } from "./routes.ts";

/** What pages are loaded from. */
export interface PageSources {
  /** The queries that a loader may run; their answers are in the cache then. */
  data: Data;
  /** Fetches a JSON document of this site. */
  load: (path: string) => Promise<unknown>;
  /** How the browser goes to the page; the server draws it. */
  arrival: NavigationType | "drawn" | "reload";
  hash: string;
  /** The browser alone: may keep what is shown in the place of a page that could not be loaded. */
  stay?: (url: URL) => boolean;
  onError?: (error: unknown) => void;
}

/** Where loaders find their sources: asked for each page, since in the browser they depend on how one goes there. */
export const pageSources = createContext<() => PageSources>();

/** An error of a page, as React Router knows it (`isRouteErrorResponse`), which can be written as JSON. */
export interface ProblemResponse {
  status: number;
  statusText: string;
  internal: boolean;
  /** Null where there is no such page. */
  data: Problem | null;
}

/** Returns the error that React Router makes of an answer with this status. */
export const problemResponse = (status: number, data: Problem | null): ProblemResponse => ({
  status,
  statusText: "",
  internal: false,
  data,
});

/** Fetches a page's code, with its style sheets. */
export const codeOf = ({ load }: Page): Promise<PageModule> => fetchCode(load);

/**
 * Loads a page: its code, who is signed in, and what its `loader` asks for. Null is the page of an address that has none. Throws what
 * React Router understands: a redirect, or the status and words of an error page. Not React Router's `lazy`, which keeps an import
 * that failed for good: a page that was asked for without a network would never come.
 */
export async function loadPage(
  page: Page | null,
  { params, request, context }: LoaderFunctionArgs<Readonly<RouterContextProvider>>,
): Promise<PageFacts> {
  const sources = context.get(pageSources)();
  const { data, load, hash, arrival } = sources;
  const url = new URL(request.url);
  url.hash = hash;
  try {
    if (!page || isServersOwn(page, url.pathname)) throw new NotFound();
    const [module, viewer] = await Promise.all([
      codeOf(page),
      data.users.me.ensureData(),
      data.users.site.ensureData(),
    ]);
    return (await module.loader?.({ params, url, viewer, data, load })) ?? { title: "" };
  } catch (thrown) {
    const address = url.pathname + url.search;
    if (thrown instanceof CodeMissing && arrival !== "drawn" && (await answers(url))) throw toDocument(url);
    const meaning = meaningOf(thrown, address);
    if (meaning instanceof Response) throw inPlace(meaning, arrival);
    // On the way to what is no page there may be a file, or what leads elsewhere: the server knows. What is shown was a page.
    const isMissing = meaning instanceof NotFound;
    if (isMissing && (arrival === NavigationType.Push || arrival === NavigationType.Replace))
      throw toDocument(url);
    if (!isMissing && sources.stay?.(url)) return { title: "" };
    // What the frame around every page reads.
    await Promise.all([
      data.users.me.ensureData(),
      data.users.site.ensureData(),
      isMissing && codeOf(notFoundPage),
    ]);
    if (isMissing) throw answer(null, { status: 404 });
    if (!mayPass(meaning)) sources.onError?.(meaning);
    throw answer(problemOf(meaning, page), { status: statusOf(meaning) });
  }
}

/** The server answers, by a document. The same address with its # would load nothing. */
const toDocument = (url: URL): Response =>
  redirectDocument(url.pathname + url.search + (url.href === location.href ? "" : url.hash));

/** Returns what an error thrown by a loader means for the reader. */
function meaningOf(error: unknown, address: string): Response | NotFound | Error {
  if (error instanceof Response) return error;
  const code = errorCode(error);
  // An address that makes no sense to the API (BAD_REQUEST) has no page either, and forbidden looks absent.
  if (code === "NOT_FOUND" || code === "BAD_REQUEST" || code === "FORBIDDEN") return new NotFound();
  if (code === "UNAUTHORIZED") return redirect(routes.signIn(address));
  return error instanceof Error ? error : new Error(String(error));
}

/** A page that is shown, or gone back to, gives its place in the history to the one that it leads to. */
const inPlace = (redirection: Response, arrival: PageSources["arrival"]): Response =>
  arrival === "drawn" || arrival === NavigationType.Push
    ? redirection
    : replace(redirection.headers.get("location") ?? "/");

/** Returns what the error page says in place of a page. */
function problemOf(error: Error, page: Page | null): Problem {
  const passes = error instanceof CodeMissing || mayPass(error);
  return { failure: page?.failure, again: passes ? (retryAfter(error) ?? 0) : undefined };
}

/** The error page of what may work in a moment is none of a bug: its status says so. */
function statusOf(error: Error): number {
  if (!mayPass(error)) return 500;
  return errorCode(error) === "TOO_MANY_REQUESTS" ? 429 : 503;
}
