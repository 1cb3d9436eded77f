import type { CountedList } from "../../shared/feed.ts";
import { pagesOf } from "../../shared/feed.ts";
import { limits } from "../../shared/limits.ts";
import type { MemberContext } from "../context.ts";
import { loadCards } from "./card-queries.ts";
import { countOfFollowed, newestOfFollowed } from "./following-queries.ts";
import { withoutMuted } from "./muted.ts";
import { presentCard } from "./present.ts";

/** The longest list: about three months on a busy site. Bounds the cost of the last page. */
const maxListed = 1_000;

/**
 * Lists public and private blogs by people the viewer follows, without muted people, newest first. Muted words shorten a page.
 */
export async function listFollowing(ctx: MemberContext, { page }: { page: number }): Promise<CountedList> {
  const size = limits.page.feed;
  const { read } = ctx.database;
  const count = Math.min(maxListed, await countOfFollowed(read, ctx.viewer.id));
  const pages = pagesOf(count, maxListed);
  const from = (page - 1) * size;
  if (from >= maxListed) return { blogs: [], page, hasMore: false, pages };
  const until = Math.min(maxListed, from + size);
  const listed = await newestOfFollowed(read, ctx.viewer.id, until + 1);
  const rows = await loadCards(read, listed.slice(from, until), ctx.viewer.id);
  return {
    blogs: await withoutMuted(read, ctx.viewer, rows.map(presentCard)),
    page,
    hasMore: listed.length > until && until < maxListed,
    pages,
  };
}
