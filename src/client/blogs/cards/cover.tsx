import type { BlogCard } from "../../../shared/blogs.ts";
import { pictureProps } from "./picture-props.ts";
import { GeneratedCover } from "./generated-cover.tsx";

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
