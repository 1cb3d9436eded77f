import { documentLimits as limits } from "./limits.ts";

/** The target of a card in a text. */
export interface Embeddable {
  kind: "youtube" | "vimeo" | "mastodon" | "bluesky" | "gist";
  /** The service's name. */
  place: string;
  /** Its id of the video or post. */
  id: string;
  /** The player's URL, which sets no cookies before it is opened. */
  frame?: string;
}

/** Returns what a full https URL leads to, if it can have a card; else null. */
export function embeddable(href: unknown): Embeddable | null {
  if (typeof href !== "string" || href.length > limits.address || !/^https:\/\/[!-~]+$/.test(href))
    return null;
  if (/["'<>\\^`{|}]/.test(href) || !URL.canParse(href)) return null;
  const { hostname, pathname, searchParams, username, port } = new URL(href);
  // Another port is another server, which must not be requested.
  if (username !== "" || port !== "") return null;
  const match = (path: RegExp): string | undefined => path.exec(pathname)?.[1];
  switch (hostname.replace(/^(?:www|m)\./, "")) {
    case "youtube.com":
      return youtube(
        pathname === "/watch" ? searchParams.get("v") : match(/^\/(?:shorts|live|embed)\/([\w-]+)\/?$/),
      );
    case "youtube-nocookie.com":
      return youtube(match(/^\/embed\/([\w-]+)\/?$/));
    case "youtu.be":
      return youtube(match(/^\/([\w-]+)\/?$/));
    case "vimeo.com":
      return vimeo(match(/^\/(\d{1,12})\/?$/));
    case "player.vimeo.com":
      return vimeo(match(/^\/video\/(\d{1,12})\/?$/));
    case "bsky.app":
      return knownEmbed("bluesky", "Bluesky", match(/^\/profile\/[\w.:-]+\/post\/(\w{1,40})\/?$/));
    case "gist.github.com":
      return knownEmbed("gist", "GitHub Gist", match(/^\/[\w-]+\/([\da-f]{20,40})\/?$/));
    default:
      return knownEmbed("mastodon", hostname, match(/^\/@\w+(?:@[\w.-]+)?\/(\d{15,20})\/?$/));
  }
}

/**
 * Returns the slug of a blog's path here, or plain URL at `origin` or at any site. A text stores only that URL, since readers may see
 * different content.
 */
export function blogAt(href: unknown, origin?: string): string | null {
  if (typeof href !== "string" || href.length > limits.address) return null;
  const [, site, slug] =
    /^(https?:\/\/[^\s/?#@"'<>\\^`{|}]+)?\/blog\/([a-z\d]+(?:-[a-z\d]+)*)$/.exec(href) ?? [];
  if (!slug || slug.length > 200 || (site && !URL.canParse(href))) return null;
  return origin === undefined || (site ?? origin) === origin ? slug : null;
}

/** Whether a text of the site at `origin` (or any) can show a card of a URL. */
export const hasCard = (href: unknown, origin?: string): boolean =>
  embeddable(href) !== null || blogAt(href, origin) !== null;

const knownEmbed = (
  kind: Embeddable["kind"],
  place: string,
  id: string | null | undefined,
  frame?: (id: string) => string,
): Embeddable | null => (id ? { kind, place, id, ...(frame && { frame: frame(id) }) } : null);

const youtube = (id: string | null | undefined) =>
  knownEmbed(
    "youtube",
    "YouTube",
    id && /^[\w-]{11}$/.test(id) ? id : null,
    (video) => `https://www.youtube-nocookie.com/embed/${video}?autoplay=1`,
  );

const vimeo = (id: string | undefined) =>
  knownEmbed("vimeo", "Vimeo", id, (video) => `https://player.vimeo.com/video/${video}?dnt=1&autoplay=1`);

/** Fetched once and stored in the document. */
export interface EmbedCard {
  title: string;
  author: string;
  text: string;
}
