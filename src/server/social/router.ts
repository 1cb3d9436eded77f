import { Resume } from "../../shared/blogs.ts";
import { Follow, HandleRequest, LikeBlog, SaveBlog, UserId } from "../../shared/social.ts";
import { member, router } from "../trpc.ts";
import { watchUser } from "./live.ts";
import { follow, handleRequest, likeBlog, removeFollower, saveBlog, waitingRequests } from "./service.ts";

export const socialRouter = router({
  likeBlog: member.input(LikeBlog).mutation(({ ctx, input }) => likeBlog(ctx, input)),
  saveBlog: member.input(SaveBlog).mutation(({ ctx, input }) => saveBlog(ctx, input)),
  follow: member.input(Follow).mutation(({ ctx, input }) => follow(ctx, input)),
  requests: member.query(({ ctx }) => waitingRequests(ctx)),
  handleRequest: member.input(HandleRequest).mutation(({ ctx, input }) => handleRequest(ctx, input)),
  removeFollower: member.input(UserId).mutation(({ ctx, input }) => removeFollower(ctx, input)),
});

/** A person's own stream belongs to the person, though what it tells is mostly social. */
export const watchUserProcedure = member.input(Resume).subscription(({ ctx, input, signal }) => watchUser(ctx, input.lastEventId ?? input.since, signal));
