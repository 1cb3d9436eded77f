import type { Showcase } from "../../shared/feed.ts";
import { publishedCards } from "./card-queries.ts";
import { presentCard } from "./present.ts";
import { recentPublicBlogs, type Recent } from "./newest-public-queries.ts";
import { sharedRead } from "../live/signal-cache.ts";
import type { Context } from "../context.ts";
import { feedTopic } from "../live/stored-events.ts";
import { limitedTopic } from "../live/signals.ts";
import { presentSeenComment } from "../comments/present.ts";
import { listTop } from "../comments/queries.ts";

const mostOthers = 4;
const mostComments = 3;
/** How many of the newest blogs are preferred. */
const latest = 4;

/**
 * Returns what guests see of the site: the most liked of the newest blogs with comments, its newest comments, and four other
 * blogs, preferably new, of different authors and with a cover. The choice is cached for all until a blog changes, at most a
 * minute; that the blogs are still public is checked each time.
 */
export async function showcase(ctx: Context): Promise<Showcase> {
  if (ctx.viewer) return { blogs: [], comments: [] };
  const { read } = ctx.database;
  const topics = [feedTopic, limitedTopic];
  const ids = await sharedRead(ctx, "showcase", topics, async (connection) =>
    chooseShowcase(await recentPublicBlogs(connection)),
  );
  const blogs = (await publishedCards(read, ids, null)).map(presentCard);
  const [first] = blogs;
  // Some may be empty or hidden.
  const topComments = first ? await listTop(read, first.id, null, 2 * mostComments) : [];
  const comments = topComments
    .map(presentSeenComment)
    .filter(({ deleted, mark }) => !deleted && mark !== "hidden");
  return { blogs, comments: comments.slice(0, mostComments) };
}

/** Returns the ids of the blogs to show, the headline first. */
export function chooseShowcase(recent: Recent[]): string[] {
  const liked = recent.toSorted(
    (a, b) => b.likesCount - a.likesCount || b.publishedAt - a.publishedAt || (b.id > a.id ? 1 : -1),
  );
  const first = liked.find(({ commentsCount }) => commentsCount > 0) ?? liked[0];
  if (!first) return [];
  const newest = new Set(
    recent
      .toSorted((a, b) => b.publishedAt - a.publishedAt)
      .slice(0, latest)
      .map(({ id }) => id),
  );
  const authors = new Set([first.authorId]);
  const others = liked
    .filter((blog) => blog !== first)
    .map((blog) => {
      const isFirstOf = !authors.has(blog.authorId);
      authors.add(blog.authorId);
      return {
        one: blog,
        rank: (newest.has(blog.id) ? 4 : 0) + (isFirstOf ? 0 : 2) + (blog.coverId === null ? 1 : 0),
      };
    })
    .toSorted((a, b) => a.rank - b.rank);
  return [first, ...others.slice(0, mostOthers).map(({ one: blog }) => blog)].map(({ id }) => id);
}
