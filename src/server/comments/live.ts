import type { Comment } from "../../shared/comments.ts";
import { blogEvents, changedText } from "../blogs/live.ts";
import type { RenderHtml } from "../blogs/text-changes.ts";
import type { Connection } from "../database/connection.ts";
import { blogTopic, type StoredEvent } from "../live/stored-events.ts";
import { createSource, type Logged, type Presented, type Source } from "../live/source.ts";
import { presentComment } from "./present.ts";
import { commentsByIds, sizesOfThreads } from "./queries.ts";

/** Presents a public blog's events with its comments, without earlier events of deleted comments. */
export const blogSource = (connection: Connection, blogId: string, draw: RenderHtml): Source =>
  createSource("blog", blogTopic(blogId), `blog:${blogId}`, async (events, jitterMs) => {
    const present = await presenter(connection, blogId, events, jitterMs, draw);
    const lastCounted = events.findLast(({ event }) => isCount(event));
    const lastEdited = events.findLast(({ event }) => event.kind === "blog.edited");
    return events
      .filter((one) => !isCount(one.event) || one === lastCounted)
      .filter((one) => one.event.kind !== "blog.edited" || one === lastEdited)
      .map(({ seq, event }) => ({ seq, ...present(event) }));
  });

const isCount = ({ kind }: StoredEvent<"blog">) => kind === "blog.liked" || kind === "blog.saved";

async function presenter(
  connection: Connection,
  blogId: string,
  events: Logged<"blog">[],
  jitterMs: number,
  draw: RenderHtml,
): Promise<(event: StoredEvent<"blog">) => Pick<Presented, "event" | "hiddenIfBlocked">> {
  const { counts, edit } = await blogEvents(connection, blogId, jitterMs);
  const [edited] = events.flatMap(({ event }) => (event.kind === "blog.edited" ? event : []));
  const changed = edited ? await changedText(connection, blogId, edited.was, draw) : null;
  const named = events.flatMap(({ event }) => ("commentId" in event ? [event.commentId] : []));
  const comments = await presentAll(connection, named);
  const answered = await presentAll(
    connection,
    [...comments.values()].flatMap(({ parentId }) => parentId ?? []),
  );
  const touched = events.flatMap(({ event }) => ("rootIds" in event ? event.rootIds : []));
  const sizes = await sizesOfThreads(
    connection,
    [...new Set([...touched, ...[...comments.values()].map(({ rootId }) => rootId)])],
    undefined,
  );
  const repliesCount = (rootId: string) => Math.max(0, (sizes.get(rootId) ?? 0) - 1);
  const commentsCount = counts?.commentsCount ?? 0;
  return (event) => {
    switch (event.kind) {
      case "comment.deleted":
        return {
          event: {
            kind: event.kind,
            commentIds: event.commentIds,
            emptied: event.emptied,
            commentsCount,
            repliesCounts: Object.fromEntries(event.rootIds.map((id) => [id, repliesCount(id)])),
          },
        };
      case "blog.liked":
      case "blog.saved":
        return { event: counts };
      case "blog.authors":
        return { event: { kind: event.kind, blogId, jitterMs } };
      case "blog.edited":
        return { event: edit && { ...edit, text: changed } };
      default: {
        const comment = comments.get(event.commentId);
        if (!comment) return { event: null };
        const by = { person: comment.author?.id ?? "" };
        if (event.kind === "comment.created") {
          const { rootId, parentId } = comment;
          const above = answered.get(parentId ?? "")?.author?.id ?? "";
          return {
            event: { kind: event.kind, comment, commentsCount, repliesCount: repliesCount(rootId) },
            // Everyone gets the counts. A reply can bring a deleted or hidden parent back as an empty row: the list is
            // refetched.
            hiddenIfBlocked: [
              { ...by, fallback: counts },
              { person: above, fallback: { kind: "accessRestored", jitterMs } },
              // The list's response says whether it is collapsed.
              { ...by, alsoIfMuted: true, fallback: { kind: "accessRestored", jitterMs } },
            ],
          };
        }
        const { id: commentId, text, editedAt, createdAt, likesCount, mark = null } = comment;
        if (event.kind === "comment.marked")
          return { event: { kind: event.kind, commentId, mark }, hiddenIfBlocked: [by] };
        return event.kind === "comment.edited"
          ? {
              event: { kind: event.kind, commentId, text, editedAt: editedAt ?? createdAt },
              hiddenIfBlocked: [by],
            }
          : { event: { kind: event.kind, commentId, likesCount }, hiddenIfBlocked: [by] };
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
