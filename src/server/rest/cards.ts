import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import type { Context } from "../context.ts";
import { userById } from "../users/queries.ts";
import { hasPersonalVisibility } from "../users/block-queries.ts";
import { mostInPage } from "./call.ts";
import { idObjects, mostPeople, pictureAddresses, restPerson, withViewer } from "./present.ts";
import type { Lists } from "./kept-lists.ts";
import { telling, type Telling } from "./pseudonyms.ts";
import * as queries from "./queries.ts";
import { closedMark, hiddenMark } from "./queries.ts";
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

/** Puts in the newest ids of who likes, saves and comments, as many of each as there is room for: three statements for all. */
export async function fillCards(ctx: Context, cards: BareCard[], room: Room): Promise<void> {
  const most = Math.floor(room.left / idObjectBytes);
  const counted = cards.flatMap(({ of }) => [of.likesCount, of.savesCount, of.commentsCount]);
  const each = evenly(counted, most, mostPeople);
  if (cards.length === 0 || each === 0) return;
  const viewerId = ctx.viewer?.id;
  const tell = await telling(ctx.database);
  const ids = [...new Set(cards.map(({ of }) => of.id))];
  // What is kept is what guests may know: for whom somebody is not there, it is read.
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
  const fitting = evenly(lengths, most, each);
  let told = 0;
  for (const { of, card } of cards) {
    const { likes = [], saves = [], comments = [], closed } = found.get(of.id) ?? {};
    const people = (list: string[], others: string[] | undefined, isOne: boolean) => {
      const shown = list.slice(0, fitting);
      told += shown.length;
      // Whom the viewer may know stands there by a pseudonym, as for everybody: themselves first of all.
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
      await breathe();
    }
  }
}

/** The lists of blogs as guests may know them, or somebody, each kind in one statement. */
async function readLists(
  { database: { read } }: Context,
  tell: Telling,
  ids: string[],
  at: { viewer: string | null; each: number },
): Promise<Map<string, Lists>> {
  const likes = await queries.newestPeople(read, "likes", ids, at);
  await breathe();
  const saves = await queries.newestPeople(read, "saves", ids, at);
  await breathe();
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
    await breathe();
  }
  return lists;
}

const closedOf = (people: string[]): string[] =>
  people.flatMap((id) => (id.startsWith(closedMark) ? [id.slice(closedMark.length)] : []));

/** Of people whom guests may not know, those whom the viewer follows. */
async function knownTo({ database, viewer }: Context, lists: Lists[]): Promise<Set<string>> {
  if (!viewer) return new Set();
  const closed = new Set(lists.flatMap(({ closed: { likes, saves } }) => [...likes, ...saves]));
  return new Set(await queries.followedOf(database.read, viewer.id, [...closed]));
}
