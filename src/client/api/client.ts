import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { longestAddress, mostCalls } from "../../shared/answer.ts";
import { fetchInTime } from "./fetch-in-time.ts";
import type { Client } from "./trpc.ts";

let account = "";

/** Says as whom changes are made from now on: the server makes none for anybody else, whoever the browser's session is of by then. */
export const actAs = (userId: string): void => void (account = userId);

/** Creates the client for queries and mutations, which batches those of one turn. Calls `onAnswered` after each successful response. */
export const createHttpClient = (onAnswered: () => void): Client =>
  createTRPCClient<AppRouter>({
    links: [
      // Not the streaming link: it drops Set-Cookie.
      httpBatchLink({
        url: "/trpc",
        maxItems: mostCalls,
        maxURLLength: longestAddress,
        headers: ({ opList: [first] }) => (first.type === "mutation" ? { "x-account": account } : {}),
        fetch: async (input, init) => {
          const response = await fetchInTime(input, init);
          if (response.ok) onAnswered();
          return response;
        },
      }),
    ],
  });
