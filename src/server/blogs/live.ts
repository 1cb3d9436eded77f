import type { BlogEvent, FeedEvent, StreamEvent } from "../../shared/live.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { blogTopic, feedTopic, likesTopic, type Fact } from "../live/facts.ts";
import { asSource, type Source } from "../live/tail.ts";
import { standingTo } from "../users/access.ts";
import { presentPerson } from "../users/present.ts";
import { userById } from "../users/queries.ts";
import { tieTo } from "./author-queries.ts";
import { cardById, countListed } from "./card-queries.ts";
import { audienceOf, isLive, readableKinds } from "./policy.ts";
import { presentSharedCard } from "./present.ts";
import { blogFactsById, blogHtml } from "./queries.ts";
import { toldChange, type Draw } from "./text-changes.ts";

const counted = new Set<Fact<"blog">["kind"]>([
  "comment.created",
  "comment.deleted",
  "blog.liked",
  "blog.saved",
]);

/** A blog in lists: its counts and what its card shows, of many changes at once the last alone. */
export const cardSource = (connection: Connection, blogId: string): Source =>
  asSource("blog", blogTopic(blogId), `card:${blogId}`, async (facts, spread) => {
    const [lastCounted, lastEdited] = [
      facts.findLast(({ fact }) => counted.has(fact.kind)),
      facts.findLast(({ fact }) => fact.kind === "blog.edited"),
    ];
    const { counts, edit } = await blogEvents(connection, blogId, spread);
    const lastAuthors = facts.findLast(({ fact }) => fact.kind === "blog.authors");
    return [
      ...(lastCounted ? [{ seq: lastCounted.seq, event: counts }] : []),
      ...(lastEdited ? [{ seq: lastEdited.seq, event: edit && { ...edit, text: null } }] : []),
      ...(lastAuthors
        ? [{ seq: lastAuthors.seq, event: { kind: "blog.authors" as const, blogId, spread } }]
        : []),
    ];
  });

/** What is told of a blog's numbers and of its card, as they are now; null where there is no blog. */
export async function blogEvents(
  connection: Connection,
  blogId: string,
  spread: number,
): Promise<{
  counts: Extract<BlogEvent, { kind: "blog.counted" }> | null;
  edit: Omit<Extract<BlogEvent, { kind: "blog.edited" }>, "text"> | null;
}> {
  const [row, facts] = [
    await cardById(connection, blogId, null),
    await blogFactsById(connection, blogId, null),
  ];
  if (!row || !facts) return { counts: null, edit: null };
  const { likesCount, savesCount, commentsCount } = row;
  const editedAt = facts.editedAt === null ? null : new Date(facts.editedAt).toISOString();
  return {
    counts: { kind: "blog.counted", blogId, likesCount, savesCount, commentsCount },
    edit: {
      kind: "blog.edited",
      card: presentSharedCard(row),
      commentsFrom: facts.commentsFrom,
      live: isLive(facts),
      editedAt,
      spread,
    },
  };
}

/** What its text is by now, by the one with the digest `was`. */
export const changedText = async (
  connection: Connection,
  blogId: string,
  was: string | undefined,
  draw: Draw,
) => toldChange(was, await blogHtml(connection, blogId), draw);

/** What comes and goes for everybody, and people's names and pictures. Of a blog for followers it says who hears. */
export const feedSource = (connection: Connection): Source =>
  asSource("feed", feedTopic, "feed", async (facts, spread) =>
    Promise.all(
      facts.map(async ({ seq, fact }) => ({
        seq,
        event: await presentFeed(connection, fact, spread),
        among: "followers" in fact && fact.followers ? amongThose(fact) : undefined,
        hiddenIfBlocked:
          "authorId" in fact
            ? [
                {
                  person: fact.authorId,
                  ...(fact.kind === "blog.published" ? { evenMuted: true as const } : {}),
                },
              ]
            : "personId" in fact
              ? [{ person: fact.personId }]
              : [],
      })),
    ),
  );

async function presentFeed(
  connection: Connection,
  fact: Fact<"feed">,
  spread: number,
): Promise<FeedEvent | StreamEvent | null> {
  switch (fact.kind) {
    case "blog.published": {
      const { kind, blogId, authorId, publishedAt, likesCount } = fact;
      return { kind, blogId, authorId, publishedAt, likesCount, spread };
    }
    case "blog.gone": {
      const { kind, blogId, publishedAt = null } = fact;
      return { kind, blogId, publishedAt, left: await countListed(connection), spread };
    }
    case "feed.changed":
      return { ...fact, left: await countListed(connection), spread };
    case "site.changed":
      return { kind: fact.kind, spread };
    // Whom of, is nobody's to know: all is asked for, as after any break.
    case "people.hidden":
      return { kind: "reset", spread };
    case "person.gone":
      return { kind: fact.kind, personId: fact.personId, spread };
    default: {
      const user = await userById(connection, fact.personId);
      const isSeen = user?.verifiedAt && user.suspendedAt === null;
      return isSeen ? { kind: fact.kind, person: presentPerson(user), bio: user.bio } : null;
    }
  }
}

/** How many like each blog: of many changes at once, the last with how many it were before the first. */
export const likesSource = (connection: Connection): Source =>
  asSource("likes", likesTopic, "likes", async (facts, spread) => {
    const byBlog = Map.groupBy(facts, ({ fact }) => fact.blogId);
    const events = await Promise.all(
      [...byBlog].map(async ([blogId, [first, ...more]]) => {
        const blog = await blogFactsById(connection, blogId, null);
        const audience = blog ? audienceOf(blog) : "nobody";
        if (!first || !blog || audience === "nobody") return [];
        const { seq, fact } = more.at(-1) ?? first;
        const { kind, likesCount } = fact;
        const publishedAt = new Date(blog.publishedAt).toISOString();
        const event = { kind, blogId, publishedAt, likesCount, was: first.fact.was, spread };
        return [
          {
            seq,
            event,
            among:
              audience === "followers" ? amongThose({ authorId: blog.authorId, blogId: blog.id }) : undefined,
            hiddenIfBlocked: [{ person: blog.authorId, evenMuted: true as const }],
          },
        ];
      }),
    );
    return events.flat();
  });

/** Who hears of an author's blog for followers, as `hearsOfPrivate` takes it. */
export const amongThose = ({ authorId, blogId = "" }: { authorId: string; blogId?: string | undefined }) =>
  `${authorId} ${blogId}`;

/** Whether the viewer is among those who hear of a blog for its author's followers: these, and who writes it. */
export async function hearsOfPrivate(
  { database: { read }, viewer }: Pick<Context, "database" | "viewer">,
  among: string,
): Promise<boolean> {
  const [authorId = "", blogId = ""] = among.split(" ");
  return (
    viewer !== null &&
    (readableKinds(await standingTo(read, viewer, authorId)).includes("private") ||
      (await tieTo(read, blogId, viewer.id)) === "author")
  );
}
