import { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { HandleRequest } from "../../shared/social.ts";
import { Id, Interests, PersonName, ProfileUpdate, SettingsUpdate, Username } from "../../shared/users.ts";
import { presentCard } from "../blogs/present.ts";
import { listByAuthor, listLiked, listSaved } from "../blogs/queries.ts";
import type { Context, MemberContext } from "../context.ts";
import { avatarPath } from "../media/paths.ts";
import { addPicture } from "../media/service.ts";
import type { Calls } from "../rest/call.ts";
import { absolute, idObjects, mostPeople, restCards, restPerson } from "../rest/present.ts";
import { followerIdsOf } from "../rest/queries.ts";
import { CardShape, MessageShape, UserShape } from "../rest/shapes.ts";
import { knownUser } from "../users/access.ts";
import { canReadAccount, canSeeFollowers, visibleTabs } from "../users/policy.ts";
import { updateProfile } from "../users/profile.ts";
import { deleteAccount } from "./leave.ts";
import { presentListed, presentRequest } from "./present.ts";
import { listPeople, listRequests, requestBy } from "./queries.ts";
import { recommendBlogs } from "./recommend.ts";
import { follow, handleRequest, likeBlog, saveBlog } from "./service.ts";
import { updateSettings } from "./settings.ts";

const OfBlog = z.object({ blogId: Id });
const mostCards = 100;

const UserChange = z.object({
  name: PersonName.optional(),
  username: Username.optional(),
  bio: ProfileUpdate.shape.bio,
  profilePic: z.string().nullable().optional(),
});

/** Likes, saves, follows, requests, profiles and settings over /api/v1. */
export function socialCalls(calls: Calls): void {
  calls.member("POST", "/blogs/like/:blogId", {
    summary: "Like a blog, or take it back",
    tag: "Blogs",
    params: OfBlog,
    answer: MessageShape.extend({ isLiked: z.boolean(), likesCount: z.number() }),
    handle: async (ctx, { params }) => {
      const { liked, likesCount } = await likeBlog(ctx, { blogId: params.blogId, liked: "toggle" });
      return { success: true, message: liked ? "You like this blog." : "You no longer like this blog.", isLiked: liked, likesCount };
    },
  });
  calls.member("PATCH", "/save-blog/:blogId", {
    summary: "Save a blog, or take it back",
    tag: "Blogs",
    params: OfBlog,
    answer: MessageShape.extend({ isSaved: z.boolean() }),
    handle: async (ctx, { params }) => {
      const { saved } = await saveBlog(ctx, { blogId: params.blogId, saved: "toggle" });
      return { success: true, message: saved ? "The blog is saved." : "The blog is no longer saved.", isSaved: saved };
    },
  });
  calls.member("GET", "/recommended", {
    summary: "Blogs for the viewer, by interests, follows and freshness",
    tag: "Blogs",
    answer: z.object({ blogs: z.array(CardShape) }),
    handle: async (ctx) => ({ success: true, blogs: await restCards(ctx, (await recommendBlogs(ctx)).blogs) }),
  });
  calls.member("PATCH", "/follow/:userId", {
    summary: "Follow somebody or ask to, or take it back",
    tag: "People",
    params: z.object({ userId: Id }),
    answer: MessageShape.extend({ status: z.enum(["follow", "requested", "following"]), followers: z.array(z.object({ _id: z.string() })) }),
    handle: async (ctx, { params }) => {
      const { status } = await follow(ctx, { userId: params.userId, follow: "toggle" });
      const message = { following: "You follow them now.", requested: "Your request is sent.", follow: "You no longer follow them.", self: "" }[status];
      const { user, standing } = await knownUser(ctx.database.read, ctx.viewer, { id: params.userId });
      const followers = canSeeFollowers(standing, user) ? await followerIdsOf(ctx.database.read, user.id, mostPeople) : [];
      return { success: true, message, status, followers: idObjects(followers) };
    },
  });
  calls.member("PATCH", "/handle-follow-request", {
    summary: "Accept or reject a request to follow",
    tag: "People",
    body: HandleRequest,
    answer: MessageShape,
    handle: async (ctx, { body }) => ({ success: true, ...(await handleRequest(ctx, body)) }),
  });
  calls.open("GET", "/users/:username", {
    summary: "A profile, as far as the viewer may see it",
    tag: "People",
    params: z.object({ username: z.string().min(1).max(100) }),
    answer: z.object({ success: z.literal(true), user: UserShape }),
    handle: async (ctx, { params }) => ({ success: true, user: await wholeUser(ctx, params.username) }),
  });
  calls.member("PATCH", "/users/:userId", {
    summary: "Change one's profile; what is missing stays",
    tag: "People",
    bodyLimit: Math.ceil(limits.image.bytes * 1.4),
    params: z.object({ userId: Id }),
    body: UserChange,
    answer: MessageShape.extend({ user: UserShape.pick({ name: true, username: true, bio: true, profilePic: true }) }),
    handle: async (ctx, { params, body }) => {
      if (params.userId !== ctx.viewer.id) throw new AppError("forbidden", "Only their owner can change a profile.");
      const { profilePic, ...rest } = body;
      const viewer = await updateProfile(ctx, { ...rest, ...(await newPicture(ctx, profilePic)) });
      return { success: true, message: "Your profile is updated.", user: { ...restPerson(ctx, viewer), bio: viewer.bio } };
    },
  });
  calls.member("PATCH", "/change-saved-liked-blog-visibility", {
    summary: "Change one's settings; what is missing stays",
    tag: "People",
    body: SettingsUpdate,
    answer: MessageShape,
    handle: async (ctx, { body }) => {
      await updateSettings(ctx, body);
      return { success: true, message: "Your settings are updated." };
    },
  });
  calls.member("PUT", "/user/update-interests", {
    summary: "Set one's interests",
    tag: "People",
    body: z.object({ interests: Interests }),
    answer: MessageShape,
    handle: async (ctx, { body }) => {
      await updateSettings(ctx, body);
      return { success: true, message: "Your interests are updated." };
    },
  });
  calls.member("DELETE", "/delete-account", {
    summary: "Delete one's account with everything of it",
    tag: "Accounts",
    answer: MessageShape,
    handle: async (ctx) => ({ success: true, ...(await deleteAccount(ctx)) }),
  });
}

/** A `profilePic` as it may be sent: a data URL, the URL it has now (keep), or nothing (none). */
async function newPicture(ctx: MemberContext, profilePic: string | null | undefined): Promise<{ pictureId?: string | null }> {
  if (profilePic === undefined) return {};
  if (profilePic === null || profilePic === "" || profilePic === "null") return { pictureId: null };
  const data = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(profilePic)?.[1];
  if (data !== undefined) return { pictureId: (await addPicture(ctx, Buffer.from(data, "base64"))).id };
  const { user } = await knownUser(ctx.database.read, ctx.viewer, { id: ctx.viewer.id });
  if (user.pictureId && profilePic.includes(user.pictureId)) return {};
  throw new AppError("bad_request", "Please send the picture as a data URL.", { field: "profilePic" });
}

async function wholeUser(ctx: Context, username: string) {
  const { read } = ctx.database;
  const { user, standing } = await knownUser(read, ctx.viewer, { username });
  const viewer = ctx.viewer?.id ?? null;
  const tabs = visibleTabs(standing, user);
  const showPeople = canSeeFollowers(standing, user);
  const at = { viewer, limit: mostCards, offset: 0 };
  const cards = async (shown: boolean, rows: () => ReturnType<typeof listSaved>) => restCards(ctx, shown ? (await rows()).map((row): BlogCard => presentCard(row)) : []);
  const people = async (list: "followers" | "following") => (showPeople ? (await listPeople(read, list, { of: user.id, viewer, limit: mostPeople, offset: 0 })).map((row) => restPerson(ctx, presentListed(row, viewer))) : []);
  const [followers, following, blogs, saveBlogs, likeBlogs, followRequests] = await Promise.all([
    people("followers"),
    people("following"),
    cards(canReadAccount(standing, user), async () => (await Promise.all((standing.isSelf ? (["public", "private", "drafts"] as const) : (["public"] as const)).map((kind) => listByAuthor(read, user.id, kind, at)))).flat()),
    cards(tabs.includes("saved-blogs"), () => listSaved(read, user.id, at)),
    cards(tabs.includes("liked-blogs"), () => listLiked(read, user.id, at)),
    waiting(ctx, user.id, standing.isSelf),
  ]);
  return {
    _id: user.id,
    name: user.name,
    username: user.username,
    bio: user.bio,
    profilePic: absolute(ctx, avatarPath(user.pictureId)),
    private: user.private,
    showSavedBlogs: user.showSavedBlogs,
    showLikedBlogs: user.showLikedBlogs,
    showFollowers: user.showFollowers,
    followers,
    following,
    followersCount: showPeople ? user.followersCount : 0,
    followingCount: showPeople ? user.followingCount : 0,
    followRequests,
    blogs,
    saveBlogs,
    likeBlogs,
  };
}

/** Requests to follow: the owner sees all, anybody else at most their own. */
async function waiting(ctx: Context, ownerId: string, isSelf: boolean) {
  if (!ctx.viewer) return [];
  const rows = isSelf ? await listRequests(ctx.database.read, ownerId, mostPeople) : [await requestBy(ctx.database.read, ownerId, ctx.viewer.id)];
  return rows.flatMap((row) => (row ? [{ ...restPerson(ctx, presentRequest(row)), bio: row.bio }] : []));
}
