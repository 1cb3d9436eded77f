import { linkify } from "./linkify.ts";

/** What a comment says: its line breaks kept (comments.css), its addresses clickable. */
export function CommentText({ text }: { text: string }) {
  return (
    <p className="comment-text" dir="auto">
      {linkify(text).map(({ text: stretch, href }, index) =>
        href ? (
          <a key={index} href={href} rel="nofollow ugc noopener noreferrer" target="_blank">
            {stretch}
          </a>
        ) : (
          stretch
        ),
      )}
    </p>
  );
}
