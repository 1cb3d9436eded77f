import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import type { Context } from "../context.ts";
import { userById } from "../users/queries.ts";
import { mostInPage } from "./call.ts";
import { idObjects, mostPeople, pictureAddresses, restPerson, withViewer } from "./present.ts";
import { telling } from "./pseudonyms.ts";
import * as queries from "./queries.ts";
import type { CardShape } from "./shapes.ts";
import { breathe, bytesOf, evenly, idObjectBytes, Room, type Wish } from "./size.ts";

export type Card = z.output<typeof CardShape>;

/** A card whose lists of ids are not there yet, but for the viewer's own. */
export interface BareCard {
  of: BlogCard;
  card: Card;
  bytes: number;
}

/** Of one person's blogs a list has at most so many. */
export const mostOfPerson = 1_000;

/** What cards want of an answer. A list that does not fit is cut where a page ends, so that it can be gone on with. */
export const wishOfCards = (cards: BareCard[]): Wish => ({
  sizes: cards.map(({ bytes }) => bytes),
  least: mostInPage,
  step: mostInPage,
});

/** After so many cards others have their turn. */
const atOnce = 250;

/** Cards of lists (docs/specification.md, 3.5 to 3.9), in what is left of an answer. */
export async function restCards(ctx: Context, blogs: BlogCard[], room = new Room()): Promise<Card[]> {
  const bare = await bareCards(ctx, blogs);
  for (const { bytes } of bare) room.take(bytes);
  await fillCards(ctx, bare, room);
  return bare.map(({ card }) => card);
}

/** The same without the ids of who likes, saves and comments. */
export async function bareCards(ctx: Context, blogs: BlogCard[]): Promise<BareCard[]> {
  const viewerId = ctx.viewer?.id;
  const addressOf = await pictureAddresses(
    ctx,
    blogs.map(({ cover }) => cover?.src),
  );
  const self =
    viewerId && blogs.some(({ author }) => author.id === viewerId)
      ? await userById(ctx.database.read, viewerId)
      : undefined;
  const bare: BareCard[] = [];
  for (const [place, of] of blogs.entries()) {
    if (place % atOnce === atOnce - 1) await breathe();
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
    tags: blog.tags,
    draft: blog.draft,
    private: blog.private,
    createdAt: blog.publishedAt,
    creator: { ...restPerson(ctx, blog.author), ...(ownEmail ? { email: ownEmail } : {}) },
    likes: idObjects(own(blog.liked)),
    likesCount: blog.likesCount,
    comments: [],
    commentsCount: blog.commentsCount,
    totalSaves: own(blog.saved),
    totalSavesCount: blog.savesCount,
  };
}

/** Puts in the newest ids of who likes, saves and comments, as many of each as there is room for: three statements for all. */
export async function fillCards(ctx: Context, cards: BareCard[], room: Room): Promise<void> {
  const most = Math.floor(room.left / idObjectBytes);
  const counted = cards.flatMap(({ of }) => [of.likesCount, of.savesCount, of.commentsCount]);
  const each = evenly(counted, most, mostPeople);
  if (cards.length === 0 || each === 0) return;
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id;
  const ids = [...new Set(cards.map(({ of }) => of.id))];
  const at = { viewer: viewerId ?? null, each };
  const likes = await queries.newestPeople(read, "likes", ids, at);
  await breathe();
  const saves = await queries.newestPeople(read, "saves", ids, at);
  await breathe();
  const comments = await queries.newestComments(read, ids, each);
  const tell = await telling(ctx.database);

  const found = [likes, saves, comments];
  const lengths = cards.flatMap(({ of }) => found.map((list) => list.get(of.id)?.length ?? 0));
  const fitting = evenly(lengths, most, each);
  let told = 0;
  for (const { of, card } of cards) {
    const people = (list: Map<string, string[]>, isOne: boolean) => {
      const shown = list.get(of.id)?.slice(0, fitting) ?? [];
      told += shown.length;
      return withViewer(tell(of.id, shown), viewerId, isOne, fitting);
    };
    card.likes = idObjects(people(likes, of.liked));
    card.totalSaves = people(saves, of.saved);
    card.comments = idObjects(comments.get(of.id)?.slice(0, fitting) ?? []);
    room.take(idObjectBytes * (card.likes.length + card.totalSaves.length + card.comments.length));
    if (told >= 1_000) {
      told = 0;
      await breathe();
    }
  }
}
