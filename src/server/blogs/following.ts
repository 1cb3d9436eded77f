import type { CountedList } from "../../shared/feed.ts";
import { pagesOf } from "../../shared/feed.ts";
import { limits } from "../../shared/limits.ts";
import type { MemberContext } from "../context.ts";
import { asCards } from "./card-queries.ts";
import { countOfFollowed, newestOfFollowed } from "./following-queries.ts";
import { withoutMuted } from "./muted.ts";
import { presentCard } from "./present.ts";

/** The list ends here, however much there is: a quarter of a year of a busy place, and what its last page may cost. */
const most = 1_000;

/**
 * What those publish whom the viewer follows, the newest first: for everybody and for followers. Whom they have muted is left out;
 * what says a word that they have muted leaves its page, which is then shorter.
 */
export async function listFollowing(ctx: MemberContext, { page }: { page: number }): Promise<CountedList> {
  const size = limits.page.feed;
  const { read } = ctx.database;
  const count = Math.min(most, await countOfFollowed(read, ctx.viewer.id));
  const pages = pagesOf(count, most);
  const from = (page - 1) * size;
  if (from >= most) return { blogs: [], page, hasMore: false, pages };
  const until = Math.min(most, from + size);
  const found = await newestOfFollowed(read, ctx.viewer.id, until + 1);
  const rows = await asCards(read, found.slice(from, until), ctx.viewer.id);
  return {
    blogs: await withoutMuted(read, ctx.viewer, rows.map(presentCard)),
    page,
    hasMore: found.length > until && until < most,
    pages,
  };
}
