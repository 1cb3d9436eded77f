import { memo, useEffect, useState } from "react";
import type { CSSProperties, ReactNode } from "react";
import { Link } from "../ui/link.tsx";
import type { Mark, ViewerComment } from "../../shared/comments.ts";
import { routes } from "../../shared/routes.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";
import type { MenuEntry } from "../ui/menu.tsx";
import PersonMenu from "../profiles/person-menu.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { commentElementId } from "./arrivals.ts";
import { CommentText } from "./comment-text.tsx";
import type { PendingMutation } from "../live/mutations/optimistic-mutations.ts";
import { waitText } from "../session/failure.ts";
import { useToggle } from "../session/use-toggle.ts";
import { SwitchButton } from "../ui/switch-button.tsx";
import { likeComment } from "./comment-mutations.ts";

export interface RowActions {
  fold(id: string): void;
  reply(comment: ViewerComment): void;
  edit(comment: ViewerComment): void;
  cancelSend(comment: ViewerComment): void;
  mark(comment: ViewerComment, mark: Mark | null): void;
  /** `replies` are deleted with it; null if only the server knows how many. */
  remove(comment: ViewerComment, replies: number | null): void;
}

interface Props {
  comment: ViewerComment;
  depth: number;
  /** Replies at any depth; for a thread, also unloaded ones. */
  replies: number;
  /** `replies` may lack unloaded ones. */
  partial: boolean;
  slug: string;
  /** Whose comment it replies to, for screen readers and deep rows. */
  answers: string | undefined;
  folded: boolean;
  /** Its mutation, until that is answered. */
  sending: PendingMutation | undefined;
  fresh: boolean;
  /** The comment that the URL names. */
  marked: boolean;
  byBlogAuthor: boolean;
  /** Its author or a word in it is muted. */
  muted: boolean;
  mayReply: boolean;
  mayEdit: boolean;
  mayRemove: boolean;
  /** The blog's author can pin or hide it. */
  mayMark: boolean;
  /** A signed-in viewer sees another account's comment. */
  others: boolean;
  /** The open form; with `editing` it replaces the text. */
  form: ReactNode;
  editing: boolean;
  actions: RowActions;
}

/** One comment. The list is flat, depth is styling: a thread can have any depth. */
export const CommentRow = memo(function CommentRow(props: Props) {
  const { comment, depth, replies, actions } = props;
  const [isLookedAt, setLookedAt] = useState(false);
  const hiddenReason = props.muted
    ? "Muted"
    : comment.mark === "hidden"
      ? "Hidden by the author of the blog"
      : null;
  const isMuted = hiddenReason !== null && !isLookedAt;
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
      data-sending={props.sending ? "" : undefined}
      style={{ "--depth": depth } as CSSProperties}
      tabIndex={-1}
    >
      <article aria-label={label} className="comment-body stack gap-2">
        {isMuted ? (
          <p className="row gap-1 note">
            {hiddenReason}
            <button type="button" className="action" onClick={() => setLookedAt(true)}>
              Show
            </button>
          </p>
        ) : (
          <Head {...props} />
        )}
        {!props.editing &&
          !isMuted &&
          (comment.deleted ? (
            <p className="comment-text muted">deleted</p>
          ) : (
            <CommentText comment={comment} />
          ))}
        {props.editing && props.form}
        {!comment.deleted && !props.editing && !isMuted && (
          <div className="comment-actions row gap-1">
            <CommentLike comment={comment} />
            {props.mayReply &&
              (props.form || props.sending ? (
                // Keeps the other buttons in place and the focus where it is.
                <span className="action" aria-hidden="true" onMouseDown={(event) => event.preventDefault()}>
                  Reply
                </span>
              ) : (
                <button type="button" className="action" onClick={() => actions.reply(comment)}>
                  Reply
                </button>
              ))}
            {props.sending?.state === "waiting" && (
              <button type="button" className="action" onClick={() => actions.cancelSend(comment)}>
                Cancel
              </button>
            )}
            {props.mayEdit && props.sending?.state !== "waiting" && (
              <button type="button" className="action" onClick={() => actions.edit(comment)}>
                Edit
              </button>
            )}
            {props.others && comment.author && (
              <PersonMenu
                person={comment.author}
                of={{ kind: "comment", id: comment.id }}
                className="action"
                also={props.mayMark ? markEntries(props) : []}
              />
            )}
            {props.mayMark && !props.others && comment.parentId === null && (
              <button
                type="button"
                className="action"
                onClick={() => actions.mark(comment, comment.mark === "pinned" ? null : "pinned")}
              >
                {comment.mark === "pinned" ? "Unpin" : "Pin"}
              </button>
            )}
            {props.mayRemove && props.sending?.state !== "waiting" && (
              <button
                type="button"
                className="action"
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

/** Returns the menu entries to pin and hide another person's comment. */
function markEntries({ comment, actions }: Props): MenuEntry[] {
  const markEntry = (mark: Mark, on: string, off: string, icon: IconName): MenuEntry => {
    const isOn = comment.mark === mark;
    return { label: isOn ? off : on, icon, run: () => actions.mark(comment, isOn ? null : mark) };
  };
  return [
    ...(comment.parentId === null ? [markEntry("pinned", "Pin to the top", "Unpin", "arrow-up")] : []),
    markEntry("hidden", "Hide", "Show to everyone", "eye-off"),
  ];
}

/** Deeper rows are not indented further (comments.css) and name the person they reply to. */
const maxIndent = 6;

function Head({ comment, depth, replies, slug, answers, folded, sending, byBlogAuthor, actions }: Props) {
  const { author } = comment;
  return (
    <header className="row">
      {author ? (
        <Avatar person={author} size={28} />
      ) : (
        <span className="avatar comment-nobody" aria-hidden="true" />
      )}
      <span className="byline said-by wrap baseline">
        {author && (
          <a className="comment-author" href={author.id ? routes.profile(author.username) : undefined}>
            <bdi>{author.name}</bdi>
          </a>
        )}
        {byBlogAuthor && <span className="comment-badge round muted size-xs">Author</span>}
        {comment.mark === "pinned" && <span className="comment-badge round muted size-xs">Pinned</span>}
        {depth > maxIndent && answers && <span className="muted">to {answers}</span>}
        <span className="muted">
          {sending ? (
            <SendState key={sending.sendsAt} sending={sending} />
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
          className="action comment-fold to-end"
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

/** Says when an unanswered comment will be sent, and why it is not sent now. */
function SendState({ sending: { state, sendsAt } }: { sending: PendingMutation }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (sendsAt === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [sendsAt]);
  if (state !== "waiting") return <span>Sending…</span>;
  if (sendsAt === undefined) return <span>Will be sent when you are online</span>;
  return <span>{`You’re commenting too fast. Will be sent ${waitText(sendsAt - now)}`}</span>;
}

function CommentLike({ comment: { id, blogId, liked: on, likesCount } }: { comment: ViewerComment }) {
  const press = useToggle({
    mutation: likeComment,
    input: { id, blogId, on },
    signIn: "Please sign in to like this comment",
  });
  return (
    <SwitchButton name="Like" on={on} count={likesCount} unit="like" kind="like" onClick={press}>
      <Icon name={on ? "heart-filled" : "heart"} size={16} />
    </SwitchButton>
  );
}
