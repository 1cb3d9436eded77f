import { useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  QueryClient,
  InvalidateQueryFilters,
  QueryKey,
  UseQueryOptions,
  UseQueryResult,
} from "@tanstack/react-query";
import type { TRPCClient } from "@trpc/client";
import { createContext, useContext, useMemo } from "react";
import type { AppRouter } from "../../server/router.ts";
import { named } from "./named.ts";

/*
 * The API in components, answered from the query cache. tRPC's own wrapper of TanStack Query does the same and ten times as
 * much, which every reader would load: of it the site asks questions, changes things, and looks into the cache.
 */

export type Client = TRPCClient<AppRouter>;

type Asked = { query: (...input: never[]) => Promise<unknown> };
type Done = { mutate: (...input: never[]) => Promise<unknown> };
type InputOf<Call extends (...input: never[]) => unknown> = Parameters<Call>[0];
type AnswerOf<Call extends (...input: never[]) => unknown> = Awaited<ReturnType<Call>>;

interface Question<Input, Answer> {
  useQuery: <Shown = Answer>(
    input: Input,
    options?: Omit<UseQueryOptions<Answer, Error, Shown>, "queryKey" | "queryFn">,
  ) => UseQueryResult<Shown>;
  /** Its place in the cache. */
  key: (input: Input) => QueryKey;
}

type Hooks<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends Asked
    ? Question<InputOf<Calls[Name]["query"]>, AnswerOf<Calls[Name]["query"]>>
    : Calls[Name] extends Done
      ? never
      : Hooks<Calls[Name]>;
};

interface Cached<Input, Answer> {
  /** From the cache where it is fresh enough, otherwise from the server. */
  fetch: (input: Input, options?: { staleTime?: number }) => Promise<Answer>;
  /** From the cache where it is there. */
  ensureData: (input: Input) => Promise<Answer>;
  getData: (input: Input) => Answer | undefined;
}

type Answers<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends Asked
    ? Cached<InputOf<Calls[Name]["query"]>, AnswerOf<Calls[Name]["query"]>> & Outdated
    : Calls[Name] extends Done
      ? never
      : Answers<Calls[Name]> & Outdated;
};

interface Outdated {
  /** What is shown is asked for again, and the rest when it is shown. */
  invalidate: (input?: undefined, filters?: Pick<InvalidateQueryFilters, "refetchType">) => Promise<void>;
}

/** The questions of the API, answered from the query cache: `data.blogs.list.fetch(…)`. */
export type Data = Answers<Client>;
/** The same, and what asks the server in any case. */
type Utils = Data & { client: Client };

const keyOf = (path: readonly string[], input: unknown): QueryKey => [
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
export const trpc = named((path, name, ...args) => hooks[name]!(path, ...args)) as Hooks<Client> & {
  useUtils: () => Utils;
};
