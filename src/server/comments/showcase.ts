import type { Showcase } from "../../shared/feed.ts";
import { publishedCards } from "../blogs/card-queries.ts";
import { presentCard } from "../blogs/present.ts";
import { recentOpen, type Recent } from "../blogs/showcase-queries.ts";
import { sharedRead } from "../live/shared-reads.ts";
import type { Context } from "../context.ts";
import { feedTopic } from "../live/stored-events.ts";
import { limitedTopic } from "../live/signals.ts";
import { presentSeenComment } from "./present.ts";
import { listTop } from "./queries.ts";

/** Beside the one that stands first; and of its comments. */
const mostOthers = 4;
const mostComments = 3;
/** Those that stand with the headline anyway, as long as there are enough others. */
const latest = 4;

/**
 * What guests are shown of the site, and nobody else: the blog among the newest that most like and somebody talks about, with its newest
 * comments, and four others, of different people where there are enough, those with a picture first. Chosen once for all, and
 * anew when something comes or goes, after a minute in any case; whether everybody may read it is asked each time.
 */
export async function showcase(ctx: Context): Promise<Showcase> {
  if (ctx.viewer) return { blogs: [], comments: [] };
  const { read } = ctx.database;
  const topics = [feedTopic, limitedTopic];
  const ids = await sharedRead(ctx, "showcase", topics, async () => choose(await recentOpen(read)));
  const blogs = (await publishedCards(read, ids, null)).map(presentCard);
  const [first] = blogs;
  // More than are shown: one may be empty, or folded away.
  const said = first ? await listTop(read, first.id, null, 2 * mostComments) : [];
  const comments = said.map(presentSeenComment).filter(({ deleted, mark }) => !deleted && mark !== "hidden");
  return { blogs, comments: comments.slice(0, mostComments) };
}

/** The ids of what is shown, of these. */
export function choose(recent: Recent[]): string[] {
  const liked = recent.toSorted(
    (one, other) =>
      other.likesCount - one.likesCount ||
      other.publishedAt - one.publishedAt ||
      (other.id > one.id ? 1 : -1),
  );
  const first = liked.find(({ commentsCount }) => commentsCount > 0) ?? liked[0];
  if (!first) return [];
  const newest = new Set(
    recent
      .toSorted((one, other) => other.publishedAt - one.publishedAt)
      .slice(0, latest)
      .map(({ id }) => id),
  );
  const authors = new Set([first.authorId]);
  const others = liked
    .filter((one) => one !== first)
    .map((one) => {
      const isFirstOf = !authors.has(one.authorId);
      authors.add(one.authorId);
      return {
        one,
        rank: (newest.has(one.id) ? 4 : 0) + (isFirstOf ? 0 : 2) + (one.coverId === null ? 1 : 0),
      };
    })
    .toSorted((a, b) => a.rank - b.rank);
  return [first, ...others.slice(0, mostOthers).map(({ one }) => one)].map(({ id }) => id);
}
