import type { FastifyReply, FastifyRequest } from "fastify";
import { hash } from "node:crypto";
import {
  compressedFast,
  compressedWell,
  encodingOf,
  type CachedEncoding,
  type Compress,
} from "./compression.ts";
import { pageMemory } from "../runtime/cache.ts";
import type { Bus } from "../live/bus.ts";
import { peopleTopic, withRights } from "../live/signals.ts";
import { SignalCache } from "../live/signal-cache.ts";

export interface FinishedPage {
  etag: string;
  length: number;
  /** Returns the page's bytes, cached by encoding. */
  bytes: (encoding: CachedEncoding) => Buffer | Promise<Buffer>;
}

/** Compresses at the first request of an encoding; by default for one reader. */
export function finishPage(plain: Buffer, compress: Compress = compressedFast): FinishedPage {
  const encoded = new Map<CachedEncoding, Buffer | Promise<Buffer>>([["identity", plain]]);
  return {
    length: plain.length,
    etag: `W/"${hash("sha256", plain, "base64url").slice(0, 22)}"`,
    bytes: (encoding) => {
      const known = encoded.get(encoding);
      if (known || encoding === "identity") return known ?? plain;
      const made = compress(plain, encoding);
      encoded.set(encoding, made);
      if ("then" in made)
        made.then(
          // Then callers need not wait.
          (bytes) => encoded.set(encoding, bytes),
          () => encoded.delete(encoding),
        );
      return made;
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
  /** Or how to make them of data that was read already: what happens meanwhile elsewhere does not prevent caching. */
  bytes: Buffer | (() => Promise<Buffer>);
  topics: string[] | null;
}

type Cursor = () => Promise<string>;
type Render<Made> = () => Promise<Made>;
interface Finished<Made> {
  made: Made;
  page: FinishedPage | undefined;
}

/** Caches guests' pages until something on them changes, at most a minute. Concurrent requests share a rendering. */
export class PageCache {
  readonly #pages: SignalCache<FinishedPage>;
  readonly #pendingPages = new Map<string, Promise<unknown>>();

  constructor(bus: Pick<Bus, "listen" | "isBehind">) {
    // Includes compressed forms.
    this.#pages = new SignalCache(bus, ({ length }) => 2 * length, pageMemory);
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
    render: Render<Made>,
    draftOf: (made: Made) => RenderedPage | null,
  ): Promise<Finished<Made>> {
    const state = `${await cursor()} ${key}`;
    const pending = this.#pendingPages.get(state) as Promise<Finished<Made>> | undefined;
    if (pending) return pending;
    const rendering = this.#make(key, cursor, render, draftOf).finally(() =>
      this.#pendingPages.delete(state),
    );
    this.#pendingPages.set(state, rendering);
    return rendering;
  }

  async #make<Made>(
    key: string,
    cursor: Cursor,
    render: Render<Made>,
    draftOf: (made: Made) => RenderedPage | null,
  ): Promise<Finished<Made>> {
    // Changes of names are signalled without an event, so they do not move the cursor.
    const fill = this.#pages.startFill(key, [peopleTopic]);
    try {
      const before = await cursor();
      const rendered = await render();
      const draft = draftOf(rendered);
      if (!draft) return { made: rendered, page: undefined };
      // Listen before reading the cursor, which shows earlier commits.
      if (draft.topics) fill.listen(withRights(draft.topics));
      const isCurrent = draft.topics !== null && (await cursor()) === before;
      const bytes = typeof draft.bytes === "function" ? await draft.bytes() : draft.bytes;
      const page = finishPage(bytes, isCurrent ? compressedWell : compressedFast);
      if (isCurrent) fill.store(page);
      return { made: rendered, page };
    } finally {
      fill.end();
    }
  }
}

/** Whether `If-None-Match` names this ETag, weak or strong, or is `*` (RFC 9110, 13.1.2). */
export const isKnownEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etag.replace(/^W\//, "")));
