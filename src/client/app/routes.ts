import type { PageModule } from "./page.ts";

/*
 * The table of the site's pages, the same on both sides. A page is a module in pages/, loaded when it is first needed:
 * what it exports is written down in page.ts. A route whose module does not exist yet is left out.
 */

const modules = import.meta.glob<PageModule>("../pages/*-page.tsx");

const table: [path: string, page: string][] = [
  ["/", "landing"],
  ["/home", "home"],
  ["/signin", "sign-in"],
  ["/signup", "sign-up"],
  ["/verify-email/:token", "verify-email"],
  ["/add-blog", "add-blog"],
  ["/edit/:slug", "edit-blog"],
  ["/blog/:slug", "blog"],
  ["/:username", "profile"],
  ["/:username/:tab", "profile"],
];

export interface Route {
  path: string;
  /** Source file of the page, as the build's manifest names it. */
  file: string;
  load: () => Promise<PageModule>;
}

function route(path: string, page: string): Route[] {
  const load = modules[`../pages/${page}-page.tsx`];
  return load ? [{ path, file: `src/client/pages/${page}-page.tsx`, load }] : [];
}

export const pages: readonly Route[] = table.flatMap(([path, page]) => route(path, page));
export const notFound: Route = route("*", "not-found")[0]!;
export const failed: Route = route("*", "error")[0]!;
