import { Block, Mute } from "../../shared/social.ts";
import { authedProcedure } from "../http/trpc.ts";
import { block, blockedPeople, mute, mutedPeople } from "./service.ts";

export const blockProcedures = {
  block: authedProcedure.input(Block).mutation(({ ctx, input }) => block(ctx, input)),
  blocked: authedProcedure.query(({ ctx }) => blockedPeople(ctx)),
  mute: authedProcedure.input(Mute).mutation(({ ctx, input }) => mute(ctx, input)),
  muted: authedProcedure.query(({ ctx }) => mutedPeople(ctx)),
};
