import { setImmediate } from "node:timers/promises";
import { isBeyondLastPage } from "../../shared/paging.ts";
import { presentCard } from "../blogs/present.ts";
import { listReadable } from "../blogs/written-queries.ts";
import { listLiked, listSaved, type CardRow } from "../blogs/card-queries.ts";
import { countKinds, visibleKinds } from "../blogs/policy.ts";
import type { Context } from "../context.ts";
import { avatarPath } from "../media/paths.ts";
import type { PersonPage } from "./endpoints.ts";
import { maxPerPerson, restCards } from "./cards.ts";
import { maxPeople, restFollowers, restPerson } from "./present.ts";
import { absolute } from "../media/picture-addresses.ts";
import { visibleUser } from "../profiles/access.ts";
import { canSeeFollowers, visibleTabs } from "../profiles/policy.ts";
import { presentListed, presentPerson } from "../profiles/present.ts";
import { isFollower, userById } from "../profiles/queries.ts";
import { presentRequest } from "../follows/present.ts";
import { countRequests, listPeople, listRequests, requestBy } from "../follows/queries.ts";

/** For each list of another person, without `limit`. */
const defaultListSize = 100;

export const visibleFollowers = async (ctx: Context, userId: string) =>
  restFollowers(ctx, await visibleUser(ctx.database.read, ctx.viewer, { id: userId }));

/** Returns what the viewer can see of a profile (docs/specification.md, 7.21), and whether a list has more. */
export async function restProfile(ctx: Context, username: string, { page, limit }: PersonPage) {
  const { read } = ctx.database;
  const { user, relation } = await visibleUser(read, ctx.viewer, { username });
  const viewer = ctx.viewer?.id ?? null;
  const tabs = visibleTabs(relation, user);
  const kinds = visibleKinds(relation, user);
  const size = limit ?? (relation.isSelf ? maxPerPerson : defaultListSize);
  // One more, to know whether there are more.
  const at = { viewer, limit: size + 1, offset: (page - 1) * size };
  const isBeyondLast = isBeyondLastPage(page, size);
  // Long lists are read in turn with other requests.
  const list = async (isShown: boolean, rows: () => Promise<CardRow[]>) => {
    await setImmediate();
    return isShown && !isBeyondLast ? await rows() : [];
  };
  const lists = [
    await list(true, () => listReadable(read, user.id, kinds, at)),
    await list(tabs.includes("saved-blogs"), () => listSaved(read, user.id, at)),
    await list(tabs.includes("liked-blogs"), () => listLiked(read, user.id, at)),
  ];
  const shown = lists.map((rows) => rows.slice(0, size));
  const cards = await restCards(ctx, shown.flat().map(presentCard));
  const [blogs, saveBlogs, likeBlogs] = shown.map(({ length }) => cards.splice(0, length));
  const requests = await followRequestsFor(ctx, user.id, relation.isSelf, isBeyondLast ? undefined : at);
  const showPeople = canSeeFollowers(relation, user);
  const isFollowed = showPeople && viewer !== null && (await isFollower(read, user.id, viewer));
  const self = viewer === null ? undefined : await userById(read, viewer);
  /** Clients derive their follow button from it: a viewer in the list is always included. */
  const people = async (which: "followers" | "following", isOne: boolean) => {
    await setImmediate();
    const rows = showPeople
      ? await listPeople(read, which, { of: user.id, viewer, limit: maxPeople, offset: 0 })
      : [];
    const listed = rows.map((row) => restPerson(ctx, presentListed(row, viewer)));
    return self && isOne && !listed.some(({ _id }) => _id === self.id)
      ? [restPerson(ctx, presentPerson(self)), ...listed.slice(0, maxPeople - 1)]
      : listed;
  };
  return {
    user: {
      _id: user.id,
      name: user.name,
      username: user.username,
      bio: user.bio,
      profilePic: absolute(ctx, avatarPath(user.pictureId)),
      private: user.private,
      showSavedBlogs: user.showSavedBlogs,
      showLikedBlogs: user.showLikedBlogs,
      showFollowers: user.showFollowers,
      followers: await people("followers", relation.isFollower),
      following: await people("following", isFollowed),
      followersCount: showPeople ? user.followersCount : 0,
      followingCount: showPeople ? user.followingCount : 0,
      followRequests: requests.shown,
      followRequestsCount: requests.total,
      blogs,
      saveBlogs,
      likeBlogs,
      blogsCount: countKinds(kinds, user),
    },
    hasMore: requests.hasMore || lists.some((rows) => rows.length > size),
  };
}

/** Returns all requests to the owner, to others at most their own. `at` is undefined beyond the last page. */
async function followRequestsFor(
  ctx: Context,
  ownerId: string,
  isSelf: boolean,
  at: { limit: number; offset: number } | undefined,
) {
  const { read } = ctx.database;
  const viewerRequest = ctx.viewer && !isSelf ? await requestBy(read, ownerId, ctx.viewer.id) : undefined;
  const rows =
    isSelf && at
      ? await listRequests(read, ownerId, at.limit, at.offset)
      : viewerRequest
        ? [viewerRequest]
        : [];
  const requests = rows.map((row) => ({ ...restPerson(ctx, presentRequest(row)), bio: row.bio }));
  return {
    shown: at ? requests.slice(0, at.limit - 1) : requests,
    hasMore: at !== undefined && rows.length >= at.limit,
    total: isSelf ? await countRequests(read, ownerId) : rows.length,
  };
}
