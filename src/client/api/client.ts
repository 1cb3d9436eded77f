import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { maxBatchUrlLength, maxBatchCalls, answer } from "../../shared/response-limits.ts";
import type { Client } from "./trpc.ts";

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

let account = "";

/** Sets the account that mutations are sent for: the server rejects them if the session is another's. */
export const setMutationAccount = (userId: string): void => void (account = userId);

/** Creates the HTTP client, which batches the calls of one tick. Calls `onAnswered` after each successful response. */
export const createHttpClient = (onAnswered: () => void): Client =>
  createTRPCClient<AppRouter>({
    links: [
      // Not the streaming link: it drops Set-Cookie.
      httpBatchLink({
        url: "/trpc",
        maxItems: maxBatchCalls,
        maxURLLength: maxBatchUrlLength,
        headers: ({ opList: [first] }) => (first.type === "mutation" ? { "x-account": account } : {}),
        fetch: async (input, init) => {
          const response = await fetchWithTimeout(input, init);
          if (response.ok) onAnswered();
          return response;
        },
      }),
    ],
  });

/** The longest body in bytes that a browser sends from a page that closes. */
const maxAtUnload = 60_000;

/** Calls a mutation without an answer, even if the page is closing, `by` an account. Sends nothing that is too long for that. */
export function sendAtUnload(path: string, input: unknown, by = account): void {
  const body = new Blob([JSON.stringify(input)], { type: "application/json" });
  if (body.size > maxAtUnload) return;
  const headers = { "x-account": by };
  fetch(`/trpc/${path}`, { method: "POST", body, headers, keepalive: true }).catch(() => undefined);
}
