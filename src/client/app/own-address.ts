import { matchRoute } from "./resolve.ts";

/** How a value is written in the query; null where it says nothing. */
type Query = Record<string, (value: string) => string | null>;

const page = (value: string) => (/^[1-9]\d{0,4}$/.test(value) && value !== "1" ? value : null);
const sort = (value: string) => (value === "likes" ? value : null);
/** Of the home page a member may ask for those they follow as well (blogs/feed/feed-data.ts). */
const homeSort = (value: string) => (value === "following" ? value : sort(value));
const comments = () => "open";

/** All that those pages read of the query which guests are shown from memory. */
const queries: Record<string, Query> = {
  "/": {},
  "/home": { page, sort: homeSort },
  "/blog/:slug": { comments },
  "/tag/:tag": { page, sort },
  "/docs": {},
  "/docs/api": {},
  "/:username": { page },
  "/:username/:tab": { page },
};

/**
 * An address as the site itself would write it: of the query what its page reads, so that what else anybody writes there
 * makes no other page of it. `isOwn` tells whether the path is written so, too: pages answer to more (`/HOME//`), which
 * is not worth remembering.
 */
export function ownAddress(asked: URL): { url: URL; isOwn: boolean } {
  const { route } = matchRoute(asked.pathname);
  const url = new URL(asked);
  url.hash = "";
  const query = queries[route.path];
  if (query) {
    const written = Object.entries(query).flatMap(([name, write]) => {
      const given = asked.searchParams.get(name);
      const value = given === null ? null : write(given);
      return value === null ? [] : [[name, value]];
    });
    url.search = String(new URLSearchParams(written));
  }
  const segments = asked.pathname.split("/");
  const own = route.path.split("/");
  const isOwn =
    segments.length === own.length &&
    own.every((segment, index) => segment.startsWith(":") || segment === segments[index]);
  return { url, isOwn };
}
