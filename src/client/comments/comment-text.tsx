import { useContext } from "react";
import type { ViewerComment } from "../../shared/comments.ts";
import { NamesContext, withLinks, withMentions } from "./mentions.ts";
import { Link } from "../ui/link.tsx";
import { routes } from "../../shared/routes.ts";

interface Props {
  comment: Pick<ViewerComment, "text" | "links" | "author">;
  className?: string;
}

/** A comment's text with links. The surrounding style sheet keeps its line breaks. */
export function CommentText({
  comment: { text, links, author },
  className = "comment-text as-typed",
}: Props) {
  const names = useContext(NamesContext);
  const segments = withLinks(text, links);
  return (
    <p className={className} dir="auto">
      {/* Imported guests mention people of another site. */}
      {(author?.id ? withMentions(segments, names) : segments).map(
        ({ text: segment, href, username }, index) =>
          href ? (
            <a key={index} href={href} rel="nofollow ugc noopener noreferrer" target="_blank">
              {segment}
            </a>
          ) : username ? (
            <Link key={index} to={routes.profile(username)}>
              {segment}
            </Link>
          ) : (
            segment
          ),
      )}
    </p>
  );
}
