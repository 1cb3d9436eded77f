import type { LinkedBlog } from "../../shared/linked-blogs.ts";
import type { Context } from "../context.ts";
import { mutedBy } from "../blocks/mute-queries.ts";
import { readableFacts } from "./access.ts";
import { publishedCards } from "./card-queries.ts";
import { withoutMuted } from "./muted.ts";
import { presentCard } from "./present.ts";

/** Returns cards of the blogs that a text links to. Drafts, unreadable and muted blogs stay links like missing ones. */
export async function linkedBlogs(
  ctx: Context,
  { slugs }: { slugs: string[] },
): Promise<{ blogs: LinkedBlog[] }> {
  const { viewer } = ctx;
  const { read } = ctx.database;
  const idsBySlug = new Map<string, string>();
  for (const slug of new Set(slugs)) {
    const blog = await readableFacts(read, viewer, { slug });
    if (blog) idsBySlug.set(slug, blog.id);
  }
  const rows = await publishedCards(read, [...new Set(idsBySlug.values())], viewer?.id ?? null);
  const mutes = new Set(viewer ? await mutedBy(read, viewer.id) : []);
  const unmuted = rows.filter(({ author }) => !mutes.has(author.id)).map(presentCard);
  const cards = new Map((await withoutMuted(read, viewer, unmuted)).map((card) => [card.id, card]));
  const blogs = [...idsBySlug].flatMap(([linkedSlug, id]): LinkedBlog[] => {
    const card = cards.get(id);
    if (!card) return [];
    const { slug, title, cover, language, readingMinutes, author } = card;
    return [
      {
        asked: linkedSlug,
        slug,
        title,
        cover,
        ...(language && { language }),
        readingMinutes,
        author: author.name,
      },
    ];
  });
  return { blogs };
}
