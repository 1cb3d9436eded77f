import { audienceOf, type Audience, type Visibility } from "../../shared/audience.ts";
import { feedSorts, rankedSorts, rankTopics, type BlogCount, type Sort } from "../../shared/feed-sorts.ts";
import type { Transaction } from "../database/writer.ts";
import {
  blogTopic,
  feedTopic,
  profileTopic,
  rankingTopic,
  searchTopic,
  userTopic,
} from "../live/stored-events.ts";
import { coverageTopic, rightsTopic } from "../live/signals.ts";
import { enqueueOnce } from "../jobs/jobs.ts";
import { publishStaffWork } from "../moderation/staff-events.ts";
import { coAuthorIds } from "../authors/queries.ts";
import { isOnAir, listOf } from "./policy.ts";
import { cardById } from "./card-queries.ts";
import { tagsOfNewestBlogs } from "./tag-queries.ts";
import { isHubSet, hubJob, type HubWork } from "../feeds/websub-queries.ts";
import { blogFactsById, type BlogFacts } from "./queries.ts";

const width: Record<Audience, number> = { nobody: 0, followers: 1, everyone: 2 };

/**
 * Publishes a changed visibility to the feed (private blogs only to followers: blogs/live.ts), open searches, the author's
 * profile and tabs, and streams, which check access again. Null: no blog before or after.
 */
export async function publishVisibility(
  tx: Transaction,
  authorId: string,
  blogId: string,
  before: (Visibility & { publishedAt: number; tags?: string[] | undefined }) | null,
  after: Visibility | null,
): Promise<void> {
  const [audienceBefore, audienceAfter] = [
    before ? audienceOf(before) : "nobody",
    after ? audienceOf(after) : "nobody",
  ];
  if (width[audienceAfter] > width[audienceBefore]) tx.emit(feedTopic, { kind: "blog.published", blogId });
  if (before && width[audienceAfter] < width[audienceBefore]) {
    const publishedAt = new Date(before.publishedAt).toISOString();
    const followers = audienceBefore === "followers";
    tx.emit(feedTopic, { kind: "blog.gone", blogId, authorId, publishedAt, followers });
  }
  if (before && audienceBefore !== audienceAfter && [audienceBefore, audienceAfter].includes("everyone"))
    await publishStaffWork(tx);
  const row = await cardById(tx, blogId, authorId);
  const tags = row?.tags;
  if (row && isOnAir(row) && width[audienceAfter] > width[audienceBefore])
    tx.emit(feedTopic, {
      kind: "live.changed",
      blogId,
      authorId,
      followers: audienceAfter === "followers",
    });
  // Tags that a blog gets as it is hidden are none of those who lose it.
  const seenTags = [
    ...(width[audienceBefore] >= width[audienceAfter] ? (before?.tags ?? tags ?? []) : []),
    ...(width[audienceAfter] >= width[audienceBefore] ? (tags ?? []) : []),
  ];
  const affectedTags = (tags ?? before?.tags) && [...new Set(seenTags)];
  await publishToSearch(
    tx,
    authorId,
    width[audienceAfter] > width[audienceBefore] ? audienceAfter : audienceBefore,
    affectedTags,
    blogId,
  );
  const coAuthors = await coAuthorIds(tx, blogId);
  for (const id of [authorId, ...coAuthors]) {
    publishToProfileLists(tx, id, before, after);
    tx.emit(userTopic(id), { kind: "viewer.blogsChanged", blogId });
  }
  // The blog is in each co-author's feeds.
  if ([audienceBefore, audienceAfter].includes("everyone"))
    for (const id of coAuthors) await enqueueHubNotification(tx, id, []);
  tx.signal(rightsTopic(blogId));
}

/** Publishes a change of an unpublished blog to its authors' pages. `written`: only its text or fields changed. */
export async function publishDraftChange(
  tx: Transaction,
  authorId: string,
  blogId: string,
  options: { written?: true } = {},
): Promise<void> {
  for (const id of [authorId, ...(await coAuthorIds(tx, blogId))]) {
    tx.emit(profileTopic(id), { kind: "profile.listed", list: "draft-blogs" });
    tx.emit(userTopic(id), { kind: "viewer.blogsChanged", blogId, ...options });
  }
}

/** Notifies the hub that `personId` became or no longer is a co-author: the feeds with the blog name its authors. */
export async function notifyHubOfAuthors(
  tx: Transaction,
  blog: Visibility & { id: string; authorId: string },
  personId: string,
): Promise<void> {
  if (audienceOf(blog) !== "everyone" || !(await isHubSet(tx))) return;
  const tags = (await cardById(tx, blog.id, blog.authorId))?.tags ?? [];
  await enqueueHubNotification(tx, blog.authorId, tags);
  for (const id of new Set([...(await coAuthorIds(tx, blog.id)), personId]))
    await enqueueHubNotification(tx, id, []);
}

/** Publishes to feeds that a live blog's entries, summary or state changed. */
export async function publishCoverage(
  tx: Transaction,
  { id, authorId, ...visibility }: Visibility & { id: string; authorId: string },
): Promise<void> {
  tx.signal(coverageTopic(id));
  if (audienceOf(visibility) !== "everyone" || !(await isHubSet(tx))) return;
  const tags = (await cardById(tx, id, authorId))?.tags ?? [];
  await enqueueHubNotification(tx, authorId, tags, id);
  for (const coAuthor of await coAuthorIds(tx, id)) await enqueueHubNotification(tx, coAuthor, []);
}

/** Publishes to feeds and searches that the words of a live blog's entries changed. */
export async function publishEntryWords(
  tx: Transaction,
  blog: Visibility & { id: string; authorId: string },
): Promise<void> {
  await publishCoverage(tx, blog);
  const { id: blogId, authorId } = blog;
  const audience = audienceOf(blog);
  if (audience === "nobody") return;
  const followers = audience === "followers";
  tx.emit(searchTopic, { kind: "search.blogs", authorId, blogId, followers, tags: [] });
}

/** Milliseconds in which the hub is notified of one feed once. */
const hubIntervalMs = 2_000;

/** How many of an author's newest blogs have their tags sent to the hub when the account becomes private or public. */
const maxHubBlogs = 100;

/**
 * Queues a hub notification, if a hub is set: see `feeds/websub.ts`. Without `tags`, of those of the author's newest blogs. A blog
 * has a feed if it is a live blog.
 */
async function enqueueHubNotification(
  tx: Transaction,
  authorId: string,
  tags?: string[],
  blogId?: string,
): Promise<void> {
  if (!(await isHubSet(tx))) return;
  const changed = tags ?? (await tagsOfNewestBlogs(tx, authorId, maxHubBlogs));
  const live = blogId !== undefined && (await blogFactsById(tx, blogId, null))?.liveSince != null;
  const work: HubWork[] = [{ authorId }, ...changed.map((tag) => ({ tag })), ...(live ? [{ blogId }] : [])];
  for (const payload of work) await enqueueOnce(tx, hubJob, payload, hubIntervalMs);
}

/** Notifies open searches of a changed blog; without `tags`, of many. */
export async function publishToSearch(
  tx: Transaction,
  authorId: string,
  audience: Audience,
  tags?: string[],
  blogId?: string,
): Promise<void> {
  if (audience === "nobody") return;
  const followers = audience === "followers";
  if (!followers)
    await enqueueHubNotification(tx, authorId, blogId === undefined ? tags : (tags ?? []), blogId);
  tx.emit(searchTopic, { kind: "search.blogs", authorId, blogId, followers, ...(tags && { tags }) });
}

/** Publishes which profile lists a blog left and entered; saving a draft moves it to the top. */
function publishToProfileLists(
  tx: Transaction,
  authorId: string,
  before: Visibility | null,
  after: Visibility | null,
): void {
  const profile = profileTopic(authorId);
  const lists = [before, after].flatMap((visibility) => (visibility ? [listOf(visibility)] : []));
  if (lists[0] === lists[1] && lists[0] !== "draft-blogs") return;
  for (const list of new Set(lists)) tx.emit(profile, { kind: "profile.listed", list });
  if (lists.includes("blogs")) tx.emit(profile, { kind: "profile.changed" });
}

/** Publishes a blog's new count to its author, and to lists that are sorted by it. `blog` has the new count, to which `change` was added. */
export function publishCount(
  tx: Transaction,
  blog: Pick<BlogFacts, "id" | "authorId" | BlogCount>,
  changed: BlogCount,
  change: number,
): void {
  tx.emit(userTopic(blog.authorId), { kind: "viewer.countsChanged" });
  const count = blog[changed];
  for (const sort of rankedSorts)
    if (feedSorts[sort].count === changed)
      tx.emit(rankingTopic(sort), { kind: "blog.ranked", blogId: blog.id, count, was: count - change });
}

/** As `publishCount`, with the blog as it is stored now. */
export async function publishStoredCount(
  tx: Transaction,
  blogId: string,
  changed: BlogCount,
  change: number,
): Promise<void> {
  const blog = await blogFactsById(tx, blogId, null);
  if (blog) publishCount(tx, blog, changed, change);
}

/** Returns the topics that invalidate a page of the feed: its order and its cards. */
export const topicsOfFeed = (cards: { _id: string }[], sort: Sort): string[] => [
  feedTopic,
  ...rankTopics(sort),
  ...cards.map(({ _id }) => blogTopic(_id)),
];

/** Publishes a like or its removal. */
export async function publishLike(tx: Transaction, blogId: string, liked: boolean): Promise<void> {
  tx.emit(blogTopic(blogId), { kind: "blog.liked" });
  await publishStoredCount(tx, blogId, "likesCount", liked ? 1 : -1);
}
