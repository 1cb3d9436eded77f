import { messages } from "../../shared/errors.ts";
import type { PageModule } from "../pages/page.ts";

/*
 * The table of the site's pages, the same on both sides. A page is a module in pages/, loaded when it is first needed:
 * what it exports is written down in pages/page.ts. A route whose module does not exist yet is left out.
 */

const modules = import.meta.glob<PageModule>("../pages/*-page.tsx");

const table: [path: string, page: string, failure?: string][] = [
  ["/", "landing", messages.dataFetch],
  ["/home", "home", messages.dataFetch],
  ["/signin", "sign-in"],
  ["/signup", "sign-up"],
  ["/verify-email/:token", "verify-email"],
  ["/add-blog", "add-blog"],
  ["/edit/:slug", "edit-blog", messages.blogFetch],
  ["/edit/:id/preview", "preview", messages.blogFetch],
  ["/blog/:slug", "blog", messages.blogFetch],
  ["/search", "search", messages.dataFetch],
  ["/tag/:tag", "tag", messages.dataFetch],
  ["/terms", "site-text"],
  ["/privacy", "site-text"],
  ["/docs", "docs"],
  ["/docs/api", "docs-api"],
  ["/select-interests", "select-interests"],
  ["/settings", "settings"],
  ["/settings/import", "import", messages.dataLoad],
  ["/settings/export", "export"],
  ["/edit-profile", "edit-profile"],
  ["/requests", "requests", messages.requestsLoad],
  ["/notifications", "notifications", messages.dataLoad],
  // Not `:username`: that is a first segment, which may be no reserved name.
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

export interface Route {
  path: string;
  /** Source file of the page, as the build's manifest names it. */
  file: string;
  /** What is said where it could not be made (docs/specification.md, 8). */
  failure: string;
  load: () => Promise<PageModule>;
}

function route(path: string, page: string, failure: string = messages.wrong): Route[] {
  const fetchModule = modules[`../pages/${page}-page.tsx`];
  if (!fetchModule) return [];
  const file = `src/client/pages/${page}-page.tsx`;
  let module: PageModule | undefined;
  // Kept here: to ask the engine for what it has takes as long as some of the drawing.
  const load = async (): Promise<PageModule> => (module ??= await fetchModule());
  return [{ path, file, failure, load }];
}

export const pages: readonly Route[] = table.flatMap((row) => route(...row));
/** No address is theirs. */
export const notFound: Route = route("", "not-found")[0]!;
export const failed: Route = route("", "error")[0]!;
