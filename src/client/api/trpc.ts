import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { QueryClient, QueryKey, UseQueryOptions, UseQueryResult } from "@tanstack/react-query";
import type { TRPCClient } from "@trpc/client";
import type { CreateTRPCReact, createTRPCQueryUtils } from "@trpc/react-query";
import { createContext, useContext, useMemo } from "react";
import type { AppRouter } from "../../server/router.ts";
import { named } from "./named.ts";

/*
 * The API in components, answered from the query cache: @trpc/react-query as far as the site uses it, by its types, its
 * names and its keys. The whole of it would weigh 7 kB more in every reader's first visit (docs/decisions/0021).
 */

export type Client = TRPCClient<AppRouter>;

/** tRPC's own: what is made here has the same names and types, and less of them. */
type Wrapper = CreateTRPCReact<AppRouter, unknown>;
type QueryUtils = ReturnType<typeof createTRPCQueryUtils<AppRouter>>;

type Hooks<Own> = Own extends { useQuery: unknown }
  ? Pick<Own, "useQuery"> & {
      /** Its place in the cache. */
      key: (input?: unknown) => QueryKey;
    }
  : { [Name in keyof Own as Own[Name] extends object ? Name : never]: Hooks<Own[Name]> };

type Answers<Own> =
  Own extends Record<"fetch" | "ensureData" | "getData" | "invalidate", unknown>
    ? Pick<Own, "fetch" | "ensureData" | "getData" | "invalidate">
    : { [Name in keyof Own]: Answers<Own[Name]> } & Pick<Own, "invalidate" & keyof Own>;

/** The questions of the API, answered from the query cache: `data.blogs.list.fetch(…)`. */
export type Data = Answers<Omit<QueryUtils, "client">>;
/** The same, and what asks the server in any case. */
type Utils = Data & { client: Client };

/** Where the answer to a question stands in the cache. */
export const keyOf = (path: readonly string[], input: unknown): QueryKey => [
  path,
  input === undefined ? { type: "query" } : { input, type: "query" },
];

type Nested = { query: (input: unknown) => Promise<unknown> } & { [name: string]: Nested };

/** Asks the server. */
const ask = (client: Client, path: readonly string[], input: unknown): Promise<unknown> =>
  path.reduce((at, name) => at[name]!, client as unknown as Nested).query(input);

/** The questions whose answers are in this cache; those that `fetch` use what is there while it is younger than `maxAge` ms. */
export const dataOf = (client: Client, queryClient: QueryClient, maxAge = Infinity): Utils =>
  named(
    (path, act, input?: unknown, options?: object) => {
      const queryKey = keyOf(path, input);
      const queryFn = () => ask(client, path, input);
      switch (act) {
        case "getData":
          return queryClient.getQueryData(queryKey);
        case "ensureData":
          return queryClient.ensureQueryData({ queryKey, queryFn });
        case "invalidate":
          return queryClient.invalidateQueries({ ...options, queryKey: [path] });
        default:
          return queryClient.fetchQuery({ staleTime: maxAge, ...options, queryKey, queryFn });
      }
    },
    { client },
  ) as Utils;

/** Whom components ask; see provider.tsx. */
export const ClientContext = createContext<Client | null>(null);

function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error("Drawn outside of a page.");
  return client;
}

/** How components look into the cache; where a page is drawn on the server, into its own (app/drawn-data.ts). */
export const CacheContext = createContext<typeof useQuery>(useQuery);

/** `useQuery` of the cache that there is: one in a browser, another while a page is drawn, and never both. */
export function useCached<Answer, Shown = Answer>(
  options: UseQueryOptions<Answer, Error, Shown>,
): UseQueryResult<Shown> {
  const look = useContext(CacheContext);
  return look(options);
}

function useAnswer(path: readonly string[], input: unknown, options: object): unknown {
  const client = useClient();
  return useCached({ ...options, queryKey: keyOf(path, input), queryFn: () => ask(client, path, input) });
}

function useUtils(): unknown {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => dataOf(client, queryClient), [client, queryClient]);
}

const hooks: Record<string, (path: readonly string[], ...args: never[]) => unknown> = {
  key: keyOf,
  useQuery: useAnswer,
  useUtils,
};

/** The typed hooks: `trpc.blogs.list.useQuery(…)`. Only the router's type crosses over; no server code enters the bundle. */
export const trpc = named((path, name, ...args) => hooks[name]!(path, ...args)) as Hooks<Wrapper> & {
  useUtils: () => Utils;
};
