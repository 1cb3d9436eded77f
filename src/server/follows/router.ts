import { Follow, HandleRequest, ListPeople, UserId } from "../../shared/social.ts";
import { authedProcedure, publicProcedure } from "../http/trpc.ts";
import { listPeople, ownFollowIds } from "./people.ts";
import { follow, handleRequest, pendingRequests, removeFollower, restoreRequest } from "./service.ts";

export const followProcedures = {
  follow: authedProcedure.input(Follow).mutation(({ ctx, input }) => follow(ctx, input)),
  requests: authedProcedure.query(({ ctx }) => pendingRequests(ctx)),
  handleRequest: authedProcedure.input(HandleRequest).mutation(({ ctx, input }) => handleRequest(ctx, input)),
  restoreRequest: authedProcedure.input(UserId).mutation(({ ctx, input }) => restoreRequest(ctx, input)),
  removeFollower: authedProcedure.input(UserId).mutation(({ ctx, input }) => removeFollower(ctx, input)),
  ties: authedProcedure.query(({ ctx }) => ownFollowIds(ctx)),
  people: publicProcedure.input(ListPeople).query(({ ctx, input }) => listPeople(ctx, input)),
};
