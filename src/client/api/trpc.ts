import type { TRPCClient } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact } from "@trpc/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { AppRouter } from "../../server/router.ts";

/** The typed hooks: `trpc.blogs.list.useQuery(…)`. Only the router's type crosses over; no server code enters the bundle. */
export const trpc = createTRPCReact<AppRouter>();

export type Client = TRPCClient<AppRouter>;

/** The queries of the API outside of components, through the query cache: `data.blogs.list.fetch(…)`. */
export type Data = ReturnType<typeof createTRPCQueryUtils<AppRouter>>;

export const dataOf = (client: Client, queryClient: QueryClient): Data =>
  createTRPCQueryUtils<AppRouter>({ client, queryClient });
