import { audienceOf, type Audience } from "../../shared/audience.ts";
import { feedSorts, rankedSorts, type RankedSort } from "../../shared/feed-sorts.ts";
import type { BlogEvent, FeedEvent, StreamEvent } from "../../shared/live.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { blogTopic, feedTopic, rankingTopic, type StoredEvent } from "../live/stored-events.ts";
import { createSource, type Logged, type Presented, type Source } from "../live/source.ts";
import { relationTo } from "../profiles/access.ts";
import { presentPerson } from "../profiles/present.ts";
import { userById } from "../profiles/queries.ts";
import { authorRole } from "../authors/queries.ts";
import { cardById, countListed } from "./card-queries.ts";
import { isUnpublished } from "../writing/queries.ts";
import { readableKinds } from "./policy.ts";
import { presentLive, presentSharedCard } from "./present.ts";
import { blogFactsById, blogHtml, type BlogFacts } from "./queries.ts";
import { textChange, type RenderHtml } from "../text/changes.ts";

const countedKinds = new Set<StoredEvent<"blog">["kind"]>([
  "comment.created",
  "comment.deleted",
  "blog.liked",
  "blog.saved",
]);

/** Presents a blog in lists: its counts and its card, once for many changes. */
export const cardSource = (connection: Connection, blogId: string): Source =>
  createSource("blog", blogTopic(blogId), `card:${blogId}`, async (events, jitterMs) => {
    const [lastCounted, lastEdited] = [
      events.findLast(({ event }) => countedKinds.has(event.kind)),
      events.findLast(({ event }) => event.kind === "blog.edited"),
    ];
    const { counts, edit } = await blogEvents(connection, blogId, jitterMs);
    const lastAuthors = events.findLast(({ event }) => event.kind === "blog.authors");
    return [
      ...(lastCounted ? [{ seq: lastCounted.seq, event: counts }] : []),
      ...(lastEdited ? [{ seq: lastEdited.seq, event: edit && { ...edit, text: null } }] : []),
      ...(lastAuthors
        ? [{ seq: lastAuthors.seq, event: { kind: "blog.authors" as const, blogId, jitterMs } }]
        : []),
    ];
  });

/** Presents a blog's current counts and card; null if it does not exist. */
export async function blogEvents(
  connection: Connection,
  blogId: string,
  jitterMs: number,
): Promise<{
  counts: Extract<BlogEvent, { kind: "blog.counted" }> | null;
  edit: Omit<Extract<BlogEvent, { kind: "blog.edited" }>, "text"> | null;
}> {
  const [row, blog] = [
    await cardById(connection, blogId, null),
    await blogFactsById(connection, blogId, null),
  ];
  if (!row || !blog) return { counts: null, edit: null };
  const { likesCount, savesCount, commentsCount } = row;
  const editedAt = blog.editedAt === null ? null : new Date(blog.editedAt).toISOString();
  return {
    counts: { kind: "blog.counted", blogId, likesCount, savesCount, commentsCount },
    edit: {
      kind: "blog.edited",
      card: presentSharedCard(row),
      commentsFrom: blog.commentsFrom,
      live: presentLive(blog),
      editedAt,
      jitterMs,
    },
  };
}

/** Presents the current text as a change from the one with digest `previousDigest`; null for a draft, which its page fetches. */
export const changedText = async (
  connection: Connection,
  blogId: string,
  previousDigest: string | undefined,
  renderHtml: RenderHtml,
) => {
  const blog = await blogFactsById(connection, blogId, null);
  if (!blog || isUnpublished(blog)) return null;
  return textChange(previousDigest, await blogHtml(connection, blogId), renderHtml);
};

/** Presents blogs that come to or leave feeds, and changed names and pictures of people. */
export const feedSource = (connection: Connection): Source =>
  createSource("feed", feedTopic, "feed", async (events, jitterMs) => {
    const isFirstPublished = firstPublished(events);
    return Promise.all(
      events.map(async ({ seq, event }) => ({
        seq,
        ...(event.kind === "blog.published"
          ? await presentPublished(connection, event, jitterMs)
          : {
              event: await presentFeed(connection, event, { jitterMs, isFirstPublished }),
              audience: "followers" in event && event.followers ? audienceKey(event) : undefined,
              hiddenIfBlocked:
                "authorId" in event
                  ? [{ person: event.authorId }]
                  : "personId" in event
                    ? [{ person: event.personId }]
                    : [],
            }),
      })),
    );
  });

/** Returns whether a blog first came and then went in these events: a reader of all of them may never have seen it. */
function firstPublished(events: Logged<"feed">[]): (blogId: string) => boolean {
  const firstKinds = new Map<string, string>();
  for (const { event } of events)
    if ("blogId" in event && !firstKinds.has(event.blogId)) firstKinds.set(event.blogId, event.kind);
  return (blogId) => firstKinds.get(blogId) === "blog.published";
}

/** Presents a blog that came to feeds to those who can read it now. */
async function presentPublished(
  connection: Connection,
  { kind, blogId }: Extract<StoredEvent<"feed">, { kind: "blog.published" }>,
  jitterMs: number,
): Promise<Omit<Presented, "seq">> {
  const blog = await blogFactsById(connection, blogId, null);
  const readers = await readersOf(connection, blog);
  if (!blog || readers === "nobody") return { event: null };
  const { authorId } = blog;
  const publishedAt = new Date(blog.publishedAt).toISOString();
  const counts = Object.fromEntries(rankedSorts.map((sort) => [sort, blog[feedSorts[sort].count]])) as Record<
    RankedSort,
    number
  >;
  return {
    event: { kind, blogId, authorId, publishedAt, counts, jitterMs },
    audience: readers === "followers" ? audienceKey({ authorId, blogId }) : undefined,
    hiddenIfBlocked: [{ person: authorId, alsoIfMuted: true }],
  };
}

/** Returns who can read a blog now, besides its authors. The followers of a limited author count as everyone. */
export async function readersOf(connection: Connection, blog: BlogFacts | undefined): Promise<Audience> {
  if (!blog) return "nobody";
  const isSuspended = !blog.isVisible && (await userById(connection, blog.authorId))?.suspendedAt !== null;
  return isSuspended ? "nobody" : audienceOf(blog);
}

async function presentFeed(
  connection: Connection,
  event: Exclude<StoredEvent<"feed">, { kind: "blog.published" }>,
  { jitterMs, isFirstPublished }: { jitterMs: number; isFirstPublished: (blogId: string) => boolean },
): Promise<FeedEvent | StreamEvent | null> {
  switch (event.kind) {
    case "blog.gone": {
      const { kind, blogId, publishedAt = null } = event;
      const left = await countListed(connection);
      return publishedAt !== null && isFirstPublished(blogId)
        ? { kind: "feed.changed", oldest: publishedAt, newest: publishedAt, left, jitterMs }
        : { kind, blogId, publishedAt, left, jitterMs };
    }
    case "feed.changed":
      return { ...event, left: await countListed(connection), jitterMs };
    case "live.changed":
    case "site.changed":
      return { kind: event.kind, jitterMs };
    // Anonymous, so that no one learns who was limited: pages refetch everything.
    case "people.hidden":
      return { kind: "reset", jitterMs };
    case "person.gone":
      return { kind: event.kind, personId: event.personId, jitterMs };
    default: {
      const user = await userById(connection, event.personId);
      const isSeen = user?.verifiedAt && user.suspendedAt === null;
      return isSeen
        ? { kind: event.kind, person: presentPerson(user), bio: user.bio, private: user.private }
        : null;
    }
  }
}

/** Presents changed ranks per blog: its changes as the last one, with `was` of the first. */
export const rankingSource = (connection: Connection, sort: RankedSort): Source =>
  createSource("ranking", rankingTopic(sort), sort, async (events, jitterMs) => {
    const byBlog = Map.groupBy(events, ({ event }) => event.blogId);
    const presented = await Promise.all(
      [...byBlog].map(async ([blogId, [first, ...more]]) => {
        const blog = await blogFactsById(connection, blogId, null);
        const readers = await readersOf(connection, blog);
        if (!first || !blog || readers === "nobody") return [];
        const last = more.at(-1) ?? first;
        const { kind, count } = last.event;
        const publishedAt = new Date(blog.publishedAt).toISOString();
        const event = { kind, blogId, publishedAt, count, was: first.event.was, jitterMs };
        return [
          {
            seq: last.seq,
            event,
            audience: readers === "followers" ? audienceKey({ authorId: blog.authorId, blogId }) : undefined,
            hiddenIfBlocked: [{ person: blog.authorId, alsoIfMuted: true as const }],
          },
        ];
      }),
    );
    return presented.flat();
  });

/** Returns an audience key for `isInPrivateAudience`. */
export const audienceKey = ({ authorId, blogId = "" }: { authorId: string; blogId?: string | undefined }) =>
  `${authorId} ${blogId}`;

/** Returns whether the viewer follows the author or co-authors the blog. */
export async function isInPrivateAudience(
  { database: { read }, viewer }: Pick<Context, "database" | "viewer">,
  audience: string,
): Promise<boolean> {
  const [authorId = "", blogId = ""] = audience.split(" ");
  return (
    viewer !== null &&
    (readableKinds(await relationTo(read, viewer, authorId)).includes("private") ||
      (await authorRole(read, blogId, viewer.id)) === "author")
  );
}
