import type { FollowingList } from "../../shared/feed.ts";
import { pagesOf } from "../../shared/feed.ts";
import { limits } from "../../shared/limits.ts";
import type { MemberContext } from "../context.ts";
import { loadCards } from "./card-queries.ts";
import { countFollowing, followedTags, newestFollowing } from "./following-queries.ts";
import { withoutMuted } from "./muted.ts";
import { presentCard } from "./present.ts";

/** The longest list: about three months on a busy site. Bounds the cost of the last page. */
const maxListed = 1_000;

/**
 * Lists public and private blogs by people the viewer follows, and public blogs with tags they follow, without muted people,
 * newest first. Muted words shorten a page.
 */
export async function listFollowing(ctx: MemberContext, { page }: { page: number }): Promise<FollowingList> {
  const size = limits.page.feed;
  const { read } = ctx.database;
  const tags = await followedTags(read, ctx.viewer.id);
  const pages = pagesOf(await countFollowing(read, ctx.viewer.id, tags, maxListed), maxListed);
  const from = (page - 1) * size;
  if (from >= maxListed) return { blogs: [], page, hasMore: false, pages, tags };
  const until = Math.min(maxListed, from + size);
  const listed = await newestFollowing(read, ctx.viewer.id, tags, until + 1);
  const rows = await loadCards(read, listed.slice(from, until), ctx.viewer.id);
  return {
    blogs: await withoutMuted(read, ctx.viewer, rows.map(presentCard)),
    page,
    hasMore: listed.length > until && until < maxListed,
    pages,
    tags,
  };
}
