import { useMemo } from "react";
import { Link } from "../ui/link.tsx";
import type { BlogPage } from "../../shared/blogs.ts";
import type { ViewerComment } from "../../shared/comments.ts";
import { createMuteFilter } from "../../shared/mute-filter.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../session/viewer.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { CommentText } from "./comment-text.tsx";
import { NamesContext, useNames } from "./mentions.ts";
import "./comment-queries.ts";

const maxComments = 3;

interface Props {
  blog: BlogPage;
  onOpen: () => void;
  /** Opens the section to comment. */
  onWrite: () => void;
}

/**
 * The first comments of a blog, and a button that opens the section. Shares little code with the section: more would split that
 * into more chunks and delay it.
 */
export default function FirstComments({ blog, onOpen, onWrite }: Props) {
  const viewer = useViewer();
  const { data: list } = trpc.comments.list.useQuery({ blogId: blog.id });
  const names = useNames(list);
  const mutes = useMemo(() => createMuteFilter(viewer?.mutedWords ?? []), [viewer?.mutedWords]);
  if (!list) return null;
  const isShown = ({ author, text, deleted, mark, muted }: ViewerComment): boolean =>
    !deleted &&
    mark !== "hidden" &&
    !muted &&
    (author?.id === viewer?.id || !mutes({ texts: [text], tags: [] }));
  const first = list.comments
    .filter((comment) => comment.parentId === null && isShown(comment))
    .sort((one, other) => isPinned(other) - isPinned(one) || (one.createdAt < other.createdAt ? 1 : -1))
    .slice(0, maxComments)
    .map((comment) => ({
      comment,
      replies: list.comments.filter(({ rootId }) => rootId === comment.id).length - 1,
    }));
  const { total } = list;
  if (total === 0 && blog.commentsFrom === "nobody") return null;
  return (
    <section className="stack gap-4 start" aria-label="First comments">
      <h2 className="size-xl">{total === 0 ? "No comments yet" : "What others say"}</h2>
      {first.length > 0 && (
        <NamesContext value={names}>
          <ol className="stack gap-4 full">
            {first.map(({ comment, replies }) => (
              <li key={comment.id} className="row top gap-3">
                <FirstComment comment={comment} replies={replies} slug={blog.slug} />
              </li>
            ))}
          </ol>
        </NamesContext>
      )}
      <Button onClick={total === 0 ? onWrite : onOpen}>{openLabel(total, first.length)}</Button>
    </section>
  );
}

const isPinned = ({ mark }: ViewerComment): number => Number(mark === "pinned");

const openLabel = (total: number, shown: number): string =>
  total === 0 ? "Add a comment" : total === shown ? "Join in" : `Read all ${total.toLocaleString("en")}`;

function FirstComment({ comment, replies, slug }: { comment: ViewerComment; replies: number; slug: string }) {
  const { id, author, createdAt } = comment;
  return (
    <>
      {author ? <Avatar person={author} size={28} /> : <span className="avatar" aria-hidden="true" />}
      <div className="grow">
        <p className="byline said-by wrap baseline">
          {author && (
            <a href={author.id ? routes.profile(author.username) : undefined}>
              <bdi>{author.name}</bdi>
            </a>
          )}{" "}
          {/* Keeps the scroll position until the comment is loaded. */}
          <Link to={routes.comment(slug, id)} preventScrollReset className="muted">
            <RelativeTime at={createdAt} />
          </Link>
          {replies > 0 && (
            <span className="muted">
              {" "}
              · {replies} {replies === 1 ? "reply" : "replies"}
            </span>
          )}
        </p>
        <CommentText comment={comment} className="end-comment line-clamp" />
      </div>
    </>
  );
}
