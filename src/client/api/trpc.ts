import type { TRPCClient } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact } from "@trpc/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { AppRouter } from "../../server/router.ts";

/** The typed hooks: `trpc.blogs.list.useQuery(…)`. Imports the router's type alone: no server code enters the bundle. */
export const trpc = createTRPCReact<AppRouter>();

export type Client = TRPCClient<AppRouter>;

/** The API's queries outside components, through the query cache: `data.blogs.list.fetch(…)`. */
export type Data = ReturnType<typeof createTRPCQueryUtils<AppRouter>>;

export const dataOf = (client: Client, queryClient: QueryClient): Data =>
  createTRPCQueryUtils<AppRouter>({ client, queryClient });
