import { Subscription } from "../../shared/push.ts";
import { member, router } from "../trpc.ts";
import { pushState, subscribe, unsubscribe } from "./service.ts";

export const pushRouter = router({
  state: member.query(({ ctx }) => pushState(ctx)),
  subscribe: member.input(Subscription).mutation(({ ctx, input }) => subscribe(ctx, input)),
  unsubscribe: member.mutation(({ ctx }) => unsubscribe(ctx)),
});
