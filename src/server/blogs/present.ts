import type { BlogCard } from "../../shared/blogs.ts";
import type { LiveState } from "../../shared/entries.ts";
import { hasTagPage } from "../../shared/tags.ts";
import type { Person } from "../../shared/users.ts";
import type { SharedCard } from "../../shared/live.ts";
import { presentCover } from "../media/paths.ts";
import { presentPerson } from "../profiles/present.ts";
import { isOnAir } from "./policy.ts";
import type { CardRow } from "./card-queries.ts";
import type { BlogFacts } from "./queries.ts";

/** A card without the viewer's own data. */
export const presentSharedCard = (row: CardRow): SharedCard => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  description: row.description,
  excerpt: row.excerpt,
  tags: row.tags.filter(hasTagPage),
  cover: presentCover(row.cover, row.coverFocus),
  draft: row.draft,
  private: row.private,
  publishedAt: new Date(row.publishedAt).toISOString(),
  readingMinutes: row.readingMinutes,
  likesCount: row.likesCount,
  commentsCount: row.commentsCount,
  savesCount: row.savesCount,
  author: presentPerson(row.author),
  ...(row.language === "" ? {} : { language: row.language }),
  ...(isOnAir(row) ? { onAir: true } : {}),
});

/** The state of a live blog; null for another blog. */
export const presentLive = ({
  liveSince,
  liveEnded,
  summary,
  embeddable,
}: Pick<BlogFacts, "liveSince" | "liveEnded" | "summary" | "embeddable">): LiveState | null =>
  liveSince === null
    ? null
    : {
        since: new Date(liveSince).toISOString(),
        ended: liveEnded === null ? null : new Date(liveEnded).toISOString(),
        summary,
        embeddable,
      };

const presentCoAuthors = (stored: string): Person[] =>
  (JSON.parse(stored) as Parameters<typeof presentPerson>[0][]).map(presentPerson);

/** All authors that the card's viewer can see, owner first. */
export const authorsIn = (row: CardRow): Person[] => [
  presentPerson(row.author),
  ...(row.coAuthors === null ? [] : presentCoAuthors(row.coAuthors)),
];

/** A card with the co-authors visible to the viewer, and their like and save. */
export const presentCard = (row: CardRow): BlogCard => ({
  ...presentSharedCard(row),
  ...(row.coAuthors === null ? {} : { coAuthors: presentCoAuthors(row.coAuthors) }),
  liked: Boolean(row.liked),
  saved: Boolean(row.saved),
});
