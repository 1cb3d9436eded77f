import { LRUCache } from "lru-cache";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "./encoding.ts";

const ENTRIES = 1_000;
const BYTES = 64 * 1024 * 1024;
const TTL = 60_000;

export interface FinishedPage {
  html: string;
  etag: string;
  /** The page's bytes; each encoding is made once. */
  bytes: (encoding: Encoding) => Buffer | Promise<Buffer>;
}

export function finishPage(html: string): FinishedPage {
  const plain = Buffer.from(html);
  const made = new Map<Encoding, Buffer | Promise<Buffer>>([["identity", plain]]);
  return {
    html,
    etag: `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    bytes: (encoding) => {
      let bytes = made.get(encoding);
      if (!bytes) {
        bytes = compress(plain, encoding).then((done) => {
          // The bytes themselves from now on: nothing to wait for.
          made.set(encoding, done);
          return done;
        });
        made.set(encoding, bytes);
      }
      return bytes;
    },
  };
}

function compress(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(plain);
  return promisify(brotliCompress)(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
}

/** A rendered page, and the topics whose rings make it old. Null topics: it is nobody else's to see. */
export interface Draft {
  html: string;
  topics: string[] | null;
}

type Cursor = () => Promise<string>;
type Draw<Made> = () => Promise<Made>;
interface Finished<Made> {
  made: Made;
  page: FinishedPage | undefined;
}

interface Doorbell {
  listen(topic: string, wake: () => void): () => void;
}

/**
 * Finished pages as guests see them. A page goes as soon as something that it shows has changed, and after a minute in
 * any case. Requests that come while a page is being made share it.
 */
export class PageCache {
  readonly #bell: Doorbell;
  readonly #pages: LRUCache<string, FinishedPage & { stops: (() => void)[] }>;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(bell: Doorbell) {
    this.#bell = bell;
    this.#pages = new LRUCache({
      max: ENTRIES,
      maxSize: BYTES,
      // Text in memory and its compressed forms: about three bytes a letter.
      sizeCalculation: ({ html }) => 3 * html.length + 1,
      ttl: TTL,
      dispose: ({ stops }) => {
        for (const stop of stops) stop();
      },
    });
  }

  get(key: string): FinishedPage | undefined {
    return this.#pages.get(key);
  }

  /**
   * Makes the page, or waits for who makes it now and began after the last change. `cursor` tells where the outbox stands, which moves with every change
   * that a page can show: the page is kept only if nothing at all happened while it was made.
   */
  async make<Made>(
    key: string,
    cursor: Cursor,
    draw: Draw<Made>,
    draftOf: (made: Made) => Draft | null,
  ): Promise<Finished<Made>> {
    const state = `${await cursor()} ${key}`;
    const waiting = this.#underWay.get(state) as Promise<Finished<Made>> | undefined;
    if (waiting) return waiting;
    const making = this.#make(key, cursor, draw, draftOf).finally(() => this.#underWay.delete(state));
    this.#underWay.set(state, making);
    return making;
  }

  async #make<Made>(
    key: string,
    cursor: Cursor,
    draw: Draw<Made>,
    draftOf: (made: Made) => Draft | null,
  ): Promise<Finished<Made>> {
    let rung = false;
    // People's names ring without leaving an event, so the cursor alone would not tell.
    const stopPeople = this.#bell.listen("people", () => {
      rung = true;
    });
    try {
      const before = await cursor();
      const made = await draw();
      const draft = draftOf(made);
      if (!draft) return { made, page: undefined };
      const page = finishPage(draft.html);
      if (draft.topics) {
        const evict = (): void => {
          rung = true;
          this.#pages.delete(key);
        };
        // Listen before looking: what was committed between reading the data and listening has moved the cursor.
        const stops = [...topicsOf(draft.topics)].map((topic) => this.#bell.listen(topic, evict));
        if ((await cursor()) === before && !rung) this.#pages.set(key, { ...page, stops });
        else for (const stop of stops) stop();
      }
      return { made, page };
    } finally {
      stopPeople();
    }
  }
}

/** What the page says it reads, the rights to it, and the names and pictures of the people in it. */
function topicsOf(topics: string[]): Set<string> {
  return new Set([
    "people",
    ...topics,
    ...topics.flatMap((topic) =>
      topic.startsWith("blog:") ? [`rights:${topic.slice("blog:".length)}`] : [],
    ),
  ]);
}
