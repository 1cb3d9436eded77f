import type { BlogCard } from "../../shared/blogs.ts";
import type { SharedCard } from "../../shared/live.ts";
import { presentPicture } from "../media/paths.ts";
import { presentPerson } from "../users/present.ts";
import type { CardRow } from "./card-queries.ts";

/** A blog as lists show it to everybody. */
export const presentSharedCard = (row: CardRow): SharedCard => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  description: row.description,
  excerpt: row.excerpt,
  tags: row.tags,
  cover: presentPicture(row.cover),
  draft: row.draft,
  private: row.private,
  publishedAt: new Date(row.publishedAt).toISOString(),
  readingMinutes: row.readingMinutes,
  likesCount: row.likesCount,
  commentsCount: row.commentsCount,
  savesCount: row.savesCount,
  author: presentPerson(row.author),
});

/** The same, with what the viewer did to it. */
export const presentCard = (row: CardRow): BlogCard => ({
  ...presentSharedCard(row),
  liked: Boolean(row.liked),
  saved: Boolean(row.saved),
});
