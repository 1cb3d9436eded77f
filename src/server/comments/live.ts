import type { BlogEvent } from "../../shared/events.ts";
import { mayReadBlog } from "../blogs/access.ts";
import { blogFactsById } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { blogTopic, rightsTopic, type StoredFact } from "../live/outbox.ts";
import { openStream } from "../live/stream.ts";
import { presentComment } from "./present.ts";
import { commentsByIds, sizesOfThreads } from "./queries.ts";

/** What the outbox keeps of a blog's topic. */
type BlogFact =
  | { kind: "comment.created" | "comment.edited" | "comment.liked"; commentId: string }
  /** Those below them are named as well; `rootIds` are the threads that lost some. */
  | { kind: "comment.deleted"; commentIds: string[]; emptied: string[]; rootIds?: string[] }
  | { kind: "blog.liked" | "blog.saved" | "blog.edited" };

/** The stream of a blog's page: its comments, likes and saves, for as long as this reader may read it. */
export async function watchBlog(
  ctx: Context,
  blogId: string,
  from: string | undefined,
  signal: AbortSignal | undefined,
) {
  const { database, bus, viewer } = ctx;
  const blog = await blogFactsById(database.read, blogId, null);
  return openStream<BlogEvent>({
    database,
    bus,
    topic: blogTopic(blogId),
    rights: [
      rightsTopic(blogId),
      ...(blog ? [rightsTopic(blog.authorId)] : []),
      ...(viewer ? [rightsTopic(viewer.id)] : []),
    ],
    from,
    signal,
    streams: ctx.streams,
    mayRead: () => mayReadBlog(database.read, viewer, blogId),
    present: (facts) => presentFacts(database.read, blogId, facts),
  });
}

/** Facts to events as things stand now: a comment that is gone by now is told of by its deletion alone. */
async function presentFacts(
  connection: Connection,
  blogId: string,
  facts: StoredFact[],
): Promise<{ seq: number; event: BlogEvent | null }[]> {
  const blog = await blogFactsById(connection, blogId, null);
  const named = facts.flatMap(({ fact }) => (typeof fact.commentId === "string" ? [fact.commentId] : []));
  const comments = new Map(
    (await commentsByIds(connection, [...new Set(named)])).map((row) => [row.id, presentComment(row)]),
  );
  const touched = facts.flatMap(({ fact }) =>
    Array.isArray(fact.rootIds) ? (fact.rootIds as string[]) : [],
  );
  const sizes = await sizesOfThreads(connection, [
    ...new Set([...touched, ...[...comments.values()].map(({ rootId }) => rootId)]),
  ]);
  const repliesCount = (rootId: string) => Math.max(0, (sizes.get(rootId) ?? 0) - 1);
  const commentsCount = blog?.commentsCount ?? 0;
  const asEvent = (fact: BlogFact): BlogEvent | null => {
    switch (fact.kind) {
      case "comment.deleted":
        return {
          kind: fact.kind,
          commentIds: fact.commentIds,
          emptied: fact.emptied,
          commentsCount,
          repliesCounts: Object.fromEntries((fact.rootIds ?? []).map((id) => [id, repliesCount(id)])),
        };
      case "blog.liked":
        return { kind: fact.kind, likesCount: blog?.likesCount ?? 0 };
      case "blog.saved":
        return { kind: fact.kind, savesCount: blog?.savesCount ?? 0 };
      case "blog.edited":
        return { kind: fact.kind };
      default: {
        const comment = comments.get(fact.commentId);
        if (!comment) return null;
        if (fact.kind === "comment.created")
          return { kind: fact.kind, comment, commentsCount, repliesCount: repliesCount(comment.rootId) };
        if (fact.kind === "comment.edited")
          return {
            kind: fact.kind,
            commentId: comment.id,
            text: comment.text,
            editedAt: comment.editedAt ?? comment.createdAt,
          };
        return { kind: fact.kind, commentId: comment.id, likesCount: comment.likesCount };
      }
    }
  };
  return facts.map(({ seq, fact }) => ({ seq, event: asEvent(fact as unknown as BlogFact) }));
}
