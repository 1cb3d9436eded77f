import type { ComponentType } from "react";
import { redirect } from "react-router-dom";
import type { Viewer } from "../../shared/users.ts";
import { routes } from "../../shared/routes.ts";
import type { Data } from "../api/trpc.ts";

/**
 * A page is a module `pages/<name>-page.tsx` with a default export, the component, and `loader`, which runs before the
 * page is shown: on the server for the first page, in the browser for each navigation. It fetches what the page reads
 * (the component then finds it in the cache with `useQuery`, never suspended) and returns the page's head.
 *
 *     export async function loader({ params, data }: PageRequest): Promise<PageFacts> {
 *       const blog = await data.blogs.bySlug.fetch({ slug: params.slug! });
 *       if (blog.slug !== params.slug) throw redirect(routes.blog(blog.slug), 301);
 *       return { title: blog.title, description: blog.excerpt, topics: [`blog:${blog.id}`] };
 *     }
 *
 * It may throw React Router's `redirect`. An error of the API with the code NOT_FOUND, FORBIDDEN or BAD_REQUEST becomes the
 * page "not found" (404), UNAUTHORIZED the way to /signin, and any other the error page (500; 503 or 429 where it may work
 * in a moment).
 */
export interface PageModule {
  default: ComponentType;
  loader?: (request: PageRequest) => PageFacts | Promise<PageFacts>;
  /** More code that the page at this address is drawn with; what the server drew stands as it is until the browser has it. */
  code?: (url: URL | Location) => unknown;
}

export interface PageRequest {
  params: Readonly<Record<string, string | undefined>>;
  /** The address asked for. Its origin is the site's own. */
  url: URL;
  viewer: Viewer | null;
  /**
   * `data.blogs.list.fetch(input)`: from the cache where it is fresh enough, otherwise from the server. Going back finds
   * what was shown before; going forward asks again.
   */
  data: Data;
  /** A JSON document that the server has at a path of its own; the component finds it with `useDocument`. */
  load: (path: string) => Promise<unknown>;
}

/** What the page's head says; the rest of it is the server's alone (app/page-head.ts), as is which pages search engines list. */
export interface PageFacts {
  /** Without the site's name, which is added; the empty title is the site's name alone. */
  title: string;
  description?: string;
  /** The path that this page is best known by, where it has several, or the address elsewhere where it appeared first. */
  canonical?: string;
  /** The page's own feed beside the site's: what it is called, and its address without its file's name. */
  feed?: { title: string; path: string; query?: string };
  /** There is nothing, and the page says so in its own words: programs are answered 404. */
  nothing?: boolean;
  /** Live topics whose events make a stored copy of this page old: `blog:{id}`, `feed`, `profile:{id}`. */
  topics?: string[];
}

/** Thrown by a `loader` where there is nothing at this address. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** The viewer of a page that needs an account; a guest goes to /signin and comes back after it. */
export function requireViewer({ viewer, url }: PageRequest): Viewer {
  if (!viewer) throw redirect(routes.signIn(url.pathname + url.search));
  return viewer;
}

/** What the error page says, and in how many seconds another try may work at the earliest, where it may. */
export interface Problem {
  failure?: string | undefined;
  again?: number | undefined;
}
