import { decodeUri } from "../../shared/decode-uri.ts";
import { parseSort, sortParameters } from "../../shared/feed-sorts.ts";
import { parsePageNumber } from "../../shared/paging.ts";
import { isReserved } from "../../shared/reserved-names.ts";
import { pageAt } from "./routes.ts";

/** Writes each query parameter; null omits it. */
type QueryWriters = Record<string, (value: string) => string | null>;

const page = (value: string) => (parsePageNumber(value) > 1 ? value : null);
const sort = (value: string) => sortParameters(parseSort(value)).sort ?? null;
/** Members can also sort the home page by followed people (blogs/feed/feed-data.ts). */
const homeSort = (value: string) => (value === "following" ? value : sort(value));
const comments = () => "open";

/** The query parameters of the pages cached for guests. */
const queries: Record<string, QueryWriters> = {
  "/": {},
  "/home": { page, sort: homeSort },
  "/blog/:slug": { comments },
  "/blog/:slug/:entry": { comments },
  "/tag/:tag": { page, sort },
  "/docs": {},
  "/:username": { page },
  "/:username/:tab": { page },
};

/** Returns the path. One that cannot be decoded becomes a name that no account can have, so that its page is not found. */
function asDecodable(path: string): string {
  return decodeUri(path) === undefined ? `/${encodeURIComponent(path)}` : path;
}

/** Whether exactly those characters are encoded that must be. */
const isCanonicalSegment = (part: string): boolean => encodeURIComponent(decodeUri(part) ?? "") === part;

/**
 * Returns the canonical form of an address: only query parameters that its page reads, so that others make no cache entries.
 * `isOwn`: the path is canonical, too; other spellings (`/HOME//`) work but are not cached. `canBePage`: false where no page is,
 * whatever people and blogs there are.
 */
export function canonicalAddress(requestUrl: URL): { url: URL; isOwn: boolean; canBePage: boolean } {
  const url = new URL(requestUrl);
  url.hash = "";
  url.pathname = asDecodable(requestUrl.pathname);
  const path = pageAt(url.pathname)?.path ?? "";
  const query = queries[path];
  if (query) {
    const parameters = Object.entries(query).flatMap(([name, normalize]) => {
      const raw = requestUrl.searchParams.get(name);
      const value = raw === null ? null : normalize(raw);
      return value === null ? [] : [[name, value]];
    });
    url.search = String(new URLSearchParams(parameters));
  }
  const segments = url.pathname.split("/");
  const isProfile = path.startsWith("/:");
  const canBePage = path !== "" && !(isProfile && isReserved(segments[1]!.toLowerCase()));
  const canonicalSegments = path.split("/");
  const isOwn =
    segments.length === canonicalSegments.length &&
    canonicalSegments.every((segment, index) =>
      segment.startsWith(":") ? isCanonicalSegment(segments[index]!) : segment === segments[index],
    );
  return { url, isOwn, canBePage };
}
