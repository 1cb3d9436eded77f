import { limits } from "../../shared/limits.ts";
import type { BlogEvent, CommentEvent } from "../../shared/live.ts";
import { blogEvents } from "../blogs/live.ts";
import { blogHtml } from "../blogs/queries.ts";
import type { Connection } from "../database/connection.ts";
import { blogTopic, type Fact } from "../live/facts.ts";
import { asSource, type Source } from "../live/tail.ts";
import { presentComment } from "./present.ts";
import { commentsByIds, sizesOfThreads } from "./queries.ts";

interface StoredFact {
  seq: number;
  fact: Fact<"blog">;
}

/** An open blog with its comments. A comment that is gone by now is told of by its deletion alone. */
export const blogSource = (connection: Connection, blogId: string): Source =>
  asSource("blog", blogTopic(blogId), `blog:${blogId}`, async (facts, spread) => {
    const present = await presenter(connection, blogId, facts, spread);
    const lastCounted = facts.findLast(({ fact }) => isCount(fact));
    const lastEdited = facts.findLast(({ fact }) => fact.kind === "blog.edited");
    return facts
      .filter((one) => !isCount(one.fact) || one === lastCounted)
      .filter((one) => one.fact.kind !== "blog.edited" || one === lastEdited)
      .map(({ seq, fact }) => ({ seq, event: present(fact) }));
  });

const isCount = ({ kind }: Fact<"blog">) => kind === "blog.liked" || kind === "blog.saved";

async function presenter(
  connection: Connection,
  blogId: string,
  facts: StoredFact[],
  spread: number,
): Promise<(fact: Fact<"blog">) => CommentEvent | BlogEvent | null> {
  const { counts, edit } = await blogEvents(connection, blogId, spread);
  const html = facts.some(({ fact }) => fact.kind === "blog.edited")
    ? await blogHtml(connection, blogId)
    : "";
  const named = facts.flatMap(({ fact }) => ("commentId" in fact ? [fact.commentId] : []));
  const comments = new Map(
    (await commentsByIds(connection, [...new Set(named)])).map((row) => [row.id, presentComment(row)]),
  );
  const touched = facts.flatMap(({ fact }) => ("rootIds" in fact ? fact.rootIds : []));
  const sizes = await sizesOfThreads(connection, [
    ...new Set([...touched, ...[...comments.values()].map(({ rootId }) => rootId)]),
  ]);
  const repliesCount = (rootId: string) => Math.max(0, (sizes.get(rootId) ?? 0) - 1);
  const commentsCount = counts?.commentsCount ?? 0;
  return (fact) => {
    switch (fact.kind) {
      case "comment.deleted":
        return {
          kind: fact.kind,
          commentIds: fact.commentIds,
          emptied: fact.emptied,
          commentsCount,
          repliesCounts: Object.fromEntries(fact.rootIds.map((id) => [id, repliesCount(id)])),
        };
      case "blog.liked":
      case "blog.saved":
        return counts;
      case "blog.edited":
        return edit && { ...edit, html: Buffer.byteLength(html) > limits.live.message ? null : html };
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
}
