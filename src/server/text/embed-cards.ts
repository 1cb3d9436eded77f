import { LRUCache } from "lru-cache";
import { embeddable, type EmbedCard, type Embeddable } from "../../shared/document/embeds.ts";
import { unescapeHtml } from "../../shared/document/html-tags.ts";
import { documentLimits } from "../../shared/document/limits.ts";
import { cleanLabel } from "../../shared/document/values.ts";
import type { RateLimits } from "../auth/rate-limits.ts";
import { fetchPublic, isPublicAddress } from "../media/fetch-public.ts";

/** The most bytes of a response, and its timeout in milliseconds. */
const responseLimits = { bytes: 512 * 1024, time: 4_000 };
/** Failures are cached, too. */
const cacheOptions = { max: 1_000, ttl: 10 * 60_000 };

/** Network access and rate limits, replaced in tests; the command line has no limits. */
export interface EmbedOptions {
  limits?: RateLimits;
  mayReach?: (address: string) => boolean;
  /** Replaces the address to fetch. */
  replaceAddress?: (address: string) => string;
}

/**
 * Fetches cards as JSON from API addresses built here, without following redirects. Late, large or unexpected responses give no
 * card.
 */
export class EmbedCards {
  readonly #isOn: boolean;
  readonly #limits: RateLimits | undefined;
  readonly #mayReach: (address: string) => boolean;
  readonly #replaceAddress: (address: string) => string;
  readonly #cache = new LRUCache<string, { card: Promise<EmbedCard | null>; askedAt: number }>(cacheOptions);

  constructor(
    isOn: boolean,
    { limits, mayReach = isPublicAddress, replaceAddress = (address) => address }: EmbedOptions = {},
  ) {
    this.#isOn = isOn;
    this.#limits = limits;
    this.#mayReach = mayReach;
    this.#replaceAddress = replaceAddress;
  }

  /**
   * Returns the addresses with a cached result and at most `requests` others, first those whose last request is longest ago:
   * those that always fail must not keep others from their turn.
   */
  choose(hrefs: string[], requests: number): string[] {
    const askedAt = (href: string) => this.#cache.peek(href, { allowStale: true })?.askedAt ?? 0;
    const others = hrefs.filter((href) => !this.#cache.has(href));
    return [
      ...hrefs.filter((href) => this.#cache.has(href)),
      ...others.toSorted((a, b) => askedAt(a) - askedAt(b)).slice(0, requests),
    ];
  }

  /** Returns a card; null if there is none or the person reached the rate limit. */
  async fetchCard(href: string, owner: string): Promise<EmbedCard | null> {
    const embed = this.#isOn ? embeddable(href) : null;
    if (!embed || !(this.#cache.has(href) || (await this.#isRequestAllowed(owner)))) return null;
    let cached = this.#cache.get(href);
    if (!cached) {
      cached = { card: this.#requestCard(href, embed).catch(() => null), askedAt: performance.now() };
      this.#cache.set(href, cached);
    }
    return cached.card;
  }

  async #isRequestAllowed(owner: string): Promise<boolean> {
    try {
      await this.#limits?.take("embed", owner);
      return true;
    } catch {
      return false;
    }
  }

  async #requestCard(href: string, embed: Embeddable): Promise<EmbedCard | null> {
    const { bytes, type } = await fetchPublic(new URL(this.#replaceAddress(addressFor(href, embed))), {
      mayReach: this.#mayReach,
      signal: AbortSignal.timeout(responseLimits.time),
      accept: "application/json",
      maxBytes: responseLimits.bytes,
    });
    if (!bytes || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return null;
    const response: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof response !== "object" || response === null) return null;
    const { title, author, text } = read[embed.kind](response as JsonObject);
    const limits = documentLimits.embed;
    const card = {
      title: line(title, limits.title) || line(author, limits.title),
      author: line(author, limits.author),
      text: line(text, limits.text),
    };
    return card.title === "" ? null : card;
  }
}

function addressFor(href: string, { kind, id }: Embeddable): string {
  const url = encodeURIComponent(href);
  switch (kind) {
    case "youtube":
      return `https://www.youtube.com/oembed?format=json&url=${url}`;
    case "vimeo":
      return `https://vimeo.com/api/oembed.json?url=${url}`;
    case "bluesky":
      return `https://embed.bsky.app/oembed?format=json&url=${url}`;
    case "gist":
      return `https://api.github.com/gists/${id}`;
    case "mastodon":
      return `${new URL(href).origin}/api/v1/statuses/${id}`;
  }
}

type JsonObject = Record<string, unknown>;
type CardFields = Record<keyof EmbedCard, unknown>;

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;

const readVideo = (response: JsonObject): CardFields => ({
  title: response.title,
  author: response.author_name,
  text: "",
});

/** Reads each site's response, whose types are not trusted. */
const read: Record<Embeddable["kind"], (response: JsonObject) => CardFields> = {
  youtube: readVideo,
  vimeo: readVideo,
  bluesky: (response) => ({
    title: response.author_name,
    author: "",
    text: plain(firstParagraph(response.html)),
  }),
  gist: (response) => {
    const [file] = Object.values((response.files ?? {}) as JsonObject);
    return {
      title: response.description || propertyOf(file, "filename"),
      author: propertyOf(response.owner, "login"),
      text: propertyOf(file, "content"),
    };
  },
  mastodon: (response) => {
    // Text behind a content warning stays hidden.
    const isOpen = response.visibility === "public" || response.visibility === "unlisted";
    const warning = response.sensitive === true ? response.spoiler_text : "";
    const { account } = response;
    return {
      title: isOpen ? propertyOf(account, "display_name") || propertyOf(account, "username") : "",
      author: isOpen ? `@${String(propertyOf(account, "acct"))}` : "",
      text: warning || (response.sensitive === true ? "" : plain(response.content)),
    };
  },
};

/** The most characters of HTML to read. */
const mostHtml = 20_000;

const firstParagraph = (html: unknown): string =>
  typeof html === "string" ? (/<p\b[^<>]*>([^]{0,5000}?)<\/p>/.exec(html.slice(0, mostHtml))?.[1] ?? "") : "";

/** Returns the text of short HTML; wherever it is shown it must be escaped. */
const plain = (html: unknown): string =>
  typeof html === "string" ? unescapeHtml(html.slice(0, mostHtml).replace(/<[^<>]*>/g, " ")) : "";

/** Returns text on one line, truncated to `length`. */
const line = (value: unknown, length: number): string =>
  typeof value === "string" ? cleanLabel(value.slice(0, length * 4).replace(/\s+/g, " "), length).trim() : "";
