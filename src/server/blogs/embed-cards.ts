import { LRUCache } from "lru-cache";
import { embeddable, type EmbedCard, type Embeddable } from "../../shared/document/embeds.ts";
import { unescapeHtml } from "../../shared/document/to-html.ts";
import { documentLimits } from "../../shared/document/limits.ts";
import { cleanLabel } from "../../shared/document/values.ts";
import type { RateLimits } from "../auth/limits.ts";
import { getWithin, isOfTheWeb } from "../media/get-within.ts";

/** Bytes of an answer, and milliseconds until it is there. */
const most = { bytes: 512 * 1024, time: 4_000 };
/** What was asked for lately is not asked for again, whether it could be had or not. */
const kept = { max: 1_000, ttl: 10 * 60_000 };

/** Where cards come from, tests having places of their own, and how often one person may have them asked for: without bounds at the command line. */
export interface EmbedPlaces {
  limits?: RateLimits;
  mayReach?: (address: string) => boolean;
  /** The address that is asked in the place of another one. */
  asked?: (address: string) => string;
}

/**
 * Asks the places that a text may show something of what it is: in JSON, by addresses of ours and not by what they name, without
 * following them elsewhere. What is not there in time, too large or something else is no card.
 */
export class EmbedCards {
  readonly #isOn: boolean;
  readonly #limits: RateLimits | undefined;
  readonly #mayReach: (address: string) => boolean;
  readonly #asked: (address: string) => string;
  readonly #known = new LRUCache<string, { card: Promise<EmbedCard | null> }>(kept);

  constructor(
    isOn: boolean,
    { limits, mayReach = isOfTheWeb, asked = (address) => address }: EmbedPlaces = {},
  ) {
    this.#isOn = isOn;
    this.#limits = limits;
    this.#mayReach = mayReach;
    this.#asked = asked;
  }

  /** The card of an address; null where there is none to be had, or where this person has had too many asked for lately. */
  async look(href: string, whose: string): Promise<EmbedCard | null> {
    const what = this.#isOn ? embeddable(href) : null;
    if (!what || !(this.#known.has(href) || (await this.#mayAsk(whose)))) return null;
    let known = this.#known.get(href);
    if (!known) {
      known = { card: this.#ask(href, what).catch(() => null) };
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
    const { bytes, type } = await getWithin(new URL(this.#asked(addressFor(href, what))), {
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

/** The address that tells of it. */
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

/** What each of them says, of which none is trusted to be what it should. */
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
    // What its author has put behind a warning stays there.
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

/** Of what is said in HTML so much is looked at. */
const mostHtml = 20_000;

const firstParagraph = (html: unknown): string =>
  typeof html === "string" ? (/<p\b[^<>]*>([^]{0,5000}?)<\/p>/.exec(html.slice(0, mostHtml))?.[1] ?? "") : "";

/** The words of a little HTML. What comes of it is text, and escaped wherever it is shown. */
const plain = (html: unknown): string =>
  typeof html === "string" ? unescapeHtml(html.slice(0, mostHtml).replace(/<[^<>]*>/g, " ")) : "";

/** Words on one line, cut where they are too many. */
const line = (value: unknown, length: number): string =>
  typeof value === "string" ? cleanLabel(value.slice(0, length * 4).replace(/\s+/g, " "), length).trim() : "";
