import type { ComponentType } from "react";
import { redirect } from "react-router-dom";
import type { Viewer } from "../../shared/users.ts";
import { routes } from "../../shared/routes.ts";
import type { Data } from "../api/trpc.ts";

/**
 * A page is a module `pages/<name>-page.tsx` with a default export, the component, and `loader`, which runs before the page is
 * shown: in the server for the first page, in the browser for each navigation. It fetches what the page reads (the component
 * then finds it in the cache with `useQuery`, without suspending) and returns the page's head.
 *
 *     export async function loader({ params, data }: PageRequest): Promise<PageFacts> {
 *       const blog = await data.blogs.bySlug.fetch({ slug: params.slug! });
 *       if (blog.slug !== params.slug) throw redirect(routes.blog(blog.slug), 301);
 *       return { title: blog.title, description: blog.excerpt, topics: [`blog:${blog.id}`] };
 *     }
 *
 * It can throw React Router's `redirect`. The API errors NOT_FOUND, FORBIDDEN and BAD_REQUEST become the page "not found"
 * (404), UNAUTHORIZED a redirect to /signin, and others the error page (500; 503 or 429 where a retry may work).
 */
export interface PageModule {
  default: ComponentType;
  loader?: (request: PageRequest) => PageFacts | Promise<PageFacts>;
  /** More code for this address; server-rendered HTML stays until the browser has it. */
  code?: (url: URL | Location) => unknown;
}

export interface PageRequest {
  params: Readonly<Record<string, string | undefined>>;
  /** The requested address on the site's own origin. */
  url: URL;
  viewer: Viewer | null;
  /**
   * `data.blogs.list.fetch(input)`: from the cache where fresh enough, otherwise from the server. Going back uses the cache.
   */
  data: Data;
}

/** What a page decides about its head; app/page-head.ts adds the rest in the server. */
export interface PageFacts {
  /** The site's name is added to it. */
  title: string;
  description?: string;
  /** The main path of a page with several, or the URL elsewhere where it appeared first. */
  canonical?: string;
  /** The page's feed: title, and address without the file name. */
  feed?: { title: string; path: string; query?: string };
  /** The page shows that the list is empty or has no such page; the status is 404. */
  isNotFound?: boolean;
  /** The source files of parts beside the page's own that it shows at once, as in the build's manifest. */
  parts?: string[];
  /** Live topics that invalidate a cached copy: `blog:{id}`, `feed`, `profile:{id}`. */
  topics?: string[] | undefined;
}

/** Thrown by a `loader` where the address has no page. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** Returns the viewer. Sends guests to /signin, which leads back. */
export function requireViewer({ viewer, url }: PageRequest): Viewer {
  if (!viewer) throw redirect(routes.signIn(url.pathname + url.search));
  return viewer;
}

/** The error page's text, and the seconds until a retry may work, if any. */
export interface Problem {
  failure?: string | undefined;
  again?: number | undefined;
}
