import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { matchPath } from "react-router-dom";
import { isServed } from "../../shared/routes.ts";
import { mayPass, retryAfter } from "../api/errors.ts";
import { createQueryClient } from "../api/query-client.ts";
import { dataOf } from "../api/trpc.ts";
import type { Client, Data } from "../api/trpc.ts";
import { CodeMissing, answers, fetchCode } from "../ui/fetch-code.ts";
import type { Place } from "../ui/location.ts";
import { NotFound, Redirect, meaningOf } from "../pages/page.ts";
import type { PageFacts, PageModule, PageProps } from "../pages/page.ts";
import { failed, notFound, pages } from "./routes.ts";
import type { Route } from "./routes.ts";

/** A page ready to be shown: its code is loaded and its data are in the cache. */
export interface ReadyPage {
  route: Route;
  params: Place["params"];
  Component: ComponentType<PageProps>;
  facts: PageFacts;
  status: 200 | 404 | 500;
  /** What went wrong, and what the error page is given, where the status is 500. */
  error?: Error;
  problem?: PageProps;
}

export interface Sources {
  client: Client;
  queryClient: QueryClient;
}

export interface PageSources {
  /** What a `prefetch` may ask; its answers are in the cache then, as are the documents that are loaded. */
  data: Data;
  /** A JSON document of this site. */
  load: (path: string) => Promise<unknown>;
}

/**
 * The route of an address; the way to "not found" where there is none. A first segment that is the server's is none:
 * `/api` and `/feed.xml` are nobody's profile. What cannot be decoded is none either.
 */
export function matchRoute(pathname: string): Pick<ReadyPage, "route" | "params"> {
  const first = pathname.split("/")[1]!.toLowerCase();
  for (const route of canBeDecoded(pathname) ? pages : []) {
    const named = route.path.split("/")[1]!;
    // Each look compiles a pattern: most are left out by their first word.
    if (!named.startsWith(":") && named !== first) continue;
    const match = matchPath(route.path, pathname);
    if (!match) continue;
    if (named.startsWith(":") && isServed.test(first)) break;
    return { route, params: match.params };
  }
  return { route: notFound, params: {} };
}

function canBeDecoded(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Returns the queries that a `prefetch` can run; `fetch` takes what is in the cache while it is younger than `maxAge` ms. */
export const dataFrom = ({ client, queryClient }: Sources, maxAge: number): Data =>
  dataOf(client, createQueryClient(queryClient.getQueryCache(), maxAge));

/** A page's code, with its style sheets. */
export const codeOf = ({ load }: Route): Promise<PageModule> => fetchCode(load);

/**
 * Loads the page of an address and runs its `prefetch`. Throws only where code that it needs is not to be had from a server
 * that answers, which knows its new name; everything else a page can show.
 */
export async function resolvePage(url: URL, { data, load }: PageSources): Promise<ReadyPage | Redirect> {
  const { route, params } = matchRoute(url.pathname);
  try {
    if (route === notFound) throw new NotFound();
    const [module, viewer] = await Promise.all([
      codeOf(route),
      data.users.me.ensureData(),
      data.users.site.ensureData(),
    ]);
    const facts = (await module.prefetch?.({ params, url, viewer, data, load })) ?? { title: "" };
    return { route, params, Component: module.default, facts, status: 200 };
  } catch (thrown) {
    if (thrown instanceof CodeMissing && (await answers(url))) throw thrown;
    const meaning = meaningOf(thrown, url);
    if (meaning instanceof Redirect) return meaning;
    if (meaning instanceof NotFound) return problemPage(notFound, "Not found", 404, data);
    return failedPage(meaning, route, data);
  }
}

/** The page in place of one that could not be made. */
export async function failedPage(error: Error, { failure }: Route, data: Data): Promise<ReadyPage> {
  const passes = error instanceof CodeMissing || mayPass(error);
  const problem = { failure, again: passes ? (retryAfter(error) ?? 0) : undefined };
  return { ...(await problemPage(failed, failure, 500, data)), error, problem };
}

async function problemPage(route: Route, title: string, status: 404 | 500, data: Data): Promise<ReadyPage> {
  // What the frame around every page reads.
  const [module] = await Promise.all([
    route.load(),
    data.users.me.ensureData(),
    data.users.site.ensureData(),
  ]);
  return { route, params: {}, Component: module.default, facts: { title }, status };
}
