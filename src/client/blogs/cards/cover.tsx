import type { BlogCard } from "../../../shared/blogs.ts";
import { pictureProps } from "./picture-props.ts";
import type { CSSProperties } from "react";
import { hueOf } from "../../../shared/initials.ts";
import { coverPaint, drawCoverFor } from "./cover-drawings.ts";
import "../../ui/cards.css";

interface Props {
  blog: Pick<BlogCard, "cover" | "title">;
  /** The rendered width, to choose a file by. */
  sizes: string;
  loading?: "lazy" | "eager";
}

/** The cover on a card, or a generated one. Its container sets the size. */
export function CardCover({ blog: { cover, title }, sizes, loading }: Props) {
  if (!cover) return <GeneratedCover title={title} />;
  return <img {...pictureProps(cover)} sizes={sizes} alt="" loading={loading} decoding="async" />;
}

/** A blog's generated cover; the same title always looks the same. */
function GeneratedCover({ title }: { title: string }) {
  const { faint, lines, full } = drawCoverFor(title);
  return (
    <svg
      className="drawn"
      viewBox="0 0 120 80"
      preserveAspectRatio="xMidYMid slice"
      fill="currentColor"
      strokeWidth={0.6}
      aria-hidden="true"
      style={{ "--hue": hueOf(title) } as CSSProperties}
    >
      {faint && <path d={faint} {...coverPaint.faint} />}
      {lines && <path d={lines} {...coverPaint.lines} />}
      {full && <path d={full} />}
    </svg>
  );
}
