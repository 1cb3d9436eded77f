import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { ReactNode } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { CommentList } from "../../shared/comments.ts";
import { createMuteFilter } from "../../shared/mute-filter.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../session/viewer.ts";
import { countUnloadedReplies, isWithinPages } from "./apply-comment-event.ts";
import { useSlideIn } from "../ui/arrivals/use-arrival-queue.ts";
import { anchoredList, commentElementId, listId } from "./arrivals.ts";
import type { Arrivals } from "./arrivals.ts";
import { CommentForm } from "./comment-form.tsx";
import { CommentRow } from "./comment-row.tsx";
import { ScrollAnchor } from "../ui/arrivals/scroll-anchor.tsx";
import type { Slide } from "../ui/arrivals/scroll-anchor.tsx";
import { cachedComments, loadOlder, loadReplies } from "./load-comments.ts";
import { useReveal } from "./reveal.ts";
import type { SendStates } from "./send-states.ts";
import { countCommentItems, maxRows, startAt, rowWindow } from "./row-window.ts";
import { readingOrder, visibleRows, withFolds } from "./tree.ts";
import type { Item, Row } from "./tree.ts";
import { placeOf } from "./use-comment-actions.ts";
import type { CommentActions } from "./use-comment-actions.ts";
import { useMayComment } from "./who-comments.tsx";
import { messages } from "../../shared/errors.ts";
import { Button } from "../ui/button.tsx";

interface Props {
  blog: BlogPage;
  list: CommentList;
  rows: readonly Row[];
  sending: SendStates;
  arrivals: Arrivals;
  marked: string | undefined;
  /** The marked comment, once it is loaded. */
  found: string | undefined;
  actions: CommentActions;
}

/**
 * The loaded threads, with buttons for more replies and older threads, and below them a thread fetched for a link. A long list
 * is rendered in part.
 */
export function Threads({ blog, list, rows, sending, arrivals, marked, found, actions }: Props) {
  const cache = trpc.useUtils();
  const viewer = useViewer();
  const { folded, start } = actions.view;
  const mutedWords = viewer?.mutedWords;
  const isMuted = useMemo(() => createMuteFilter(mutedWords ?? []), [mutedWords]);
  const names = useMemo(
    () => new Map(list.comments.map((comment) => [comment.id, comment.author?.name ?? "a deleted comment"])),
    [list],
  );
  const items = useMemo(
    () =>
      withFolds(visibleRows(rows, folded, arrivals.waiting), folded, (rootId) =>
        countUnloadedReplies(list, rootId),
      ),
    [rows, folded, arrivals.waiting, list],
  );
  const [begin, reveal] = useReveal(items, start, actions.setStart);
  const [from, to] = rowWindow(items, begin);
  const pagesEnd = useMemo(() => {
    const first = items.findIndex(
      (item) => "row" in item && item.row.depth === 0 && !isWithinPages(list, item.row.comment),
    );
    return first === -1 ? items.length : first;
  }, [items, list]);

  const { sliding } = arrivals;
  const slidesAt = sliding === null ? -1 : items.findIndex(({ id }) => id === sliding);
  const slide: Slide | null =
    sliding !== null && slidesAt >= from
      ? { id: sliding, above: items.slice(0, slidesAt).findLast((item) => "row" in item)?.id ?? null }
      : null;
  useSlideIn(sliding, () => withReplies(items, slidesAt));

  // Renders the viewer's new comment, wherever the list is scrolled.
  const newOwnId = [...sending.keys()].findLast((id) => names.has(id));
  const showOwn = useEffectEvent((id: string) => {
    const parentId = list.comments.find((comment) => comment.id === id)?.parentId;
    // A sent reply takes the focus that its form left at the comment above.
    const parent = parentId ? document.getElementById(commentElementId(parentId)) : null;
    reveal({ id, to: "stay", ...(parent ? { focus: parent } : {}) });
  });
  useEffect(() => {
    if (newOwnId) showOwn(newOwnId);
  }, [newOwnId]);
  const showMarked = useEffectEvent((id: string) => reveal({ id, to: "center", focus: "always" }));
  useEffect(() => {
    if (found) showMarked(found);
  }, [found]);

  const unfold = async (rootId: string, button: HTMLElement): Promise<void> => {
    const knownIds = new Set(cachedComments(cache, blog.id)?.comments.map(({ id }) => id));
    const { top } = button.getBoundingClientRect();
    await loadReplies(cache, blog.id, rootId);
    const replies = cachedComments(cache, blog.id)?.comments.filter((comment) => comment.rootId === rootId);
    const added = readingOrder(replies ?? []).filter(({ comment }) => !knownIds.has(comment.id));
    if (!added[0]) return;
    reveal({ id: added[0].comment.id, to: { top }, focus: button });
    arrivals.announce(added.length === 1 ? "1 reply shown" : `${added.length} replies shown`);
  };
  /** Renders rows before or after the current ones; the row at the edge stays in place. */
  const moveWindow = async (step: 1 | -1, button: HTMLElement): Promise<void> => {
    const edge = step === 1 ? to : from - 1;
    const row = items.slice(...(step === 1 ? [to, items.length] : [0, from])).at(step === 1 ? 0 : -1);
    const first = document.getElementById(listId)?.firstElementChild?.getBoundingClientRect().top ?? 0;
    actions.setStart(startAt(items, edge - maxRows / 2));
    if (row)
      reveal({
        id: row.id,
        to: step === 1 ? { top: button.getBoundingClientRect().top } : { bottom: first },
        focus: button,
      });
  };
  const mayWrite = useMayComment(blog) && viewer !== null && !blog.draft;

  const draw = (item: Item): ReactNode => {
    if (!("row" in item))
      return (
        <li key={item.id} className="comment-more row wrap note">
          <LoadMore
            folds
            label={`Show ${counted(item.hidden, "reply", "replies")}`}
            load={(button) => unfold(item.rootId, button)}
          />
        </li>
      );
    const { comment, depth, replies } = item.row;
    const fold = list.folds[comment.rootId];
    const mine = viewer !== null && comment.author?.id === viewer.id;
    const mode = actions.mode?.comment.id === comment.id ? actions.mode : null;
    return (
      <CommentRow
        key={comment.id}
        comment={comment}
        depth={depth}
        replies={depth === 0 ? (fold?.repliesCount ?? replies) : replies}
        partial={depth > 0 && fold !== undefined}
        slug={blog.slug}
        answers={comment.parentId === null ? undefined : names.get(comment.parentId)}
        folded={folded.has(comment.id)}
        sending={sending.get(comment.id)}
        fresh={arrivals.fresh.has(comment.id)}
        marked={marked === comment.id}
        byBlogAuthor={comment.author?.id === blog.author.id}
        mayReply={mayWrite && !sending.has(comment.id)}
        mayEdit={mine}
        mayRemove={mine || blog.mine}
        mayMark={blog.mine && !sending.has(comment.id)}
        muted={!mine && (comment.muted === true || isMuted({ texts: [comment.text] }))}
        others={viewer !== null && !mine && comment.author?.id !== ""}
        editing={mode?.kind === "edit"}
        actions={actions.row}
        form={
          mode && viewer ? (
            <CommentForm
              blog={blog}
              key={mode.kind}
              label={mode.kind === "edit" ? "Edit your comment" : "Reply"}
              action={mode.kind === "edit" ? "Update" : "Reply"}
              place={placeOf(viewer, blog.id, mode)}
              text={mode.kind === "edit" ? comment.text : ""}
              restored={actions.restored}
              takesFocus
              {...(mode.kind === "reply" ? { onType: () => actions.type("reply") } : {})}
              onSend={(text) =>
                mode.kind === "edit" ? actions.update(comment, text) : actions.post(text, comment)
              }
              onCancel={actions.leave}
            />
          ) : null
        }
      />
    );
  };

  const newer = countCommentItems(items.slice(0, from));
  const later = countCommentItems(items.slice(to));
  return (
    <>
      {newer > 0 && (
        <div className="comments-older stack center">
          <LoadMore
            label={`Show ${counted(newer, "comment", "comments", "newer")}`}
            load={(button) => moveWindow(-1, button)}
          />
        </div>
      )}
      <ScrollAnchor slide={slide} of={anchoredList}>
        <ol id={listId} className="comments-list">
          {items.slice(from, Math.min(to, pagesEnd)).map(draw)}
        </ol>
      </ScrollAnchor>
      {to >= pagesEnd && list.before !== null && (
        <div className="comments-older stack center">
          <LoadMore label="Show older comments" load={() => loadOlder(cache, blog.id)} />
        </div>
      )}
      {pagesEnd < to && (
        <ol className="comments-list">{items.slice(Math.max(from, pagesEnd), to).map(draw)}</ol>
      )}
      {later > 0 && (
        <div className="comments-older stack center">
          <LoadMore
            label={`Show ${counted(later, "comment", "comments", "more")}`}
            load={(button) => moveWindow(1, button)}
          />
        </div>
      )}
    </>
  );
}

/** "1 reply", "240 more replies". */
function counted(count: number, one: string, many: string, which = ""): string {
  return `${count.toLocaleString("en")} ${which && `${which} `}${count === 1 ? one : many}`;
}

/** Returns the elements of the comment at `index` and of its replies. */
function withReplies(items: readonly Item[], index: number): HTMLElement[] {
  const elements: HTMLElement[] = [];
  let depth = -1;
  for (const item of items.slice(Math.max(0, index))) {
    if (index === -1 || !("row" in item) || item.row.depth <= depth) break;
    if (depth === -1) ({ depth } = item.row);
    const element = document.getElementById(commentElementId(item.id));
    if (element) elements.push(element);
  }
  return elements;
}

interface LoadMoreProps {
  /** Such as "Show 240 replies". */
  label: string;
  /** It unfolds a thread. */
  folds?: boolean;
  /** `button` is passed for its position. */
  load: (button: HTMLElement) => Promise<void>;
}

/** A button that loads more comments; after a failure, an error and a Retry button. */
function LoadMore({ label, folds = false, load }: LoadMoreProps) {
  const [state, setState] = useState<"ready" | "loading" | "failed">("ready");
  const show = async (button: HTMLElement): Promise<void> => {
    setState("loading");
    setState(
      await load(button).then(
        () => "ready" as const,
        () => "failed" as const,
      ),
    );
  };
  return (
    <>
      {state === "failed" && <p role="alert">{messages.dataFetch}</p>}
      <Button
        {...(folds ? { kind: "quiet", size: "s", "aria-expanded": false } : {})}
        busy={state === "loading"}
        onClick={(event) => void show(event.currentTarget)}
      >
        {state === "failed" ? "Retry" : label}
      </Button>
    </>
  );
}
