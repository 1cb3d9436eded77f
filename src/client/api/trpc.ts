import { createTRPCReact } from "@trpc/react-query";
import type { createTRPCQueryUtils } from "@trpc/react-query";
import type { AppRouter } from "../../server/router.ts";

/** The typed hooks: `trpc.blogs.list.useQuery(…)`. Only the router's type crosses over; no server code enters the bundle. */
export const trpc = createTRPCReact<AppRouter>();

/** The questions of the API, answered from the query cache: `data.blogs.list.fetch(…)`. */
export type Data = ReturnType<typeof createTRPCQueryUtils<AppRouter>>;
