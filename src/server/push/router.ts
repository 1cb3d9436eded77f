import { BrowserPushSubscription } from "../../shared/push.ts";
import { authedProcedure } from "../http/trpc.ts";
import { pushState, subscribe, unsubscribe } from "./service.ts";

export const pushProcedures = {
  state: authedProcedure.query(({ ctx }) => pushState(ctx)),
  subscribe: authedProcedure
    .input(BrowserPushSubscription)
    .mutation(({ ctx, input }) => subscribe(ctx, input)),
  unsubscribe: authedProcedure.mutation(({ ctx }) => unsubscribe(ctx)),
};
