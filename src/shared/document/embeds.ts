import { documentLimits as limits } from "./limits.ts";

/** Where something is that a text may show as a card. */
export interface Embeddable {
  kind: "youtube" | "vimeo" | "mastodon" | "bluesky" | "gist";
  /** What its place is called. */
  place: string;
  /** What it is called there: of a video or a post. */
  id: string;
  /** What plays it within a page, without cookies before it is asked to. */
  frame?: string;
}

/** What an address leads to, if a card of it can be had; else null. Full addresses by https alone. */
export function embeddable(href: unknown): Embeddable | null {
  if (typeof href !== "string" || href.length > limits.address || !/^https:\/\/[!-~]+$/.test(href))
    return null;
  if (/["'<>\\^`{|}]/.test(href) || !URL.canParse(href)) return null;
  const { hostname, pathname, searchParams, username, port } = new URL(href);
  // What stands at another port is none of these places, and nothing that is to be knocked at.
  if (username !== "" || port !== "") return null;
  const of = (path: RegExp): string | undefined => path.exec(pathname)?.[1];
  switch (hostname.replace(/^(?:www|m)\./, "")) {
    case "youtube.com":
      return youtube(
        pathname === "/watch" ? searchParams.get("v") : of(/^\/(?:shorts|live|embed)\/([\w-]+)\/?$/),
      );
    case "youtube-nocookie.com":
      return youtube(of(/^\/embed\/([\w-]+)\/?$/));
    case "youtu.be":
      return youtube(of(/^\/([\w-]+)\/?$/));
    case "vimeo.com":
      return vimeo(of(/^\/(\d{1,12})\/?$/));
    case "player.vimeo.com":
      return vimeo(of(/^\/video\/(\d{1,12})\/?$/));
    case "bsky.app":
      return known("bluesky", "Bluesky", of(/^\/profile\/[\w.:-]+\/post\/(\w{1,40})\/?$/));
    case "gist.github.com":
      return known("gist", "GitHub Gist", of(/^\/[\w-]+\/([\da-f]{20,40})\/?$/));
    default:
      return known("mastodon", hostname, of(/^\/@\w+(?:@[\w.-]+)?\/(\d{15,20})\/?$/));
  }
}

/**
 * What a blog is called at an address that says no more than where it is: of the site at `origin`, or of any. A text holds that
 * address alone, since each reader may see something else of what is there.
 */
export function blogAt(href: unknown, origin?: string): string | null {
  if (typeof href !== "string" || href.length > limits.address) return null;
  const [, site, slug] =
    /^(https?:\/\/[^\s/?#@"'<>\\^`{|}]+)\/blog\/([a-z\d]+(?:-[a-z\d]+)*)$/.exec(href) ?? [];
  if (!site || !slug || slug.length > 200 || !URL.canParse(href)) return null;
  return origin === undefined || site === origin ? slug : null;
}

/** Whether a text of the site at `origin` may show a card of what is at an address; without one, of any site. */
export const hasCard = (href: unknown, origin?: string): boolean =>
  embeddable(href) !== null || blogAt(href, origin) !== null;

const known = (
  kind: Embeddable["kind"],
  place: string,
  id: string | null | undefined,
  frame?: (id: string) => string,
): Embeddable | null => (id ? { kind, place, id, ...(frame && { frame: frame(id) }) } : null);

const youtube = (id: string | null | undefined) =>
  known(
    "youtube",
    "YouTube",
    id && /^[\w-]{11}$/.test(id) ? id : null,
    (video) => `https://www.youtube-nocookie.com/embed/${video}?autoplay=1`,
  );

const vimeo = (id: string | undefined) =>
  known("vimeo", "Vimeo", id, (video) => `https://player.vimeo.com/video/${video}?dnt=1&autoplay=1`);

/** What a card says: asked for once, where it is, and kept in the document. */
export interface EmbedCard {
  title: string;
  author: string;
  text: string;
}
