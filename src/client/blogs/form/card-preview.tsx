import { useMemo, useState } from "react";
import { forReaders } from "../../../shared/document/signed-notes.ts";
import { documentToText, excerpt, readingMinutes } from "../../../shared/document/to-text.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { useViewer } from "../../session/viewer.ts";
import { BlogCard } from "../cards/blog-card.tsx";
import type { BlogFields } from "./values.ts";
import "./card-preview.css";

interface Props {
  fields: BlogFields;
  /** The text as it stands when the card is first shown. */
  text: () => NodeJson;
  /** A cover that is on its way. */
  coverUnderWay: string | null;
  /** It is the viewer's own: their name stands over it. */
  isOwn: boolean;
}

/** The blog as it will stand in lists; to be looked at alone. */
export default function CardPreview({ fields, text, coverUnderWay, isOwn }: Props) {
  const viewer = useViewer();
  const [document] = useState(text);
  const [now] = useState(() => new Date().toISOString());
  // As the server cuts it (server/workers/tasks.ts).
  const said = useMemo(() => {
    const read = forReaders(document);
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
          ...said,
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
