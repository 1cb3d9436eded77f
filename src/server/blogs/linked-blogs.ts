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
  const found = new Map<string, string>();
  for (const slug of new Set(slugs)) {
    const blog = await readableFacts(read, viewer, { slug });
    if (blog) found.set(slug, blog.id);
  }
  const rows = await publishedCards(read, [...new Set(found.values())], viewer?.id ?? null);
  const mutes = new Set(viewer ? await mutedBy(read, viewer.id) : []);
  const wanted = rows.filter(({ author }) => !mutes.has(author.id)).map(presentCard);
  const cards = new Map((await withoutMuted(read, viewer, wanted)).map((card) => [card.id, card]));
  const blogs = [...found].flatMap(([asked, id]): LinkedBlog[] => {
    const card = cards.get(id);
    if (!card) return [];
    const { slug, title, cover, language, readingMinutes, author } = card;
    return [
      { asked, slug, title, cover, ...(language && { language }), readingMinutes, author: author.name },
    ];
  });
  return { blogs };
}
