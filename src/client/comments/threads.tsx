import { useMemo } from "react";
import type { ReactNode } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { CommentList } from "../../shared/comments.ts";
import { useViewer } from "../users/viewer.ts";
import { isWithinPages } from "./apply-comment-event.ts";
import { listId } from "./arrivals.ts";
import type { Arrivals } from "./arrivals.ts";
import { CommentForm } from "./comment-form.tsx";
import { CommentRow } from "./comment-row.tsx";
import { HoldStill } from "./hold-still.tsx";
import type { OwnChange } from "./own-changes.ts";
import { visibleRows } from "./tree.ts";
import type { Row } from "./tree.ts";
import { placeOf } from "./use-comment-actions.ts";
import type { CommentActions } from "./use-comment-actions.ts";

interface Props {
  blog: BlogPage;
  list: CommentList;
  rows: readonly Row[];
  own: readonly OwnChange[];
  arrivals: Arrivals;
  marked: string | undefined;
  acts: CommentActions;
  /** The way to threads before those that are loaded. */
  older: ReactNode;
}

/** The threads that are loaded, the way to older ones, and behind it a thread that was fetched by itself for a link. */
export function Threads({ blog, list, rows, own, arrivals, marked, acts, older }: Props) {
  const viewer = useViewer();
  const names = useMemo(
    () => new Map(list.comments.map((comment) => [comment.id, comment.author?.name ?? "a deleted comment"])),
    [list],
  );
  const sending = useMemo(
    () =>
      new Set(
        own.flatMap(({ event, answered }) =>
          event.kind === "comment.created" && !answered ? [event.comment.id] : [],
        ),
      ),
    [own],
  );
  const shown = useMemo(
    () => visibleRows(rows, acts.folded, arrivals.waiting),
    [rows, acts.folded, arrivals.waiting],
  );
  const beyond = useMemo(() => {
    const first = shown.findIndex((row) => row.depth === 0 && !isWithinPages(list, row.comment));
    return first === -1 ? shown.length : first;
  }, [shown, list]);
  const mayWrite = viewer !== null && !blog.draft;

  const draw = ({ comment, depth, replies }: Row): ReactNode => {
    const mine = viewer !== null && comment.author?.id === viewer.id;
    const mode = acts.mode?.comment.id === comment.id ? acts.mode : null;
    return (
      <CommentRow
        key={comment.id}
        comment={comment}
        depth={depth}
        replies={replies}
        slug={blog.slug}
        answers={comment.parentId === null ? undefined : names.get(comment.parentId)}
        folded={acts.folded.has(comment.id)}
        sending={sending.has(comment.id)}
        fresh={arrivals.fresh.has(comment.id)}
        marked={marked === comment.id}
        byBlogAuthor={comment.author?.id === blog.author.id}
        mayReply={mayWrite && !sending.has(comment.id)}
        mayEdit={mine}
        mayRemove={mine || blog.mine}
        editing={mode?.kind === "edit"}
        actions={acts.row}
        form={
          mode && viewer ? (
            <CommentForm
              key={mode.kind}
              label={mode.kind === "edit" ? "Edit your comment" : "Reply"}
              action={mode.kind === "edit" ? "Update" : "Reply"}
              place={placeOf(viewer, blog.id, mode)}
              text={mode.kind === "edit" ? comment.text : ""}
              returned={acts.returned}
              takesFocus
              onSend={(text) =>
                mode.kind === "edit" ? acts.update(comment, text) : acts.post(text, comment)
              }
              onCancel={acts.leave}
            />
          ) : null
        }
      />
    );
  };

  return (
    <>
      <HoldStill>
        <ol id={listId} className="comments-list">
          {shown.slice(0, beyond).map(draw)}
        </ol>
      </HoldStill>
      {list.before !== null && older}
      {beyond < shown.length && <ol className="comments-list">{shown.slice(beyond).map(draw)}</ol>}
    </>
  );
}
