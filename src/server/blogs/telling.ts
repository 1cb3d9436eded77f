import type { Sort } from "../../shared/blogs.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { Transaction } from "../database/writer.ts";
import {
  blogTopic,
  feedTopic,
  likesTopic,
  profileTopic,
  rightsTopic,
  searchTopic,
  userTopic,
} from "../live/facts.ts";
import { audienceOf, type Audience, type BlogStanding } from "./policy.ts";
import { cardById } from "./card-queries.ts";
import { blogFactsById } from "./queries.ts";

const width: Record<Audience, number> = { nobody: 0, followers: 1, everybody: 2 };
type Visibility = Pick<BlogStanding, "draft" | "private" | "authorPrivate">;

const listOf = ({ draft, private: isPrivate }: Visibility): ProfileTab =>
  draft ? "draft-blogs" : isPrivate ? "private-blogs" : "blogs";

/**
 * Tells the feed what came and went (followers alone, where it is for them: blogs/live.ts), open searches that something else
 * may be found, the author's profile and other tabs that their blogs changed, and open streams to ask for their right. Null
 * where there is no blog, before or after.
 */
export async function tellOfVisibility(
  tx: Transaction,
  authorId: string,
  blogId: string,
  was: (Visibility & { publishedAt: number }) | null,
  is: Visibility | null,
): Promise<void> {
  const [before, after] = [was ? audienceOf(was) : "nobody", is ? audienceOf(is) : "nobody"];
  if (width[after] > width[before]) {
    const row = await cardById(tx, blogId, authorId);
    await tx.fact(feedTopic, {
      kind: "blog.published",
      blogId,
      authorId,
      publishedAt: new Date(row?.publishedAt ?? Date.now()).toISOString(),
      likesCount: row?.likesCount ?? 0,
      followers: after === "followers",
    });
  }
  if (was && width[after] < width[before]) {
    const publishedAt = new Date(was.publishedAt).toISOString();
    const followers = before === "followers";
    await tx.fact(feedTopic, { kind: "blog.gone", blogId, authorId, publishedAt, followers });
  }
  await tellSearch(tx, authorId, width[after] > width[before] ? after : before);
  await tellOfLists(tx, authorId, was, is);
  await tx.fact(userTopic(authorId), { kind: "own.blogs", blogId });
  tx.ring(rightsTopic(blogId));
}

/** Tells those who may find a blog by words that it has others now, or that it came or went. */
export async function tellSearch(tx: Transaction, authorId: string, audience: Audience): Promise<void> {
  if (audience === "nobody") return;
  await tx.fact(searchTopic, { kind: "search.blogs", authorId, followers: audience === "followers" });
}

/** Which lists of the profile it left and came to; a draft that is saved comes to stand first among them. */
async function tellOfLists(
  tx: Transaction,
  authorId: string,
  was: Visibility | null,
  is: Visibility | null,
): Promise<void> {
  const profile = profileTopic(authorId);
  const lists = [was, is].flatMap((one) => (one ? [listOf(one)] : []));
  if (lists[0] === lists[1] && lists[0] !== "draft-blogs") return;
  for (const list of new Set(lists)) await tx.fact(profile, { kind: "profile.listed", list });
  if (lists.includes("blogs")) await tx.fact(profile, { kind: "profile.changed" });
}

/** Tells a blog's author that it has more or fewer comments or likes. */
export const tellCounted = (tx: Transaction, { authorId }: { authorId: string }): Promise<void> =>
  tx.fact(userTopic(authorId), { kind: "own.counted" });

/** What makes an answer with a page of the feed old: another order of it, and whatever its cards show. */
export const topicsOfFeed = (cards: { _id: string }[], sort: Sort): string[] => [
  feedTopic,
  ...(sort === "likes" ? [likesTopic] : []),
  ...cards.map(({ _id }) => blogTopic(_id)),
];

/** Tells that one more person likes a blog, or one less: those who show it, and lists of the most liked. */
export async function tellOfLike(tx: Transaction, blogId: string, liked: boolean): Promise<void> {
  await tx.fact(blogTopic(blogId), { kind: "blog.liked" });
  const blog = await blogFactsById(tx, blogId, null);
  if (!blog) return;
  await tellCounted(tx, blog);
  const { likesCount } = blog;
  await tx.fact(likesTopic, { kind: "blog.ranked", blogId, likesCount, was: likesCount + (liked ? -1 : 1) });
}
