import { DocumentError } from "../../shared/document/document-error.ts";
import { tooBusy } from "../../shared/errors.ts";
import type { FeedFile } from "../../shared/feeds.ts";
import { addressKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import { serialize } from "../runtime/concurrency.ts";
import { writeFeed, type Feed } from "./formats.ts";

/**
 * Characters of text that the main thread writes in about ten milliseconds, and faster than a thread starts. More is written in
 * a thread.
 */
const maxShortFeed = 400_000;

/** Returns a feed's bytes. Throws `unavailable` or `too_many` when too many long ones wait. */
export async function feedBytes(
  { workers, address }: Pick<Context, "workers" | "address">,
  feed: Feed,
  file: FeedFile,
): Promise<Buffer> {
  const length = feed.entries.reduce((sum, { html }) => sum + html.length, 0);
  if (length <= maxShortFeed) return serialize(() => Buffer.from(writeFeed(feed, file)));
  const { buffer, byteOffset, byteLength } = await workers
    .run("feed", { feed, file }, addressKey(address))
    .catch((error: unknown) => {
      throw error instanceof DocumentError ? tooBusy() : error;
    });
  return Buffer.from(buffer, byteOffset, byteLength);
}
