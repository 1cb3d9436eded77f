import type { Comment } from "../../shared/comments.ts";
import { blogEvents, changedText } from "../blogs/live.ts";
import type { RenderHtml } from "../text/changes.ts";
import type { Connection } from "../database/connection.ts";
import { blogTopic, type StoredEvent } from "../live/stored-events.ts";
import { createSource, type Logged, type Presented, type Source } from "../live/source.ts";
import { presentComment } from "../comments/present.ts";
import { commentsByIds, sizesOfThreads } from "../comments/queries.ts";
import { createEntryPresenter, isEntryEvent } from "../entries/live.ts";

/** Presents a public blog's events with its comments, without earlier events of deleted comments. */
export const blogSource = (connection: Connection, blogId: string, renderHtml: RenderHtml): Source =>
  createSource("blog", blogTopic(blogId), `blog:${blogId}`, async (events, jitterMs) => {
    const present = await createPresenter(connection, blogId, events, jitterMs, renderHtml);
    const lastCounted = events.findLast(({ event }) => isCount(event));
    const lastEdited = events.findLast(({ event }) => event.kind === "blog.edited");
    return events
      .filter((entry) => !isCount(entry.event) || entry === lastCounted)
      .filter((entry) => entry.event.kind !== "blog.edited" || entry === lastEdited)
      .map(({ seq, event }) => ({ seq, ...present(event) }));
  });

const isCount = ({ kind }: StoredEvent<"blog">) => kind === "blog.liked" || kind === "blog.saved";

async function createPresenter(
  connection: Connection,
  blogId: string,
  events: Logged<"blog">[],
  jitterMs: number,
  renderHtml: RenderHtml,
): Promise<(event: StoredEvent<"blog">) => Pick<Presented, "event" | "hiddenIfBlocked">> {
  const { counts, edit } = await blogEvents(connection, blogId, jitterMs);
  const [firstEdit] = events.flatMap(({ event }) => (event.kind === "blog.edited" ? event : []));
  const textChange = firstEdit ? await changedText(connection, blogId, firstEdit.was, renderHtml) : null;
  const commentIds = events.flatMap(({ event }) => ("commentId" in event ? [event.commentId] : []));
  const comments = await presentAll(connection, commentIds);
  const parents = await presentAll(
    connection,
    [...comments.values()].flatMap(({ parentId }) => parentId ?? []),
  );
  const changedRootIds = events.flatMap(({ event }) => ("rootIds" in event ? event.rootIds : []));
  const sizes = await sizesOfThreads(
    connection,
    [...new Set([...changedRootIds, ...[...comments.values()].map(({ rootId }) => rootId)])],
    undefined,
  );
  const repliesCount = (rootId: string) => Math.max(0, (sizes.get(rootId) ?? 0) - 1);
  const commentsCount = counts?.commentsCount ?? 0;
  const presentEntryEvent = await createEntryPresenter(connection, blogId, events, jitterMs, renderHtml);
  return (event) => {
    if (isEntryEvent(event)) return presentEntryEvent(event);
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
        return { event: edit && { ...edit, text: textChange } };
      default: {
        const comment = comments.get(event.commentId);
        if (!comment) return { event: null };
        const hiddenAuthor = { person: comment.author?.id ?? "" };
        if (event.kind === "comment.created") {
          const { rootId, parentId } = comment;
          const parentAuthorId = parents.get(parentId ?? "")?.author?.id ?? "";
          return {
            event: { kind: event.kind, comment, commentsCount, repliesCount: repliesCount(rootId) },
            // Everyone gets the counts. A reply can bring a deleted or hidden parent back as an empty row: the list is
            // refetched.
            hiddenIfBlocked: [
              { ...hiddenAuthor, fallback: counts },
              { person: parentAuthorId, fallback: { kind: "accessRestored", jitterMs } },
              // The list's response says whether it is collapsed.
              { ...hiddenAuthor, alsoIfMuted: true, fallback: { kind: "accessRestored", jitterMs } },
            ],
          };
        }
        const { id, text, links, editedAt, createdAt, likesCount, mark = null } = comment;
        if (event.kind === "comment.marked")
          return { event: { kind: event.kind, commentId: id, mark }, hiddenIfBlocked: [hiddenAuthor] };
        return event.kind === "comment.edited"
          ? {
              event: { kind: event.kind, commentId: id, text, links, editedAt: editedAt ?? createdAt },
              hiddenIfBlocked: [hiddenAuthor],
            }
          : { event: { kind: event.kind, commentId: id, likesCount }, hiddenIfBlocked: [hiddenAuthor] };
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
