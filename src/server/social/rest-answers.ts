import type { BlogCard } from "../../shared/blogs.ts";
import { readableKinds } from "../blogs/policy.ts";
import { presentCard } from "../blogs/present.ts";
import { listKinds, listLiked, listSaved } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import { avatarPath } from "../media/paths.ts";
import { absolute, mostPeople, restCards, restFollowers, restPerson } from "../rest/present.ts";
import { knownUser } from "../users/access.ts";
import { canReadAccount, canSeeFollowers, visibleTabs } from "../users/policy.ts";
import { presentListed, presentPerson } from "../users/present.ts";
import { isFollower, userById } from "../users/queries.ts";
import { presentRequest } from "./present.ts";
import { listPeople, listRequests, requestBy } from "./queries.ts";

const mostCards = 100;

/** Ids of somebody's followers, where the viewer may know them. */
export const visibleFollowers = async (ctx: Context, userId: string): Promise<{ _id: string }[]> =>
  restFollowers(ctx, await knownUser(ctx.database.read, ctx.viewer, { id: userId }));

/** A profile with everything of it that the viewer may see (rest contract, `GET /users/{username}`). */
export async function wholeUser(ctx: Context, username: string) {
  const { read } = ctx.database;
  const { user, standing } = await knownUser(read, ctx.viewer, { username });
  const viewer = ctx.viewer?.id ?? null;
  const tabs = visibleTabs(standing, user);
  const showPeople = canSeeFollowers(standing, user);
  const at = { viewer, limit: mostCards, offset: 0 };
  const cards = async (shown: boolean, rows: () => ReturnType<typeof listSaved>) =>
    restCards(ctx, shown ? (await rows()).map((row): BlogCard => presentCard(row)) : []);
  const people = async (list: "followers" | "following") =>
    showPeople
      ? (await listPeople(read, list, { of: user.id, viewer, limit: mostPeople, offset: 0 })).map((row) =>
          restPerson(ctx, presentListed(row, viewer)),
        )
      : [];
  const withViewer = async (isOne: boolean, shown: Awaited<ReturnType<typeof people>>) => {
    if (!viewer || !isOne || shown.some(({ _id }) => _id === viewer)) return shown;
    const self = await userById(read, viewer);
    return self ? [restPerson(ctx, presentPerson(self)), ...shown.slice(0, mostPeople - 1)] : shown;
  };
  const [followers, following, blogs, saveBlogs, likeBlogs, followRequests] = await Promise.all([
    // Clients read from it what their button says: who follows finds themselves there, whatever else is shown.
    people("followers").then((shown) => withViewer(standing.isFollower, shown)),
    people("following").then(async (shown) =>
      withViewer(
        shown.length === mostPeople && viewer !== null && (await isFollower(read, user.id, viewer)),
        shown,
      ),
    ),
    cards(canReadAccount(standing, user), () =>
      listKinds(read, user.id, readableKinds(standing), { viewer, limit: mostCards }),
    ),
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
  const rows = isSelf
    ? await listRequests(ctx.database.read, ownerId, mostPeople)
    : [await requestBy(ctx.database.read, ownerId, ctx.viewer.id)];
  return rows.flatMap((row) => (row ? [{ ...restPerson(ctx, presentRequest(row)), bio: row.bio }] : []));
}
