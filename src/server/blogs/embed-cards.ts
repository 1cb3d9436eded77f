import { LRUCache } from "lru-cache";
import { embeddable, type EmbedCard, type Embeddable } from "../../shared/document/embeds.ts";
import { unescapeHtml } from "../../shared/document/to-html.ts";
import { documentLimits } from "../../shared/document/limits.ts";
import { cleanLabel } from "../../shared/document/values.ts";
import type { RateLimits } from "../auth/rate-limits.ts";
import { fetchPublic, isPublicAddress } from "../media/fetch-public.ts";

/** The most bytes of a response, and its timeout in milliseconds. */
const most = { bytes: 512 * 1024, time: 4_000 };
/** Failures are cached, too. */
const kept = { max: 1_000, ttl: 10 * 60_000 };

/** Network access and rate limits, replaced in tests; the command line has no limits. */
export interface EmbedOptions {
  limits?: RateLimits;
  mayReach?: (address: string) => boolean;
  /** Replaces the address to fetch. */
  asked?: (address: string) => string;
}

/**
 * Fetches cards as JSON from API addresses built here, without following redirects. Late, large or unexpected responses give no
 * card.
 */
export class EmbedCards {
  readonly #isOn: boolean;
  readonly #limits: RateLimits | undefined;
  readonly #mayReach: (address: string) => boolean;
  readonly #asked: (address: string) => string;
  readonly #known = new LRUCache<string, { card: Promise<EmbedCard | null>; askedAt: number }>(kept);

  constructor(
    isOn: boolean,
    { limits, mayReach = isPublicAddress, asked = (address) => address }: EmbedOptions = {},
  ) {
    this.#isOn = isOn;
    this.#limits = limits;
    this.#mayReach = mayReach;
    this.#asked = asked;
  }

  /**
   * Returns the addresses with a cached result and at most `requests` others, first those whose last request is longest ago:
   * those that always fail must not keep others from their turn.
   */
  choose(hrefs: string[], requests: number): string[] {
    const askedAt = (href: string) => this.#known.peek(href, { allowStale: true })?.askedAt ?? 0;
    const others = hrefs.filter((href) => !this.#known.has(href));
    return [
      ...hrefs.filter((href) => this.#known.has(href)),
      ...others.toSorted((one, other) => askedAt(one) - askedAt(other)).slice(0, requests),
    ];
  }

  /** Returns a card; null if there is none or the person reached the rate limit. */
  async fetchCard(href: string, whose: string): Promise<EmbedCard | null> {
    const what = this.#isOn ? embeddable(href) : null;
    if (!what || !(this.#known.has(href) || (await this.#mayAsk(whose)))) return null;
    let known = this.#known.get(href);
    if (!known) {
      known = { card: this.#ask(href, what).catch(() => null), askedAt: performance.now() };
      this.#known.set(href, known);
    }
    return known.card;
  }

  async #mayAsk(whose: string): Promise<boolean> {
    try {
      await this.#limits?.take("embed", whose);
      return true;
    } catch {
      return false;
    }
  }

  async #ask(href: string, what: Embeddable): Promise<EmbedCard | null> {
    const { bytes, type } = await fetchPublic(new URL(this.#asked(addressFor(href, what))), {
      mayReach: this.#mayReach,
      signal: AbortSignal.timeout(most.time),
      accept: "application/json",
      most: most.bytes,
    });
    if (!bytes || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return null;
    const said: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof said !== "object" || said === null) return null;
    const { title, author, text } = read[what.kind](said as Said);
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
  const of = encodeURIComponent(href);
  switch (kind) {
    case "youtube":
      return `https://www.youtube.com/oembed?format=json&url=${of}`;
    case "vimeo":
      return `https://vimeo.com/api/oembed.json?url=${of}`;
    case "bluesky":
      return `https://embed.bsky.app/oembed?format=json&url=${of}`;
    case "gist":
      return `https://api.github.com/gists/${id}`;
    case "mastodon":
      return `${new URL(href).origin}/api/v1/statuses/${id}`;
  }
}

type Said = Record<string, unknown>;
type Read = Record<keyof EmbedCard, unknown>;

const within = (said: unknown, name: string): unknown =>
  typeof said === "object" && said !== null && Object.hasOwn(said, name) ? (said as Said)[name] : undefined;

const video = (said: Said): Read => ({ title: said.title, author: said.author_name, text: "" });

/** Reads each site's response, whose types are not trusted. */
const read: Record<Embeddable["kind"], (said: Said) => Read> = {
  youtube: video,
  vimeo: video,
  bluesky: (said) => ({ title: said.author_name, author: "", text: plain(firstParagraph(said.html)) }),
  gist: (said) => {
    const [file] = Object.values((said.files ?? {}) as Said);
    return {
      title: said.description || within(file, "filename"),
      author: within(said.owner, "login"),
      text: within(file, "content"),
    };
  },
  mastodon: (said) => {
    // Text behind a content warning stays hidden.
    const isOpen = said.visibility === "public" || said.visibility === "unlisted";
    const warning = said.sensitive === true ? said.spoiler_text : "";
    const { account } = said;
    return {
      title: isOpen ? within(account, "display_name") || within(account, "username") : "",
      author: isOpen ? `@${String(within(account, "acct"))}` : "",
      text: warning || (said.sensitive === true ? "" : plain(said.content)),
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
