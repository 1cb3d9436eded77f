import { answer } from "../../shared/answer.ts";

/**
 * `fetch` with an end: a connection that died silently would keep the reader waiting for minutes. What is sent has time
 * on top by its length. A call that is given up rejects as one without an answer.
 */
export function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { read, change, eachSecond } = answer;
  const length = typeof init.body === "string" ? init.body.length : 0;
  const time = (init.method ?? "GET") === "GET" ? read : change + (length / eachSecond) * 1_000;
  const late = new AbortController();
  // The signal goes on while the body comes in, so the timer isn't cleared: giving up what is answered does nothing.
  setTimeout(() => late.abort(new DOMException("No answer came in time.", "TimeoutError")), time);
  init.signal?.addEventListener("abort", () => late.abort(init.signal?.reason), { once: true });
  if (init.signal?.aborted) late.abort(init.signal.reason);
  return fetch(input, { ...init, signal: late.signal });
}
