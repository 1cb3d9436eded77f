import { decodeUri } from "../../shared/decode-uri.ts";
import type { FeedFile } from "../../shared/feeds.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { feedPath, type FeedRequest } from "./public.ts";

/* The feeds' addresses of WordPress, Ghost, Hugo, Jekyll, Zola, Eleventy, Astro, Medium, Substack and Blogger. */

const file =
  "(?:(?:feed|rss)(?:/(?:feed|rss2?|rdf|atom|json))?|(?:feed/)?(?:feed|rss2?|index|atom)\\.(?:xml|rss|rdf|json|atom))";
/** A folder of posts, whose feed was that of the site. */
const section = "(?:/(?:blog|posts?|articles?|news|notes|journal|writing))?";

const patterns: [RegExp, (name: string) => FeedRequest][] = [
  [new RegExp(`^${section}/${file}$`, "i"), () => ({ of: "site" })],
  [/^\/feeds\/posts\/(?:default|summary)$/i, () => ({ of: "site" })],
  [/^\/\?(?:[^#]*&)?feed=(?:feed|rss2?|rdf|atom)(?:&|$)/i, () => ({ of: "site" })],
  [new RegExp(`^${section}/authors?/([^/]+)/${file}$`, "i"), (username) => ({ of: "person", username })],
  [
    new RegExp(`^${section}/(?:tags?|category|categories|topics?)/(?:[^/]+/)*?([^/]+)/${file}$`, "i"),
    (tag) => ({ of: "tag", tag }),
  ],
  [/^\/(?:feed\/tagged|feeds\/posts\/(?:default|summary)\/-)\/([^/]+)$/i, (tag) => ({ of: "tag", tag })],
  [/^\/feed\/by_tag\/([^/]+)\.xml$/i, (tag) => ({ of: "tag", tag })],
];

/** Returns the path here of the feed that another program had at this path and query, or null. */
export function feedOfFormerAddress(address: string): string | null {
  if (address.length > 500) return null;
  const [path = "", query = ""] = address.split("?", 2);
  const plain = path === "/" ? `/?${query}` : path.replace(/\/+$/, "");
  for (const [pattern, toRequest] of patterns) {
    const match = pattern.exec(plain);
    if (!match) continue;
    const name = decodeUri(match[1] ?? "")
      ?.toLowerCase()
      .replace(/\s+/g, "-");
    const request = name === undefined ? null : toRequest(name);
    const feed = request && isPossible(request) ? feedPath(request, fileOf(plain, query)) : null;
    // Not to itself, where there is no such feed.
    return feed === plain ? null : feed;
  }
  return null;
}

/** Whether a feed can have this name: a redirect leads nowhere else. */
const isPossible = (request: FeedRequest): boolean =>
  request.of === "tag"
    ? hasTagPage(request.tag)
    : request.of !== "person" || /^[a-z\d][\w.-]*$/.test(request.username);

function fileOf(address: string, query: string): FeedFile {
  if (/(?:^|&)alt=rss(?:&|$)/i.test(query)) return "feed.xml";
  if (address.endsWith("json")) return "feed.json";
  return /atom$|atom\.xml$|^\/feeds\/|=atom/i.test(address) ? "atom.xml" : "feed.xml";
}
