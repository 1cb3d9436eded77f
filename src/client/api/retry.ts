import type { Query } from "@tanstack/react-query";
import { answers } from "../ui/fetch-code.ts";
import { connectionStatus } from "./connection-status.ts";
import { isUnanswered, mayPass, retryAfter } from "./errors.ts";

/*
 * The one rule of asking again. What passes (`mayPass`: no answer, or a server that is too busy) is asked for again; what
 * stays is told at once. The pauses grow, each by chance a little different, are no shorter than the server says, and end
 * as soon as the connection is live again. The first answer of a page is asked for three times, then the reader is told,
 * and it is asked for on where the site answers; what is shown and was to be read anew is asked for likewise, until it
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

interface Asking {
  /** Whether the answer is still wanted, after each pause. */
  isWanted?: () => boolean;
  /** Whether to ask again after a failure; `mayPass` by default. */
  isPassing?: (error: unknown) => boolean;
  /** Called before each pause. */
  onWait?: () => unknown;
}

/** Asks until there is an answer, as long as it is wanted. Rejects with a failure that stays, or with the last when nobody wants it. */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { isWanted = () => true, isPassing = mayPass, onWait }: Asking = {},
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await onWait?.();
      await pause(Math.max(retryDelay(failures), (retryAfter(error) ?? 0) * 1_000));
      if (!isWanted()) throw error;
    }
  }
}

/** Waits for `ms`, or until the connection is live again or the network back where that is sooner. */
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

/**
 * What is shown was lost on the way, be it the first answer or one that was to be read anew: it is asked for until there is
 * one, or it is shown no more.
 */
export async function retryShown(query: AnyQuery, failure: unknown): Promise<void> {
  if (beingRetried.has(query)) return;
  beingRetried.add(query);
  let isFirst = true;
  const ask = async (): Promise<unknown> => {
    const isKnown = isFirst;
    isFirst = false;
    // What tells of the failure does not give way to another try that is lost, too.
    if (isKnown || (query.state.data === undefined && !(await connectionStatus.siteAnswers()))) throw failure;
    return query.fetch();
  };
  const isLacking = () => query.state.isInvalidated || query.state.status === "error";
  await untilAnswered(ask, { isWanted: () => query.isActive() && isLacking() }).catch(() => undefined);
  beingRetried.delete(query);
}
