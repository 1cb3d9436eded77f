import type { BlogCard } from "../../../shared/blogs.ts";
import { pictureProps } from "./picture-props.ts";
import { DrawnCover } from "./drawn-cover.tsx";

interface Props {
  blog: Pick<BlogCard, "cover" | "title">;
  /** How wide it is drawn, for the browser to choose a file. */
  sizes: string;
  loading?: "lazy" | "eager";
}

/** What a card shows of a blog above its words: the cover, or what its title is drawn as. Its place says how large. */
export function CardCover({ blog: { cover, title }, sizes, loading }: Props) {
  if (!cover) return <DrawnCover title={title} />;
  return <img {...pictureProps(cover)} sizes={sizes} alt="" loading={loading} decoding="async" />;
}
