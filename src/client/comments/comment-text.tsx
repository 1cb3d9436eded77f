import { useContext } from "react";
import type { SeenComment } from "../../shared/comments.ts";
import { linkify } from "./linkify.ts";
import { Mention } from "./mention.tsx";
import { NamesContext, withMentions } from "./mentions.ts";

interface Props {
  comment: Pick<SeenComment, "text" | "author">;
  className?: string;
}

/** What a comment says: its line breaks kept by the sheet of its place, its addresses and whom it mentions clickable. */
export function CommentText({ comment: { text, author }, className = "comment-text" }: Props) {
  const names = useContext(NamesContext);
  const stretches = linkify(text);
  return (
    <p className={className} dir="auto">
      {/* Guests of whom an import brought the name meant people of elsewhere. */}
      {(author?.id ? withMentions(stretches, names) : stretches).map(
        ({ text: stretch, href, username }, index) =>
          href ? (
            <a key={index} href={href} rel="nofollow ugc noopener noreferrer" target="_blank">
              {stretch}
            </a>
          ) : username ? (
            <Mention key={index} username={username}>
              {stretch}
            </Mention>
          ) : (
            stretch
          ),
      )}
    </p>
  );
}
