import { memo, useState } from "react";
import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router-dom";
import type { Mark, SeenComment } from "../../shared/comments.ts";
import { routes } from "../../shared/routes.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";
import type { MenuEntry } from "../ui/menu.tsx";
import PersonMenu from "../users/person-menu.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { commentElementId } from "./arrivals.ts";
import { CommentLike } from "./comment-like.tsx";
import { CommentText } from "./comment-text.tsx";

export interface RowActions {
  fold(id: string): void;
  reply(comment: SeenComment): void;
  edit(comment: SeenComment): void;
  /** Stops sending a comment that waits for the server. */
  cancelSend(comment: SeenComment): void;
  mark(comment: SeenComment, mark: Mark | null): void;
  /** `replies` go with it; null where only the server knows how many. */
  remove(comment: SeenComment, replies: number | null): void;
}

interface Props {
  comment: SeenComment;
  depth: number;
  /** How many stand below it; of a thread all of them, loaded or not. */
  replies: number;
  /** Some replies below it may not be loaded, and are not in that number. */
  partial: boolean;
  slug: string;
  /** Whom it answers, for those who can't see where it stands. */
  answers: string | undefined;
  folded: boolean;
  /** On its way to the server, or waiting for a connection to it. */
  sending: "sending" | "waiting" | undefined;
  fresh: boolean;
  /** The comment that the address names. */
  marked: boolean;
  byBlogAuthor: boolean;
  /** Who looks has muted its author, or a word in it. */
  muted: boolean;
  mayReply: boolean;
  mayEdit: boolean;
  mayRemove: boolean;
  /** Who looks wrote the blog: they may have a comment stand first, or fold it away. */
  mayMark: boolean;
  /** Somebody else wrote it than who looks, who is signed in. */
  others: boolean;
  /** The form that is open here, and whether it takes the place of the text. */
  form: ReactNode;
  editing: boolean;
  actions: RowActions;
}

/** One comment in its place. The list is flat: the depth is drawn, so that a thread may go as deep as people like. */
export const CommentRow = memo(function CommentRow(props: Props) {
  const { comment, depth, replies, actions } = props;
  const [isLookedAt, setLookedAt] = useState(false);
  const why = props.muted ? "Muted" : comment.mark === "hidden" ? "Hidden by the author of the blog" : null;
  const isMuted = why !== null && !isLookedAt;
  const by = isMuted
    ? props.muted
      ? "A muted comment"
      : "A hidden comment"
    : comment.author
      ? `Comment by ${comment.author.name}`
      : "A deleted comment";
  const label = `${by}${props.answers ? `, in reply to ${props.answers}` : ""}`;
  return (
    <li
      id={commentElementId(comment.id)}
      className="comment"
      data-item=""
      data-fresh={props.fresh || undefined}
      data-marked={props.marked || undefined}
      data-sending={props.sending}
      style={{ "--depth": depth } as CSSProperties}
      tabIndex={-1}
    >
      <article aria-label={label} className="comment-body">
        {isMuted ? (
          <p className="comment-muted">
            {why}
            <button type="button" className="comment-action" onClick={() => setLookedAt(true)}>
              Show
            </button>
          </p>
        ) : (
          <Head {...props} />
        )}
        {!props.editing &&
          !isMuted &&
          (comment.deleted ? <p className="comment-deleted">deleted</p> : <CommentText comment={comment} />)}
        {props.editing && props.form}
        {!comment.deleted && !props.editing && !isMuted && (
          <div className="comment-actions">
            <CommentLike comment={comment} />
            {props.mayReply &&
              (props.form || props.sending ? (
                // Keeps its place, so that nothing else comes under the pointer, and the focus where it is.
                <span
                  className="comment-action"
                  aria-hidden="true"
                  onMouseDown={(event) => event.preventDefault()}
                >
                  Reply
                </span>
              ) : (
                <button type="button" className="comment-action" onClick={() => actions.reply(comment)}>
                  Reply
                </button>
              ))}
            {props.sending === "waiting" && (
              <button type="button" className="comment-action" onClick={() => actions.cancelSend(comment)}>
                Cancel
              </button>
            )}
            {props.mayEdit && props.sending !== "waiting" && (
              <button type="button" className="comment-action" onClick={() => actions.edit(comment)}>
                Edit
              </button>
            )}
            {props.others && comment.author && (
              <PersonMenu
                person={comment.author}
                of={{ kind: "comment", id: comment.id }}
                className="comment-action"
                also={props.mayMark ? marksOf(props) : []}
              />
            )}
            {props.mayMark && !props.others && comment.parentId === null && (
              <button
                type="button"
                className="comment-action"
                onClick={() => actions.mark(comment, comment.mark === "pinned" ? null : "pinned")}
              >
                {comment.mark === "pinned" ? "Unpin" : "Pin"}
              </button>
            )}
            {props.mayRemove && props.sending !== "waiting" && (
              <button
                type="button"
                className="comment-action"
                data-quiet={!props.mayEdit || undefined}
                onClick={() => actions.remove(comment, props.partial ? null : replies)}
              >
                Delete
              </button>
            )}
          </div>
        )}
        {!props.editing && props.form}
      </article>
    </li>
  );
});

/** What the author of the blog may make of somebody else's comment. */
function marksOf({ comment, actions }: Props): MenuEntry[] {
  const turn = (mark: Mark, on: string, off: string, icon: IconName): MenuEntry => {
    const isOn = comment.mark === mark;
    return { label: isOn ? off : on, icon, run: () => actions.mark(comment, isOn ? null : mark) };
  };
  return [
    ...(comment.parentId === null ? [turn("pinned", "Pin to the top", "Unpin", "arrow-up")] : []),
    turn("hidden", "Hide", "Show to everybody", "eye-off"),
  ];
}

/** From this depth on rows are drawn one below the other (comments.css): then it says whom they answer. */
const deepest = 6;

function Head({ comment, depth, replies, slug, answers, folded, sending, byBlogAuthor, actions }: Props) {
  const { author } = comment;
  return (
    <header className="comment-head">
      {author ? (
        <Avatar person={author} size={28} />
      ) : (
        <span className="avatar comment-nobody" aria-hidden="true" />
      )}
      <span className="comment-byline">
        {author && (
          <a className="comment-author" href={author.id ? routes.profile(author.username) : undefined}>
            <bdi>{author.name}</bdi>
          </a>
        )}
        {byBlogAuthor && <span className="comment-badge">Author</span>}
        {comment.mark === "pinned" && <span className="comment-badge">Pinned</span>}
        {depth > deepest && answers && <span className="comment-when">to {answers}</span>}
        <span className="comment-when">
          {sending ? (
            sending === "sending" ? (
              "Sending…"
            ) : (
              "Will be sent when you are online"
            )
          ) : (
            <Link to={routes.comment(slug, comment.id)}>
              <RelativeTime at={comment.createdAt} />
            </Link>
          )}
          {comment.editedAt && !comment.deleted && <span> · edited</span>}
        </span>
      </span>
      {replies > 0 && (
        <button
          type="button"
          className="comment-fold"
          aria-expanded={!folded}
          aria-label={folded ? `Expand thread, ${replies} hidden` : "Collapse thread"}
          onClick={() => actions.fold(comment.id)}
        >
          {folded && <span className="tabular">{replies}</span>}
          <Icon name={folded ? "plus" : "chevron-down"} size={16} />
        </button>
      )}
    </header>
  );
}
