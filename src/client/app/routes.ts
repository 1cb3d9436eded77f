import { matchRoutes } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { servedSegment } from "../../shared/routes.ts";
import type { PageModule } from "../pages/page.ts";

/* The table of pages, for server and browser. A page is a module in pages/, loaded when first needed (see pages/page.ts). */

const modules = import.meta.glob<PageModule>("../pages/*-page.tsx");

const table: [path: string, page: string, failure?: string][] = [
  ["/", "landing", messages.dataFetch],
  ["/home", "home", messages.dataFetch],
  ["/signin", "sign-in"],
  ["/signup", "sign-up"],
  ["/setup", "setup"],
  ["/verify-email/:token", "verify-email"],
  ["/add-blog", "add-blog"],
  ["/edit/:slug", "edit-blog", messages.blogFetch],
  ["/edit/:id/preview", "preview", messages.blogFetch],
  ["/blog/:slug", "blog", messages.blogFetch],
  ["/blog/:slug/:entry", "blog", messages.blogFetch],
  ["/search", "search", messages.dataFetch],
  ["/tag/:tag", "tag", messages.dataFetch],
  ["/terms", "site-text"],
  ["/privacy", "site-text"],
  ["/docs", "docs"],
  ["/select-interests", "select-interests"],
  ["/settings", "settings"],
  ["/settings/import", "import", messages.dataLoad],
  ["/settings/export", "export"],
  ["/edit-profile", "edit-profile"],
  ["/requests", "requests", messages.requestsLoad],
  ["/notifications", "notifications", messages.dataLoad],
  // Not `:username`, which is a first segment and no reserved name.
  ["/followers/:person", "people", messages.dataFetch],
  ["/following/:person", "people", messages.dataFetch],
  ["/admin", "admin", messages.dataLoad],
  ["/admin/:part", "admin", messages.dataLoad],
  ["/my-blogs", "my-blogs", messages.dataFetch],
  ["/forgot-password", "forgot-password"],
  ["/reset-password/:token", "reset-password"],
  ["/change-email/:token", "change-email"],
  ["/undo-access/:token", "undo-access"],
  ["/delete-account/:token", "delete-account"],
  ["/unsubscribe/:token", "unsubscribe"],
  ["/:username", "profile"],
  ["/:username/:tab", "profile"],
];

export interface Page {
  path: string;
  /** The source file, as in the build's manifest. */
  file: string;
  /** The error page's text (docs/specification.md, 8). */
  failure: string;
  load: () => Promise<PageModule>;
  /** The module fetched by `load`; throws before that. */
  module: () => PageModule;
}

function pageOf([path, name, failure = messages.wrong]: (typeof table)[number]): Page[] {
  const fetchModule = modules[`../pages/${name}-page.tsx`];
  if (!fetchModule) return [];
  let module: PageModule | undefined;
  // Cached: importing a loaded module again takes as long as some of the rendering.
  const load = async (): Promise<PageModule> => (module ??= await fetchModule());
  const fetched = (): PageModule => {
    if (!module) throw new Error(`The code of ${name} is rendered before it is loaded.`);
    return module;
  };
  return [{ path, file: `src/client/pages/${name}-page.tsx`, failure, load, module: fetched }];
}

export const pages: readonly Page[] = table.flatMap(pageOf);
export const notFoundPage: Page = pageOf(["", "not-found"])[0]!;

const asRoutes = pages.map((page) => ({ path: page.path, handle: page }));

/** Returns the page at a path; null where there is none, as at the server's own paths (`/api`, `/feed.xml`). */
export function pageAt(pathname: string): Page | null {
  const page = matchRoutes(asRoutes, pathname)?.at(-1)?.route.handle;
  return page && !isServersOwn(page, pathname) ? page : null;
}

/** Whether a path looks like a profile's but belongs to the server. */
export const isServersOwn = ({ path }: Page, pathname: string): boolean =>
  path.startsWith("/:") && servedSegment.test(pathname.split("/")[1]!.toLowerCase());
