import { answer } from "../../shared/response-limits.ts";

/**
 * Fetches with a timeout, longer for a longer body: a silently dead connection would block for minutes. A timeout rejects like
 * a request without a response.
 */
export function fetchWithTimeout(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { read, change, eachSecond } = answer;
  const length = typeof init.body === "string" ? init.body.length : 0;
  const time = (init.method ?? "GET") === "GET" ? read : change + (length / eachSecond) * 1_000;
  const timeout = new AbortController();
  // Not cleared: the signal also covers the body, and aborting a finished request does nothing.
  setTimeout(() => timeout.abort(new DOMException("No answer came in time.", "TimeoutError")), time);
  init.signal?.addEventListener("abort", () => timeout.abort(init.signal?.reason), { once: true });
  if (init.signal?.aborted) timeout.abort(init.signal.reason);
  return fetch(input, { ...init, signal: timeout.signal });
}
