import type { FastifyReply, FastifyRequest } from "fastify";
import { hash } from "node:crypto";
import { compressed, type Effort } from "../http/compression.ts";
import type { Bus } from "../live/bus.ts";
import { peopleTopic, withRights } from "../live/signals.ts";
import { SignalCache } from "../live/signal-cache.ts";
import { encodingOf, type CachedEncoding } from "./encoding.ts";

const ENTRIES = 1_000;
const BYTES = 64 * 1024 * 1024;

export interface FinishedPage {
  etag: string;
  length: number;
  /** Returns the page's bytes, cached by encoding. */
  bytes: (encoding: CachedEncoding) => Buffer | Promise<Buffer>;
}

/** Compresses fast for the first request; the second starts a better compression for later ones. */
export function finishPage(plain: Buffer): FinishedPage {
  const made = new Map<CachedEncoding, Buffer | Promise<Buffer>>([["identity", plain]]);
  const better = new Set<CachedEncoding>(["identity"]);
  const make = (encoding: Exclude<CachedEncoding, "identity">, effort: Effort): Buffer | Promise<Buffer> => {
    const bytes = compressed(plain, encoding, effort);
    // Then callers need not wait.
    if ("then" in bytes)
      void bytes.then(
        (done) => made.set(encoding, done),
        () => undefined,
      );
    return bytes;
  };
  return {
    length: plain.length,
    etag: `W/"${hash("sha256", plain, "base64url").slice(0, 22)}"`,
    bytes: (encoding) => {
      const known = made.get(encoding);
      if (encoding === "identity") return plain;
      if (!known) {
        const bytes = make(encoding, "once");
        made.set(encoding, bytes);
        return bytes;
      }
      if (!better.has(encoding)) {
        better.add(encoding);
        void make(encoding, "kept");
      }
      return known;
    },
  };
}

/** Sends a page in an encoding that the client accepts. */
export async function sendFinished(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  page: FinishedPage,
): Promise<FastifyReply> {
  const encoding = encodingOf(headers["accept-encoding"]);
  if (encoding !== "identity") void reply.header("content-encoding", encoding);
  return reply.send(await page.bytes(encoding));
}

/** A rendered page, and the topics that invalidate it; null if it is for one viewer and not to be cached. */
export interface RenderedPage {
  bytes: Buffer;
  topics: string[] | null;
}

type Cursor = () => Promise<string>;
type Draw<Made> = () => Promise<Made>;
interface Finished<Made> {
  made: Made;
  page: FinishedPage | undefined;
}

/** Caches guests' pages until something on them changes, at most a minute. Concurrent requests share a rendering. */
export class PageCache {
  readonly #pages: SignalCache<FinishedPage>;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(bus: Pick<Bus, "listen">) {
    // Includes compressed forms.
    this.#pages = new SignalCache(bus, {
      max: ENTRIES,
      maxSize: BYTES,
      sizeOf: ({ length }) => 2 * length + 1,
    });
  }

  get(key: string): FinishedPage | undefined {
    return this.#pages.get(key);
  }

  /**
   * Renders a page, or awaits a rendering begun after the last change. `cursor` returns the event log's position, which every
   * visible change moves: the page is cached only if nothing happened meanwhile.
   */
  async make<Made>(
    key: string,
    cursor: Cursor,
    draw: Draw<Made>,
    draftOf: (made: Made) => RenderedPage | null,
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
    draftOf: (made: Made) => RenderedPage | null,
  ): Promise<Finished<Made>> {
    // Changes of names are signalled without an event, so they do not move the cursor.
    const watch = this.#pages.startFill(key, [peopleTopic]);
    try {
      const before = await cursor();
      const made = await draw();
      const draft = draftOf(made);
      if (!draft) return { made, page: undefined };
      const page = finishPage(draft.bytes);
      if (draft.topics) {
        // Listen before reading the cursor, which shows earlier commits.
        watch.listen(withRights(draft.topics));
        if ((await cursor()) === before) watch.store(page);
      }
      return { made, page };
    } finally {
      watch.end();
    }
  }
}
