import { createTRPCQueryUtils } from "@trpc/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { TRPCClient } from "@trpc/client";
import { matchPath } from "react-router-dom";
import type { ComponentType } from "react";
import type { AppRouter } from "../../server/router.ts";
import { messages } from "../../shared/errors.ts";
import { reservedNames } from "../../shared/routes.ts";
import { NotFound, Redirect, meaningOf } from "./page.ts";
import type { Data, PageFacts } from "./page.ts";
import { failed, notFound, pages } from "./routes.ts";
import type { Route } from "./routes.ts";

/** A page ready to be shown: its code is loaded and its data are in the cache. */
export interface ReadyPage {
  route: Route;
  Component: ComponentType;
  facts: PageFacts;
  status: 200 | 404 | 500;
  /** What went wrong, where the status is 500. */
  error?: Error;
}

export interface Sources {
  client: TRPCClient<AppRouter>;
  queryClient: QueryClient;
}

/**
 * The route of an address; the way to "not found" where there is none. A first segment that no account may have is none:
 * `/docs` and `/feed.xml` are the server's, not somebody's profile.
 */
export function matchRoute(pathname: string): { route: Route; params: Readonly<Record<string, string | undefined>> } {
  for (const route of pages) {
    const match = matchPath(route.path, pathname);
    if (!match) continue;
    if (match.params.username !== undefined && reservedNames.has(pathname.split("/")[1]!.toLowerCase())) break;
    return { route, params: match.params };
  }
  return { route: notFound, params: {} };
}

/** The queries a `prefetch` may ask; those that `fetch` use what is in the cache while it is younger than `maxAge` ms. */
export function dataFrom({ client, queryClient }: Sources, maxAge = Infinity): Data {
  const aged = new Proxy(queryClient, {
    get(target, name) {
      if (name === "fetchQuery") return (options: Parameters<QueryClient["fetchQuery"]>[0]) => target.fetchQuery({ staleTime: maxAge, ...options });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
  return createTRPCQueryUtils<AppRouter>({ client, queryClient: aged });
}

/** Loads the page of an address and runs its `prefetch`. Never throws for what a page can show. */
export async function resolvePage(url: URL, sources: Sources, maxAge?: number): Promise<ReadyPage | Redirect> {
  const { route, params } = matchRoute(url.pathname);
  const data = dataFrom(sources, maxAge);
  try {
    const [module, viewer] = await Promise.all([route.load(), data.users.me.ensureData(), data.users.site.ensureData()]);
    const facts = (await module.prefetch?.({ params, url, viewer, data })) ?? { title: "" };
    return { route, Component: module.default, facts, status: route === notFound ? 404 : 200 };
  } catch (thrown) {
    const meaning = meaningOf(thrown, url);
    if (meaning instanceof Redirect) return meaning;
    if (meaning instanceof NotFound) return problemPage(notFound, "Not found", 404);
    return { ...(await problemPage(failed, messages.wrong, 500)), error: meaning };
  }
}

async function problemPage(route: Route, title: string, status: 404 | 500): Promise<ReadyPage> {
  const module = await route.load();
  return { route, Component: module.default, facts: { title, unlisted: true }, status };
}
