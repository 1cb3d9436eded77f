import type { Comment } from "../../shared/comments.ts";
import { blogEvents, changedText } from "../blogs/live.ts";
import type { Draw } from "../blogs/text-changes.ts";
import type { Connection } from "../database/connection.ts";
import { blogTopic, type Fact } from "../live/facts.ts";
import { asSource, type Presented, type Source } from "../live/tail.ts";
import { presentComment } from "./present.ts";
import { commentsByIds, sizesOfThreads } from "./queries.ts";

interface StoredFact {
  seq: number;
  fact: Fact<"blog">;
}

/** An open blog with its comments. A comment that is gone by now is told of by its deletion alone. */
export const blogSource = (connection: Connection, blogId: string, draw: Draw): Source =>
  asSource("blog", blogTopic(blogId), `blog:${blogId}`, async (facts, spread) => {
    const present = await presenter(connection, blogId, facts, spread, draw);
    const lastCounted = facts.findLast(({ fact }) => isCount(fact));
    const lastEdited = facts.findLast(({ fact }) => fact.kind === "blog.edited");
    return facts
      .filter((one) => !isCount(one.fact) || one === lastCounted)
      .filter((one) => one.fact.kind !== "blog.edited" || one === lastEdited)
      .map(({ seq, fact }) => ({ seq, ...present(fact) }));
  });

const isCount = ({ kind }: Fact<"blog">) => kind === "blog.liked" || kind === "blog.saved";

async function presenter(
  connection: Connection,
  blogId: string,
  facts: StoredFact[],
  spread: number,
  draw: Draw,
): Promise<(fact: Fact<"blog">) => Pick<Presented, "event" | "hiddenIfBlocked">> {
  const { counts, edit } = await blogEvents(connection, blogId, spread);
  const [edited] = facts.flatMap(({ fact }) => (fact.kind === "blog.edited" ? fact : []));
  const changed = edited ? await changedText(connection, blogId, edited.was, draw) : null;
  const named = facts.flatMap(({ fact }) => ("commentId" in fact ? [fact.commentId] : []));
  const comments = await presentAll(connection, named);
  const answered = await presentAll(
    connection,
    [...comments.values()].flatMap(({ parentId }) => parentId ?? []),
  );
  const touched = facts.flatMap(({ fact }) => ("rootIds" in fact ? fact.rootIds : []));
  const sizes = await sizesOfThreads(
    connection,
    [...new Set([...touched, ...[...comments.values()].map(({ rootId }) => rootId)])],
    undefined,
  );
  const repliesCount = (rootId: string) => Math.max(0, (sizes.get(rootId) ?? 0) - 1);
  const commentsCount = counts?.commentsCount ?? 0;
  return (fact) => {
    switch (fact.kind) {
      case "comment.deleted":
        return {
          event: {
            kind: fact.kind,
            commentIds: fact.commentIds,
            emptied: fact.emptied,
            commentsCount,
            repliesCounts: Object.fromEntries(fact.rootIds.map((id) => [id, repliesCount(id)])),
          },
        };
      case "blog.liked":
      case "blog.saved":
        return { event: counts };
      case "blog.authors":
        return { event: { kind: fact.kind, blogId, spread } };
      case "blog.edited":
        return { event: edit && { ...edit, text: changed } };
      default: {
        const comment = comments.get(fact.commentId);
        if (!comment) return { event: null };
        const by = { person: comment.author?.id ?? "" };
        if (fact.kind === "comment.created") {
          const { rootId, parentId } = comment;
          const above = answered.get(parentId ?? "")?.author?.id ?? "";
          return {
            event: { kind: fact.kind, comment, commentsCount, repliesCount: repliesCount(rootId) },
            // The numbers are everybody's. What is answered may come to be shown by the answer, empty: the list is asked for.
            hiddenIfBlocked: [
              { ...by, fallback: counts },
              { person: above, fallback: { kind: "back", spread } },
              // Whether it is to be folded away stands in the answer.
              { ...by, evenMuted: true, fallback: { kind: "back", spread } },
            ],
          };
        }
        const { id: commentId, text, editedAt, createdAt, likesCount, mark = null } = comment;
        if (fact.kind === "comment.marked")
          return { event: { kind: fact.kind, commentId, mark }, hiddenIfBlocked: [by] };
        return fact.kind === "comment.edited"
          ? {
              event: { kind: fact.kind, commentId, text, editedAt: editedAt ?? createdAt },
              hiddenIfBlocked: [by],
            }
          : { event: { kind: fact.kind, commentId, likesCount }, hiddenIfBlocked: [by] };
      }
    }
  };
}

const presentAll = async (connection: Connection, ids: string[]): Promise<Map<string, Comment>> =>
  new Map(
    ids.length === 0
      ? []
      : (await commentsByIds(connection, [...new Set(ids)])).map((row) => [row.id, presentComment(row)]),
  );
