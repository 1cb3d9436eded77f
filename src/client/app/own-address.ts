import { pageOf } from "../../shared/paging.ts";
import { pageAt } from "./routes.ts";

/** How a value is written in the query; null where it says nothing. */
type Query = Record<string, (value: string) => string | null>;

const page = (value: string) => (pageOf(value) > 1 ? value : null);
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

/** Returns the path. One that cannot be decoded becomes a name that no account can have, so that its page is not found. */
function asDecodable(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return `/${encodeURIComponent(path)}`;
  }
}

/** Whether a part of an address has the letters encoded that have to be, and no others. */
const isOwnPart = (part: string): boolean => encodeURIComponent(decodeURIComponent(part)) === part;

/**
 * An address as the site itself would write it: of the query what its page reads, so that what else anybody writes there
 * makes no other page of it. `isOwn` tells whether the path is written so, too: pages answer to more (`/HOME//`), which
 * is not worth remembering.
 */
export function ownAddress(asked: URL): { url: URL; isOwn: boolean } {
  const url = new URL(asked);
  url.hash = "";
  url.pathname = asDecodable(asked.pathname);
  const path = pageAt(url.pathname)?.path ?? "";
  const query = queries[path];
  if (query) {
    const written = Object.entries(query).flatMap(([name, write]) => {
      const given = asked.searchParams.get(name);
      const value = given === null ? null : write(given);
      return value === null ? [] : [[name, value]];
    });
    url.search = String(new URLSearchParams(written));
  }
  const segments = url.pathname.split("/");
  const own = path.split("/");
  const isOwn =
    segments.length === own.length &&
    own.every((segment, index) =>
      segment.startsWith(":") ? isOwnPart(segments[index]!) : segment === segments[index],
    );
  return { url, isOwn };
}
