import { connection } from "./connection.ts";
import { mayPass } from "./errors.ts";
import { retryDelay } from "./retry-delay.ts";

/**
 * Asks until there is an answer, after growing pauses and as soon as the live connection is back, as long as `isWanted`
 * says so. Rejects with an error that will stay, or with the last one when nobody wants an answer any more.
 */
export async function untilAnswered<T>(ask: () => Promise<T>, isWanted = (): boolean => true): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await pause(retryDelay(failures));
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
