import { z } from "zod";
import { HandleRequest } from "../../shared/social.ts";
import { Id, Interests, SettingsUpdate } from "../../shared/users.ts";
import { updateSettings } from "../accounts/settings.ts";
import { changeFollow, handleRequest } from "../follows/service.ts";
import { PersonPaging, type Endpoints } from "./endpoints.ts";
import { restProfile, visibleFollowers } from "./profile.ts";
import { hasMoreShape, MessageShape, SuccessShape, UserShape } from "./shapes.ts";

/** Profiles, follows, and the viewer's settings. */
export function peopleCalls(calls: Endpoints): void {
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
}
