import { answer } from "../../shared/answer.ts";

/**
 * `fetch` with an end: a connection that died silently would keep the reader waiting for minutes. What is sent has time
 * on top by its length. A call that is given up rejects as one without an answer.
 */
export function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { read, change, eachSecond } = answer;
  const length = typeof init.body === "string" ? init.body.length : 0;
  const time = (init.method ?? "GET") === "GET" ? read : change + (length / eachSecond) * 1_000;
  const late = AbortSignal.timeout(time);
  return fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, late]) : late });
}
