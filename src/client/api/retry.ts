import type { Query } from "@tanstack/react-query";
import { siteResponds } from "../ui/fetch-code.ts";
import { connectionStatus } from "./connection-status.ts";
import { isUnanswered, isTransient, retryAfter } from "./errors.ts";

/*
 * The retry policy. A transient failure (`isTransient`: no response, or a busy server) is retried, any other shown at once. Delays
 * grow, with jitter, are at least Retry-After, and end once the connection is live. A page's first fetch is tried three times;
 * then the failure is shown, and retries wait for the site to answer. A shown query, also a refetch, is retried until it is
 * answered or no longer shown. A mutation is retried only if it is idempotent.
 */

/** In ms: half a second doubling to ten, times 0.5 to 1.5 at random, against a stampede after a restart. */
export function retryDelay(attempt: number): number {
  return Math.min(10_000, 500 * 2 ** attempt) * (0.5 + Math.random());
}

/** Options of a query without data. */
export const firstFetchOptions = {
  retry: (failures: number, error: unknown): boolean =>
    typeof window !== "undefined" && failures < 2 && isUnanswered(error),
  retryDelay,
};

interface RetryOptions {
  /** Checked after each pause. */
  isWanted?: () => boolean;
  /** Whether to retry; `isTransient` by default. */
  isRetryable?: (error: unknown) => boolean;
  /** Called before each pause of so many milliseconds. */
  onWait?: (error: unknown, ms: number) => unknown;
}

/** Retries until there is a response. Rejects with a lasting failure, or the last one once it is not wanted. */
export async function retryUntilAnswered<T>(
  request: () => Promise<T>,
  { isWanted = () => true, isRetryable = isTransient, onWait }: RetryOptions = {},
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await request();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const ms = Math.max(retryDelay(failures), (retryAfter(error) ?? 0) * 1_000);
      await onWait?.(error, ms);
      await pause(ms);
      if (!isWanted()) throw error;
    }
  }
}

/** Waits for `ms`, at most until the connection is live or the network is back. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    const stop = connectionStatus.subscribe(() => connectionStatus.state === "live" && end());
  });
}

/** Fetches code that the page needs: waits while the server is away, rejects if it answers without that code. */
export async function fetchCodeWithRetry<T>(fetchPart: () => Promise<T>): Promise<T> {
  for (let hadAnswer = false, attempt = 1; ; attempt++) {
    try {
      return await fetchPart();
    } catch (error) {
      if (hadAnswer) throw error;
    }
    await pause(retryDelay(Math.min(attempt, 2)));
    hadAnswer = await siteResponds(location.href);
  }
}

type AnyQuery = Query<unknown, unknown, unknown>;

const beingRetried = new WeakSet<AnyQuery>();

/** Retries the failed fetch of a shown query until it is answered or no longer shown. */
export async function retryShown(query: AnyQuery, failure: unknown): Promise<void> {
  if (beingRetried.has(query)) return;
  beingRetried.add(query);
  let isFirst = true;
  const fetchAgain = async (): Promise<unknown> => {
    const wasFirst = isFirst;
    isFirst = false;
    // Keeps the error message on the page until the site answers.
    if (wasFirst || (query.state.data === undefined && !(await connectionStatus.siteAnswers())))
      throw failure;
    return query.fetch();
  };
  const needsData = () => query.state.isInvalidated || query.state.status === "error";
  await retryUntilAnswered(fetchAgain, { isWanted: () => query.isActive() && needsData() }).catch(
    () => undefined,
  );
  beingRetried.delete(query);
}
