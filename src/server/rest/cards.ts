import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import type { Context } from "../context.ts";
import { userById } from "../profiles/queries.ts";
import { hasPersonalVisibility } from "../blocks/queries.ts";
import { maxPerPage } from "./endpoints.ts";
import { idObjects, maxPeople, pictureAddresses, restPerson, withViewer } from "./present.ts";
import type { Lists } from "./cached-id-lists.ts";
import { createPseudonymizer, type Pseudonymize } from "./pseudonyms.ts";
import * as queries from "./queries.ts";
import { closedMark, hiddenMark } from "./queries.ts";
import type { CardShape } from "./shapes.ts";
import {
  yieldThread,
  bytesOf,
  evenLength,
  idObjectBytes,
  ResponseSpace,
  type ListSpace,
} from "./response-space.ts";

export type Card = z.output<typeof CardShape>;

/** A card with at most the viewer in its lists of ids. */
export interface CardWithoutLists {
  blog: BlogCard;
  card: Card;
  bytes: number;
}

/** The most blogs in a person's list. */
export const maxPerPerson = 1_000;

/** Returns the space that cards need. A list is cut at a page boundary, so that clients can continue it. */
export const spaceOfCards = (cards: CardWithoutLists[]): ListSpace => ({
  sizes: cards.map(({ bytes }) => bytes),
  min: maxPerPage,
  step: maxPerPage,
});

/** Cards made before yielding. */
const batchSize = 250;

/** Returns cards (docs/specification.md, 3.5 to 3.9) within the remaining space. */
export async function restCards(
  ctx: Context,
  blogs: BlogCard[],
  room = new ResponseSpace(),
): Promise<Card[]> {
  const cards = await bareCards(ctx, blogs);
  for (const { bytes } of cards) room.take(bytes);
  await fillCards(ctx, cards, room);
  return cards.map(({ card }) => card);
}

/** Returns cards without others' ids. */
export async function bareCards(ctx: Context, blogs: BlogCard[]): Promise<CardWithoutLists[]> {
  const viewerId = ctx.viewer?.id;
  const addressOf = await pictureAddresses(
    ctx,
    blogs.map(({ cover }) => cover?.src),
  );
  const self =
    viewerId && blogs.some(({ author }) => author.id === viewerId)
      ? await userById(ctx.database.read, viewerId)
      : undefined;
  const cards: CardWithoutLists[] = [];
  for (const [place, blog] of blogs.entries()) {
    if (place % batchSize === batchSize - 1) await yieldThread();
    const card = bareCard(
      ctx,
      blog,
      blog.author.id === viewerId ? self?.email : undefined,
      addressOf(blog.cover?.src),
    );
    cards.push({ blog, card, bytes: bytesOf(card) });
  }
  return cards;
}

function bareCard(ctx: Context, blog: BlogCard, ownEmail: string | undefined, image: string | null): Card {
  const viewerOnly = (isOne: boolean) => withViewer([], ctx.viewer?.id, isOne);
  return {
    _id: blog.id,
    blogId: blog.slug,
    title: blog.title,
    description: blog.description,
    image,
    coverFocus: blog.cover?.focus ?? null,
    tags: blog.tags,
    draft: blog.draft,
    private: blog.private,
    createdAt: blog.publishedAt,
    creator: { ...restPerson(ctx, blog.author), ...(ownEmail ? { email: ownEmail } : {}) },
    coAuthors: (blog.coAuthors ?? []).map((person) => restPerson(ctx, person)),
    likes: idObjects(viewerOnly(blog.liked)),
    likesCount: blog.likesCount,
    comments: [],
    commentsCount: blog.commentsCount,
    totalSaves: viewerOnly(blog.saved),
    totalSavesCount: blog.savesCount,
  };
}

/** Adds the newest ids of people who like and save, and of comments, as many of each as fit, with three queries. */
export async function fillCards(ctx: Context, cards: CardWithoutLists[], room: ResponseSpace): Promise<void> {
  const maxIds = Math.floor(room.left / idObjectBytes);
  const counts = cards.flatMap(({ blog }) => [blog.likesCount, blog.savesCount, blog.commentsCount]);
  const each = evenLength(counts, maxIds, maxPeople);
  if (cards.length === 0 || each === 0) return;
  const viewerId = ctx.viewer?.id;
  const pseudonymize = await createPseudonymizer(ctx.database);
  const ids = [...new Set(cards.map(({ blog }) => blog.id))];
  // The cache is for guests; viewers with personal visibility need a query.
  const listsById =
    viewerId && (await hasPersonalVisibility(ctx.database.read, viewerId))
      ? await readLists(ctx, pseudonymize, ids, { viewer: viewerId, each })
      : await ctx.cachedIdLists.get(ids, each, (missingIds, count) =>
          readLists(ctx, pseudonymize, missingIds, { viewer: null, each: count }),
        );
  const knownIds = await knownTo(ctx, [...listsById.values()]);

  const lengths = cards.flatMap(({ blog }) => {
    const lists = listsById.get(blog.id);
    return [lists?.likes, lists?.saves, lists?.comments].map((list) => Math.min(each, list?.length ?? 0));
  });
  const fittingCount = evenLength(lengths, maxIds, each);
  let idCount = 0;
  for (const { blog, card } of cards) {
    const { likes = [], saves = [], comments = [], closed } = listsById.get(blog.id) ?? {};
    const people = (list: string[], others: string[] | undefined, isOne: boolean) => {
      const shownIds = list.slice(0, fittingCount);
      idCount += shownIds.length;
      // People known to the viewer are in the list by pseudonym and get their ids, the viewer first.
      for (const id of [
        ...(isOne && viewerId ? [viewerId] : []),
        ...(others ?? []).filter((otherId) => knownIds.has(otherId)),
      ]) {
        const place = shownIds.indexOf(pseudonymize(blog.id, [hiddenMark + id])[0] ?? "");
        if (place !== -1) shownIds[place] = id;
      }
      return withViewer(shownIds, viewerId, isOne, fittingCount);
    };
    card.likes = idObjects(people(likes, closed?.likes, blog.liked));
    card.totalSaves = people(saves, closed?.saves, blog.saved);
    card.comments = idObjects(comments.slice(0, fittingCount));
    room.take(idObjectBytes * (card.likes.length + card.totalSaves.length + card.comments.length));
    if (idCount >= 1_000) {
      idCount = 0;
      await yieldThread();
    }
  }
}

/** Reads the lists for a viewer or guests, each kind in one query. */
async function readLists(
  { database: { read } }: Context,
  pseudonymize: Pseudonymize,
  ids: string[],
  at: { viewer: string | null; each: number },
): Promise<Map<string, Lists>> {
  const likes = await queries.newestPeople(read, "likes", ids, at);
  await yieldThread();
  const saves = await queries.newestPeople(read, "saves", ids, at);
  await yieldThread();
  const comments = await queries.newestComments(read, ids, at);
  const lists = new Map<string, Lists>();
  let idCount = 0;
  for (const id of ids) {
    const [likerIds, saverIds] = [likes.get(id) ?? [], saves.get(id) ?? []];
    lists.set(id, {
      likes: pseudonymize(id, likerIds),
      saves: pseudonymize(id, saverIds),
      comments: comments.get(id) ?? [],
      closed: { likes: closedOf(likerIds), saves: closedOf(saverIds) },
    });
    idCount += likerIds.length + saverIds.length;
    if (idCount < 1_000) continue;
    idCount = 0;
    await yieldThread();
  }
  return lists;
}

const closedOf = (people: string[]): string[] =>
  people.flatMap((id) => (id.startsWith(closedMark) ? [id.slice(closedMark.length)] : []));

/** Returns the people hidden from guests whom the viewer follows. */
async function knownTo({ database, viewer }: Context, lists: Lists[]): Promise<Set<string>> {
  if (!viewer) return new Set();
  const closed = new Set(lists.flatMap(({ closed: { likes, saves } }) => [...likes, ...saves]));
  return new Set(await queries.followedOf(database.read, viewer.id, [...closed]));
}
