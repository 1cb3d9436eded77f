import type { Query, QueryClient } from "@tanstack/react-query";
import { answers } from "../ui/fetch-code.ts";
import { connection } from "./connection.ts";
import { isUnanswered, mayPass, retryAfter } from "./errors.ts";

/*
 * The one rule of asking again. What passes (`mayPass`: no answer, or a server that is too busy) is asked for again; what
 * stays is told at once. The pauses grow, each by chance a little different, are no shorter than the server says, and end
 * as soon as the connection is live again. The first answer of a page is asked for three times, then the reader is told,
 * and it is asked for once more when the connection is back; what is shown and was to be read anew is asked for until it
 * is answered or shown no more. What changes something is asked for again only where it may arrive twice.
 */

/** Doubles from half a second to ten, each time by chance between half and one and a half of it: no stampede after a restart. */
export function retryDelay(attempt: number): number {
  return Math.min(10_000, 500 * 2 ** attempt) * (0.5 + Math.random());
}

/** Of a query that has nothing to show yet. */
export const firstAnswer = {
  retry: (failures: number, error: unknown): boolean =>
    typeof window !== "undefined" && failures < 2 && isUnanswered(error),
  retryDelay,
};

/** Asks until there is an answer, as long as `isWanted` says so. Rejects with what stays, or with the last when nobody wants it. */
export async function untilAnswered<T>(ask: () => Promise<T>, isWanted = (): boolean => true): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await pause(Math.max(retryDelay(failures), (retryAfter(error) ?? 0) * 1_000));
      if (!isWanted()) throw error;
    }
  }
}

/** Waits for `ms`, or until the connection is live again where that is sooner. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stop = connection.subscribe(() => connection.state === "live" && end());
  });
}

/** Fetches the code of a part that stands in the page already: waits for as long as the server is away, and rejects where it has no such code. */
export async function fetchNeeded<T>(fetchPart: () => Promise<T>): Promise<T> {
  for (let wasThere = false, attempt = 1; ; attempt++) {
    try {
      return await fetchPart();
    } catch (error) {
      if (wasThere) throw error;
    }
    await pause(retryDelay(Math.min(attempt, 2)));
    wasThere = await answers(location.href);
  }
}

type AnyQuery = Query<unknown, unknown, unknown>;

const beingRetried = new WeakSet<AnyQuery>();

/** What is shown was to be read anew, since it has changed, and the answer was lost: without another try it would stay as it was. */
export async function retryShown(query: AnyQuery, failure: unknown): Promise<void> {
  if (query.state.data === undefined || beingRetried.has(query)) return;
  beingRetried.add(query);
  let next = (): Promise<unknown> => Promise.reject(failure);
  const ask = (): Promise<unknown> => {
    const now = next;
    next = () => query.fetch();
    return now();
  };
  await untilAnswered(ask, () => query.isActive() && query.state.isInvalidated).catch(() => undefined);
  beingRetried.delete(query);
}

/** Asks again for what a page could not load, when the network or the server is back. Browser only, once. */
export function askAgainWhenBack(queryClient: QueryClient): void {
  const ask = (): void => {
    void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
  };
  addEventListener("online", ask);
  let before = connection.state;
  connection.subscribe(() => {
    if (before === "offline" && connection.state === "live") ask();
    before = connection.state;
  });
}
