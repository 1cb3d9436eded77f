import { useNavigate } from "react-router-dom";
import type { BlogPage } from "../../shared/blogs.ts";
import type { ViewerEntry } from "../../shared/entries.ts";
import { useMayComment } from "../comments/who-comments.tsx";
import { askToSignIn } from "../session/failure.ts";
import { useViewer } from "../session/viewer.ts";
import { withCode } from "../ui/on-demand.tsx";

const quoting = () => import("../comments/quote.ts");

/** Returns a function that begins a comment with a quote of an entry; undefined where the viewer cannot comment. */
export function useReply(
  blog: BlogPage,
  openComments: () => void,
): ((entry: ViewerEntry) => void) | undefined {
  const viewer = useViewer();
  const navigate = useNavigate();
  const mayComment = useMayComment(blog);
  const isClosed = blog.commentsFrom === "nobody" || blog.commentsFrom === "followers";
  if (blog.draft || (viewer ? !mayComment : isClosed)) return undefined;
  return ({ headline }) => {
    if (!viewer) return askToSignIn("Please sign in to reply", navigate);
    withCode(quoting, ({ quote }) => {
      quote({ viewerId: viewer.id, blogId: blog.id, at: "new" }, headline);
      openComments();
    });
  };
}
