import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { maxBatchUrlLength, maxBatchCalls } from "../../shared/response-limits.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";
import type { Client } from "./trpc.ts";

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

/** Calls a mutation without an answer, even if the page is closing. Sends nothing that is too long for that. */
export function sendAtUnload(path: string, input: unknown): void {
  const body = new Blob([JSON.stringify(input)], { type: "application/json" });
  if (body.size > maxAtUnload) return;
  const headers = { "x-account": account };
  fetch(`/trpc/${path}`, { method: "POST", body, headers, keepalive: true }).catch(() => undefined);
}
