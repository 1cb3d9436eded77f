import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import type { Context } from "../context.ts";
import { userById } from "../profiles/queries.ts";
import { hasPersonalVisibility } from "../blocks/queries.ts";
import { mostInPage } from "./endpoints.ts";
import { idObjects, mostPeople, pictureAddresses, restPerson, withViewer } from "./present.ts";
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
  of: BlogCard;
  card: Card;
  bytes: number;
}

/** The most blogs in a person's list. */
export const mostOfPerson = 1_000;

/** Returns the space that cards need. A list is cut at a page boundary, so that clients can continue it. */
export const spaceOfCards = (cards: CardWithoutLists[]): ListSpace => ({
  sizes: cards.map(({ bytes }) => bytes),
  least: mostInPage,
  step: mostInPage,
});

/** Cards made before yielding. */
const atOnce = 250;

/** Returns cards (docs/specification.md, 3.5 to 3.9) within the remaining space. */
export async function restCards(
  ctx: Context,
  blogs: BlogCard[],
  room = new ResponseSpace(),
): Promise<Card[]> {
  const bare = await bareCards(ctx, blogs);
  for (const { bytes } of bare) room.take(bytes);
  await fillCards(ctx, bare, room);
  return bare.map(({ card }) => card);
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
  const bare: CardWithoutLists[] = [];
  for (const [place, of] of blogs.entries()) {
    if (place % atOnce === atOnce - 1) await yieldThread();
    const card = bareCard(
      ctx,
      of,
      of.author.id === viewerId ? self?.email : undefined,
      addressOf(of.cover?.src),
    );
    bare.push({ of, card, bytes: bytesOf(card) });
  }
  return bare;
}

function bareCard(ctx: Context, blog: BlogCard, ownEmail: string | undefined, image: string | null): Card {
  const own = (isOne: boolean) => withViewer([], ctx.viewer?.id, isOne);
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
    likes: idObjects(own(blog.liked)),
    likesCount: blog.likesCount,
    comments: [],
    commentsCount: blog.commentsCount,
    totalSaves: own(blog.saved),
    totalSavesCount: blog.savesCount,
  };
}

/** Adds the newest ids of people who like and save, and of comments, as many of each as fit, with three queries. */
export async function fillCards(ctx: Context, cards: CardWithoutLists[], room: ResponseSpace): Promise<void> {
  const most = Math.floor(room.left / idObjectBytes);
  const counted = cards.flatMap(({ of }) => [of.likesCount, of.savesCount, of.commentsCount]);
  const each = evenLength(counted, most, mostPeople);
  if (cards.length === 0 || each === 0) return;
  const viewerId = ctx.viewer?.id;
  const tell = await createPseudonymizer(ctx.database);
  const ids = [...new Set(cards.map(({ of }) => of.id))];
  // The cache is for guests; viewers with personal visibility need a query.
  const found =
    viewerId && (await hasPersonalVisibility(ctx.database.read, viewerId))
      ? await readLists(ctx, tell, ids, { viewer: viewerId, each })
      : await ctx.lists.of(ids, each, (unknown, many) =>
          readLists(ctx, tell, unknown, { viewer: null, each: many }),
        );
  const known = await knownTo(ctx, [...found.values()]);

  const lengths = cards.flatMap(({ of }) => {
    const lists = found.get(of.id);
    return [lists?.likes, lists?.saves, lists?.comments].map((list) => Math.min(each, list?.length ?? 0));
  });
  const fitting = evenLength(lengths, most, each);
  let told = 0;
  for (const { of, card } of cards) {
    const { likes = [], saves = [], comments = [], closed } = found.get(of.id) ?? {};
    const people = (list: string[], others: string[] | undefined, isOne: boolean) => {
      const shown = list.slice(0, fitting);
      told += shown.length;
      // People known to the viewer are in the list by pseudonym and get their ids, the viewer first.
      for (const id of [
        ...(isOne && viewerId ? [viewerId] : []),
        ...(others ?? []).filter((one) => known.has(one)),
      ]) {
        const place = shown.indexOf(tell(of.id, [hiddenMark + id])[0] ?? "");
        if (place !== -1) shown[place] = id;
      }
      return withViewer(shown, viewerId, isOne, fitting);
    };
    card.likes = idObjects(people(likes, closed?.likes, of.liked));
    card.totalSaves = people(saves, closed?.saves, of.saved);
    card.comments = idObjects(comments.slice(0, fitting));
    room.take(idObjectBytes * (card.likes.length + card.totalSaves.length + card.comments.length));
    if (told >= 1_000) {
      told = 0;
      await yieldThread();
    }
  }
}

/** Reads the lists for a viewer or guests, each kind in one query. */
async function readLists(
  { database: { read } }: Context,
  tell: Pseudonymize,
  ids: string[],
  at: { viewer: string | null; each: number },
): Promise<Map<string, Lists>> {
  const likes = await queries.newestPeople(read, "likes", ids, at);
  await yieldThread();
  const saves = await queries.newestPeople(read, "saves", ids, at);
  await yieldThread();
  const comments = await queries.newestComments(read, ids, at);
  const lists = new Map<string, Lists>();
  let told = 0;
  for (const id of ids) {
    const [liking, saving] = [likes.get(id) ?? [], saves.get(id) ?? []];
    lists.set(id, {
      likes: tell(id, liking),
      saves: tell(id, saving),
      comments: comments.get(id) ?? [],
      closed: { likes: closedOf(liking), saves: closedOf(saving) },
    });
    told += liking.length + saving.length;
    if (told < 1_000) continue;
    told = 0;
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
