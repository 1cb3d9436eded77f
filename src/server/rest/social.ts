import { z } from "zod";
import { HandleRequest } from "../../shared/social.ts";
import { BlogKey, Id, Interests, OwnPassword, SettingsUpdate } from "../../shared/users.ts";
import { PersonPaging, type Endpoints } from "./endpoints.ts";
import { restCards } from "./cards.ts";
import { Conditions, ifMatch } from "./if-match.ts";
import { CardShape, hasMoreShape, MessageShape, SuccessShape, UserShape } from "./shapes.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { recommendBlogs } from "../recommendations/recommend.ts";
import { deleteByKey } from "../blogs/delete-blog.ts";
import { deleteOwnAccount } from "../accounts/confirm-deletion.ts";
import { visibleFollowers, restProfile } from "./profile.ts";
import { changeFollow, handleRequest } from "../follows/service.ts";
import { likeBlog, saveBlog } from "../likes/service.ts";
import { updateSettings } from "../accounts/settings.ts";

const OfBlog = z.object({ blogId: BlogKey });

export function socialCalls(calls: Endpoints): void {
  calls.member("POST", "/blogs/like/:blogId", {
    summary: "Like or unlike a blog",
    tag: "Blogs",
    params: OfBlog,
    answer: MessageShape.extend({ isLiked: z.boolean(), likesCount: z.number() }),
    handle: async (ctx, { params }) => {
      const { liked, likesCount } = await likeBlog(ctx, { blogId: params.blogId, liked: "toggle" });
      return {
        success: true,
        message: liked ? "You like this blog." : "You no longer like this blog.",
        isLiked: liked,
        likesCount,
      };
    },
  });
  calls.member("PATCH", "/save-blog/:blogId", {
    summary: "Save or unsave a blog",
    tag: "Blogs",
    params: OfBlog,
    answer: MessageShape.extend({ isSaved: z.boolean() }),
    handle: async (ctx, { params }) => {
      const { saved } = await saveBlog(ctx, { blogId: params.blogId, saved: "toggle" });
      return {
        success: true,
        message: saved ? "Blog saved." : "Blog removed from your saved blogs.",
        isSaved: saved,
      };
    },
  });
  calls.member("DELETE", "/blogs/:blogId", {
    summary: "Delete a blog with its comments and likes",
    tag: "Blogs",
    headers: Conditions,
    params: OfBlog,
    answer: MessageShape,
    handle: async (ctx, { params, request }) => ({
      success: true,
      ...(await deleteByKey(ctx, params.blogId, ifMatch(request.headers["if-match"]))),
    }),
  });
  calls.member("GET", "/recommended", {
    summary: "Blogs recommended to the viewer: by interests, follows and date",
    tag: "Blogs",
    answer: SuccessShape.extend({ blogs: z.array(CardShape) }),
    handle: async (ctx) => ({
      success: true,
      blogs: await restCards(ctx, (await recommendBlogs(ctx)).blogs),
    }),
  });
  calls.member("PATCH", "/follow/:userId", {
    summary: "Follow, request to follow, or unfollow a person",
    tag: "People",
    params: z.object({ userId: Id }),
    answer: MessageShape.extend({
      status: z.enum(["follow", "requested", "following"]),
      followers: z.array(z.object({ _id: z.string() })),
      followersCount: z.number(),
    }),
    handle: async (ctx, { params }) => {
      const { before, answer } = await changeFollow(ctx, { userId: params.userId, follow: "toggle" });
      const message = {
        following: "You’re following them now.",
        requested: "Request sent.",
        follow: before === "requested" ? "Request canceled." : "You no longer follow them.",
        self: "",
      }[answer.status];
      return {
        success: true,
        message,
        status: answer.status,
        ...(await visibleFollowers(ctx, params.userId)),
      };
    },
  });
  calls.member("PATCH", "/handle-follow-request", {
    summary: "Accept or reject a follow request",
    tag: "People",
    body: HandleRequest,
    answer: MessageShape,
    handle: async (ctx, { body }) => ({ success: true, ...(await handleRequest(ctx, body)) }),
  });
  calls.open("GET", "/users/:username", {
    summary: "A profile, with what the viewer can see of it",
    tag: "People",
    params: z.object({ username: z.string().min(1).max(100) }),
    query: PersonPaging,
    answer: SuccessShape.extend({ user: UserShape, hasMore: hasMoreShape }),
    handle: async (ctx, { params, query }) => ({
      success: true,
      ...(await restProfile(ctx, params.username, query)),
    }),
  });
  calls.member("PATCH", "/change-saved-liked-blog-visibility", {
    summary: "Change your settings; missing fields stay as they are",
    tag: "People",
    body: SettingsUpdate.omit({ showPresence: true, mutedWords: true }),
    answer: MessageShape,
    handle: async (ctx, { body }) => {
      await updateSettings(ctx, body);
      return { success: true, message: "Settings updated." };
    },
  });
  calls.member("PUT", "/user/update-interests", {
    summary: "Set your interests",
    tag: "People",
    body: z.strictObject({ interests: Interests }),
    answer: MessageShape,
    handle: async (ctx, { body }) => {
      await updateSettings(ctx, body);
      return { success: true, message: "Interests updated." };
    },
  });
  calls.member("DELETE", "/delete-account", {
    summary: "Delete your account with everything in it; if you send a password, it has to be right",
    tag: "Accounts",
    body: OwnPassword.partial(),
    answer: MessageShape,
    handle: async (ctx, { body: { password } }) => ({
      success: true,
      ...(await (password === undefined ? deleteAccount(ctx) : deleteOwnAccount(ctx, { password }))),
    }),
  });
}
