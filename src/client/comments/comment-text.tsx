import { useContext, useRef, useState } from "react";
import type { ViewerComment } from "../../shared/comments.ts";
import { NamesContext, withLinks, withMentions } from "./mentions.ts";
import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import { onDemand } from "../ui/on-demand.tsx";

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
            <Mention key={index} username={username}>
              {segment}
            </Mention>
          ) : (
            segment
          ),
      )}
    </p>
  );
}

const PersonCard = onDemand(() => import("../profiles/person-card.tsx"));

/** A link to a person, with their card on mouse hover or keyboard focus. */
function Mention({ username, children }: { username: string; children: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  return (
    <>
      <Link
        ref={link}
        to={routes.profile(username)}
        onPointerEnter={({ pointerType }) => pointerType === "mouse" && setPointedAt(true)}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && setPointedAt(true)}
      >
        {children}
      </Link>
      {isPointedAt && <PersonCard username={username} link={link} onClose={() => setPointedAt(false)} />}
    </>
  );
}
