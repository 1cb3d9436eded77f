import type { FastifyReply, FastifyRequest } from "fastify";
import { hash } from "node:crypto";
import { compressed, type Effort } from "../compression.ts";
import type { Bus } from "../live/bus.ts";
import { peopleTopic, withRights } from "../live/signals.ts";
import { SignalCache } from "../live/signal-cache.ts";
import { encodingOf, type KeptEncoding } from "./encoding.ts";

const ENTRIES = 1_000;
const BYTES = 64 * 1024 * 1024;

export interface FinishedPage {
  etag: string;
  length: number;
  /** The page's bytes; each encoding is made once. */
  bytes: (encoding: KeptEncoding) => Buffer | Promise<Buffer>;
}

/** Whoever asks first gets it compressed in a moment; whoever comes then shows that more work pays, and later ones have it. */
export function finishPage(plain: Buffer): FinishedPage {
  const made = new Map<KeptEncoding, Buffer | Promise<Buffer>>([["identity", plain]]);
  const better = new Set<KeptEncoding>(["identity"]);
  const make = (encoding: Exclude<KeptEncoding, "identity">, effort: Effort): Buffer | Promise<Buffer> => {
    const bytes = compressed(plain, encoding, effort);
    // The bytes themselves once they are there: nothing to wait for.
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

/** Sends it as whoever asks can read it. */
export async function sendFinished(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  page: FinishedPage,
): Promise<FastifyReply> {
  const encoding = encodingOf(headers["accept-encoding"]);
  if (encoding !== "identity") void reply.header("content-encoding", encoding);
  return reply.send(await page.bytes(encoding));
}

/** A rendered page, and the topics whose signals make it old. Null topics: it is nobody else's to see. */
export interface Draft {
  bytes: Buffer;
  topics: string[] | null;
}

type Cursor = () => Promise<string>;
type Draw<Made> = () => Promise<Made>;
interface Finished<Made> {
  made: Made;
  page: FinishedPage | undefined;
}

/**
 * Finished pages as guests see them. A page goes as soon as something that it shows has changed, and after a minute in
 * any case. Requests that come while a page is being made share it.
 */
export class PageCache {
  readonly #pages: SignalCache<FinishedPage>;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(bus: Pick<Bus, "listen">) {
    // With its compressed forms.
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
   * Makes the page, or waits for who makes it now and began after the last change. `cursor` tells where the event log stands, which moves with every change
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
    // People's names ring without leaving an event, so the cursor alone would not tell.
    const watch = this.#pages.startFill(key, [peopleTopic]);
    try {
      const before = await cursor();
      const made = await draw();
      const draft = draftOf(made);
      if (!draft) return { made, page: undefined };
      const page = finishPage(draft.bytes);
      if (draft.topics) {
        // Listen before looking: what was committed between reading the data and listening has moved the cursor.
        watch.listen(withRights(draft.topics));
        if ((await cursor()) === before) watch.store(page);
      }
      return { made, page };
    } finally {
      watch.end();
    }
  }
}
