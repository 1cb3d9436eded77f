import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import type { Context } from "../context.ts";
import { userById } from "../profiles/queries.ts";
import { idObjects, idsEach, restPerson, withViewer } from "./present.ts";
import { pictureAddresses } from "../media/picture-addresses.ts";
import { createPseudonymizer } from "./pseudonyms.ts";
import * as queries from "./queries.ts";
import type { CardShape } from "./shapes.ts";

export type Card = z.output<typeof CardShape>;

/** The most blogs in a person's list. */
export const maxPerPerson = 1_000;

/** Cards made before other requests get the thread. */
const batchSize = 100;

/** Returns cards (docs/specification.md, 3.5 to 3.9) with the newest `maxIds` ids of people who like and save, and of comments. */
export async function restCards(
  ctx: Context,
  blogs: BlogCard[],
  maxIds = idsEach(blogs.length),
): Promise<Card[]> {
  if (blogs.length === 0) return [];
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id;
  const addressOf = await pictureAddresses(
    ctx,
    blogs.map(({ cover }) => cover?.src),
  );
  const self = blogs.some(({ author }) => author.id === viewerId)
    ? await userById(read, viewerId ?? "")
    : undefined;
  const pseudonymize = await createPseudonymizer(ctx.database);
  const blogIds = blogs.map(({ id }) => id);
  const at = { viewer: viewerId ?? null, each: maxIds };
  const likers = await queries.newestPeople(read, "likes", blogIds, at);
  await setImmediate();
  const savers = await queries.newestPeople(read, "saves", blogIds, at);
  await setImmediate();
  const comments = await queries.newestComments(read, blogIds, at);
  const cards: Card[] = [];
  for (const blog of blogs) {
    if (cards.length % batchSize === 0) await setImmediate();
    const people = (idsByBlog: Map<string, string[]>, isOne: boolean) =>
      withViewer(pseudonymize(blog.id, idsByBlog.get(blog.id) ?? []), viewerId, isOne, maxIds);
    const email = blog.author.id === viewerId ? self?.email : undefined;
    cards.push({
      _id: blog.id,
      blogId: blog.slug,
      title: blog.title,
      description: blog.description,
      image: addressOf(blog.cover?.src),
      coverFocus: blog.cover?.focus ?? null,
      tags: blog.tags,
      draft: blog.draft,
      private: blog.private,
      createdAt: blog.publishedAt,
      creator: { ...restPerson(ctx, blog.author), ...(email ? { email } : {}) },
      coAuthors: (blog.coAuthors ?? []).map((person) => restPerson(ctx, person)),
      likes: idObjects(people(likers, blog.liked)),
      likesCount: blog.likesCount,
      comments: idObjects(comments.get(blog.id) ?? []),
      commentsCount: blog.commentsCount,
      totalSaves: people(savers, blog.saved),
      totalSavesCount: blog.savesCount,
    });
  }
  return cards;
}
