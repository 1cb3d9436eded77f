import { useMemo, useState } from "react";
import { withoutUnreferencedNotes } from "../../../shared/document/referenced-notes.ts";
import { documentToText, excerpt, readingMinutes } from "../../../shared/document/to-text.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { useViewer } from "../../session/viewer.ts";
import { BlogCard } from "../../blogs/cards/blog-card.tsx";
import type { BlogFields } from "../draft-fields.ts";

interface Props {
  fields: BlogFields;
  /** Returns the text; called when the card is first shown. */
  text: () => NodeJson;
  coverUnderWay: string | null;
  /** The card shows the viewer's name. */
  isOwn: boolean;
}

/** A preview of the blog's card. */
export default function CardPreview({ fields, text, coverUnderWay, isOwn }: Props) {
  const viewer = useViewer();
  const [document] = useState(text);
  const [now] = useState(() => new Date().toISOString());
  // Cut like on the server (server/workers/tasks.ts).
  const summary = useMemo(() => {
    const read = withoutUnreferencedNotes(document);
    return { excerpt: excerpt(read, 220), readingMinutes: readingMinutes(documentToText(read)) };
  }, [document]);
  if (!viewer) return null;
  const cover = coverUnderWay
    ? { id: "", src: coverUnderWay, srcset: "", width: 3, height: 2, color: "transparent" }
    : fields.cover;
  return (
    <div className="cards card-preview" inert>
      <BlogCard
        eager
        byline={isOwn}
        blog={{
          id: "",
          slug: "",
          ...fields,
          ...summary,
          title: fields.title.trim() || "Title",
          description: fields.description.trim(),
          cover,
          draft: fields.draft || fields.later !== null,
          publishedAt: now,
          likesCount: 0,
          commentsCount: 0,
          savesCount: 0,
          author: viewer,
          liked: false,
          saved: false,
        }}
      />
    </div>
  );
}
