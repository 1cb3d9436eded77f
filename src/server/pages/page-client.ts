import { createTRPCClientProxy, TRPCClientError, TRPCUntypedClient, type TRPCClient } from "@trpc/client";
import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape } from "@trpc/server";
import type { Context } from "../context.ts";
import type { AppRouter } from "../router.ts";

/**
 * Makes a page's queries as its viewer, by calling the router. tRPC's `unstable_localLink` would do the same with links, abort
 * signals and copies through JSON, which were a tenth of a page's cost; nothing here aborts a query or changes its result.
 */
class PageClient extends TRPCUntypedClient<AppRouter> {
  readonly #router: AppRouter;
  readonly #context: Context;

  constructor(router: AppRouter, context: Context) {
    super({ links: [] });
    this.#router = router;
    this.#context = context;
  }

  override async query(path: string, input?: unknown): Promise<unknown> {
    const call = { path, input, ctx: this.#context, type: "query" } as const;
    try {
      const getRawInput = async (): Promise<unknown> => input;
      const router = this.#router;
      return await callTRPCProcedure({ ...call, router, getRawInput, signal: undefined, batchIndex: 0 });
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      const shape = getTRPCErrorShape({ ...call, config: this.#router._def._config, error });
      throw TRPCClientError.from({ error: shape }, { cause: error });
    }
  }
}

export const createPageClient = (router: AppRouter, context: Context): TRPCClient<AppRouter> =>
  createTRPCClientProxy<AppRouter>(new PageClient(router, context));
