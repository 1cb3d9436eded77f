import { matchRoute } from "../app/resolve.ts";

/** Whether the site has a page there (app/routes.ts): a link to one that it does not have is worse than none. */
export function hasPage(path: string): boolean {
  return matchRoute(path).route.path !== "*";
}
