import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { Link } from "../ui/link.tsx";
import type { BlogPage } from "../../shared/blogs.ts";
import type { CommentList } from "../../shared/comments.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { LoadFailure } from "../ui/load-failure.tsx";
import { TextArea } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { useViewer } from "../session/viewer.ts";
import { commentElementId, listId, useArrivals } from "./arrivals.ts";
import { quotes } from "./quote.ts";
import { useStore } from "../ui/external-store.ts";
import { CommentForm, ReplyingNotice } from "./comment-form.tsx";
import { CommentsLoading, CommentsTitle, labelledByTitle, sectionId } from "./comments-waiting.tsx";
import { loadThread } from "./load-comments.ts";
import { Threads } from "./threads.tsx";
import { useMayComment, WhoComments } from "./who-comments.tsx";
import { NamesContext, useNames } from "./mentions.ts";
import { useSendStates } from "./send-states.ts";
import { readingOrder } from "./tree.ts";
import { useCommentActions } from "./use-comment-actions.ts";
import type { Mode } from "./use-comment-actions.ts";
import "./comment-queries.ts";

const PendingComments = onDemand(() => import("./pending-comments.tsx"));

interface Props {
  blog: BlogPage;
  /** The comment that the URL names. */
  marked: string | undefined;
  onShown: () => void;
}

export function CommentsSection({ blog, marked, onShown }: Props) {
  const viewer = useViewer();
  const mayComment = useMayComment(blog);
  const { data, error, refetch } = trpc.comments.list.useQuery({ blogId: blog.id });
  const sending = useSendStates();
  const actions = useCommentActions(blog);
  const quoted = useStore(quotes);
  const list = useMemo(() => data && keepEditedComment(data, actions.mode), [data, actions.mode]);
  const rows = useMemo(() => readingOrder(list?.comments ?? []), [list]);
  const arrivals = useArrivals(blog.id, list, actions.view);
  const { found, missing } = useMarkedComment(blog.id, marked, list !== undefined, () => {
    if (arrivals.waiting.size > 0) arrivals.show();
    actions.unfold();
  });
  const { onRequest: waiting } = arrivals;
  const total = list?.total ?? blog.commentsCount;
  const names = useNames(list);
  useDoubleClickGuard();
  const shown = useEffectEvent(onShown);
  useEffect(() => shown(), []);

  const showWaiting = (): void => {
    const ids = new Set(arrivals.show());
    const shownRows = rows.filter(({ comment }) => ids.has(comment.id));
    const reply = shownRows.some(({ depth }) => depth === 0) ? undefined : shownRows[0]?.comment.id;
    if (!reply) actions.setStart(null);
    // After React has rendered them and ScrollAnchor has adjusted the scroll position.
    requestAnimationFrame(() => {
      const top = document.getElementById(listId);
      const row = reply ? document.getElementById(commentElementId(reply)) : top?.firstElementChild;
      if (reply) row?.scrollIntoView({ block: "nearest" });
      else top?.scrollIntoView({ block: "start" });
      (row as HTMLElement | null)?.focus({ preventScroll: true });
    });
  };

  return (
    <NamesContext value={names}>
      <section className="comments stack gap-5 text-column hairline-top" id={sectionId} {...labelledByTitle}>
        <div className="row wrap between gap-2-4">
          <CommentsTitle total={total} />
          {blog.mine && !blog.draft && <WhoComments blog={blog} />}
        </div>
        {blog.draft ? (
          <p className="note">Comments open once you publish this draft.</p>
        ) : viewer && !mayComment ? (
          <p className="note">
            {blog.commentsFrom === "followers"
              ? "Only followers can comment. Follow the author to join in."
              : "The author turned off comments."}
          </p>
        ) : viewer ? (
          <>
            <CommentForm
              blog={blog}
              label="Add your comment"
              action="Add Comment"
              place={{ viewerId: viewer.id, blogId: blog.id, at: "new" }}
              restored={actions.restored + quoted}
              onType={() => actions.type("comment")}
              onSend={(text) => actions.post(text, null)}
            />
            {blog.commentsFrom === "approved" && !blog.mine && (
              <p className="comments-approved note">Your comment appears after the author approves it.</p>
            )}
          </>
        ) : (
          <GuestComposer blog={blog} />
        )}
        {list?.pending && list.pending.length > 0 && (
          <PendingComments blog={blog} pending={list.pending} list={list} />
        )}
        {missing && <p className="note">The comment you’re looking for was deleted.</p>}
        {/* Always rendered, without height, so that nothing moves. */}
        <div className="comments-waiting afloat">
          {waiting > 0 && (
            <button type="button" className="pill" onClick={showWaiting}>
              <Icon name="arrow-up" size={16} />
              <span>{`${waiting} new`}</span>
              <span className="visually-hidden">{waiting === 1 ? " comment" : " comments"}</span>
            </button>
          )}
        </div>
        {list ? (
          <>
            {rows.length === 0 && !blog.draft && (!viewer || mayComment) && (
              <p className="comments-empty lead muted">No comments yet. Be the first to say something.</p>
            )}
            <Threads
              blog={blog}
              list={list}
              rows={rows}
              sending={sending}
              arrivals={arrivals}
              marked={marked}
              found={found}
              actions={actions}
            />
          </>
        ) : error ? (
          <LoadFailure error={error} onRetry={refetch} />
        ) : (
          <CommentsLoading />
        )}
        <p role="status" aria-live="polite" className="visually-hidden">
          {arrivals.announcement}
        </p>
      </section>
    </NamesContext>
  );
}

/** Keeps a deleted comment as an empty row while the viewer replies to it, so that their text survives. */
function keepEditedComment(list: CommentList, mode: Mode): CommentList {
  if (!mode || list.comments.some((comment) => comment.id === mode.comment.id)) return list;
  return {
    ...list,
    comments: [...list.comments, { ...mode.comment, author: null, text: "", deleted: true }],
  };
}

function GuestComposer({ blog: { id, slug } }: { blog: BlogPage }) {
  return (
    <div className="comment-form">
      <ReplyingNotice blogId={id} />
      <TextArea label="Add your comment" isLabelHidden placeholder="Add your comment" rows={1} disabled />
      <p className="note">
        <Link to={routes.signIn(`${routes.blog(slug)}#${sectionId}`)}>Sign in</Link> to join the conversation.
      </p>
    </div>
  );
}

/** Loads the comment that the URL names. `found` is its id once loaded. */
function useMarkedComment(
  blogId: string,
  marked: string | undefined,
  loaded: boolean,
  uncover: () => void,
): { found: string | undefined; missing: boolean } {
  const cache = trpc.useUtils();
  const [search, setSearch] = useState<{ id: string; found: boolean }>();
  const onFound = useEffectEvent(uncover);
  useEffect(() => {
    if (!marked || !loaded || search?.id === marked) return;
    let left = false;
    void loadThread(cache, blogId, marked)
      .catch(() => false)
      .then((found) => {
        if (left) return;
        if (found) onFound();
        setSearch({ id: marked, found });
      });
    return () => {
      left = true;
    };
  }, [cache, blogId, marked, loaded, search]);
  const isMarked = search !== undefined && search.id === marked;
  return { found: isMarked && search.found ? marked : undefined, missing: isMarked && !search.found };
}

const maxDelayMs = 400;
const maxDistancePx = 12;

/**
 * Drops the second of two quick clicks in one place if it hits another control: one that has just moved under the pointer was
 * not meant.
 */
function useDoubleClickGuard(): void {
  useEffect(() => {
    let last: { control: Element; x: number; y: number; at: number } | undefined;
    const guard = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || event.detail === 0) return; // Keyboard clicks have no position.
      const control = event.target.closest("button, a") ?? event.target;
      const { clientX: x, clientY: y, timeStamp: at } = event;
      const isSecond =
        last &&
        at - last.at < maxDelayMs &&
        Math.abs(x - last.x) < maxDistancePx &&
        Math.abs(y - last.y) < maxDistancePx;
      if (isSecond && last?.control !== control) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (event.type === "click") last = { control, x, y, at };
    };
    // A mousedown moves the focus.
    for (const kind of ["mousedown", "click"] as const) document.addEventListener(kind, guard, true);
    return () => {
      for (const kind of ["mousedown", "click"] as const) document.removeEventListener(kind, guard, true);
    };
  }, []);
}
