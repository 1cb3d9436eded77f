import { escapeHtml } from "../../shared/document/to-html.ts";
import { AppError } from "../../shared/errors.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { Context, MemberContext } from "../context.ts";
import type { PersonPage } from "./endpoints.ts";
import { bareCards, fillCards, maxPerPerson, restCards, spaceOfCards, type Card } from "./cards.ts";
import { asTree, bareComments, fillComments } from "./comment-lists.ts";
import { absolute, idObjects, maxPeople, pictureAddresses, restFollowers, withViewer } from "./present.ts";
import { createPseudonymizer } from "./pseudonyms.ts";
import { newestPeople, type PeopleOf } from "./queries.ts";
import { bytesOf, idBytes, idObjectBytes, ResponseSpace, sizesOfIds } from "./response-space.ts";
import { visibleUser } from "../profiles/access.ts";
import { blogRelation, parseBlogKey, readableBlog, writableBlog } from "../blogs/access.ts";
import { tagOf } from "./if-match.ts";
import { flatHtmlOf } from "../blogs/flat-html.ts";
import { presentCard } from "../blogs/present.ts";
import { presentSchedule } from "../blogs/schedule.ts";
import { scheduleOf } from "../blogs/schedule-queries.ts";
import { listReadable } from "../blogs/written-queries.ts";
import { cardById } from "../blogs/card-queries.ts";
import { canWriteBlog, countKinds, visibleKinds } from "../blogs/policy.ts";

/** Returns the id of a blog that the viewer can edit. Throws like `writableBlog`. */
export const writableBlogId = async (ctx: MemberContext, key: string): Promise<string> =>
  (await writableBlog(ctx.database.read, ctx.viewer, parseBlogKey(key))).id;

const likerIds = (card: Card): string[] => card.likes.map(({ _id }) => _id);

/** The fewest entries per list of people, of all comment likes and of comments. */
const fewPeople = 100;
const fewOfComments = 2_000;
const fewComments = 50;

/** Returns a blog with content and comments (docs/specification.md, 7.2); for its authors with an ETag. */
export async function wholeBlog(ctx: Context, key: string) {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const blogFacts = await readableBlog(read, ctx.viewer, parseBlogKey(key));
  const row = await cardById(read, blogFacts.id, viewerId);
  // It became a draft meanwhile.
  const isSame = row?.draft === blogFacts.draft;
  const [bareCard] = await bareCards(ctx, row && isSame ? [presentCard(row)] : []);
  if (!bareCard) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  const { card, blog: blogCard } = bareCard;
  const author = await visibleUser(read, ctx.viewer, { id: blogFacts.authorId });
  const { followers, followersCount } = await restFollowers(ctx, author);
  const newest = async (list: PeopleOf) =>
    (await newestPeople(read, list, [blogCard.id], { viewer: viewerId, each: maxPeople })).get(blogCard.id) ??
    [];
  const [likes, saves, pseudonymize] = [
    await newest("likes"),
    await newest("saves"),
    await createPseudonymizer(ctx.database),
  ];
  const content = await withAddresses(ctx, await flatHtmlOf(ctx, blogFacts));

  const picture = absolute(ctx, blogCard.author.picture);
  const creator = { ...card.creator, image: picture, followersCount };
  const { canonicalUrl, searchTitle, searchDescription } = blogFacts;
  const language = blogFacts.language || blogFacts.guessedLanguage;
  const forSearch = { canonicalUrl, searchTitle, searchDescription, language };
  const planned = blogFacts.draft
    ? { scheduledFor: presentSchedule(await scheduleOf(read, blogFacts.id))?.at ?? null }
    : {};
  const head = { ...card, likes: likerIds(card), content, ...forSearch, ...planned, creator };
  const room = new ResponseSpace();
  room.take(bytesOf(head));
  const comments = await bareComments(ctx, blogCard.id, room);
  const likesOfComments = Math.min(
    room.left / idBytes,
    comments.reduce((sum, { row: { likesCount } }) => sum + Math.min(likesCount, maxPeople), 0),
  );
  // In order of priority: the last is cut first.
  const [commentCount, likesCount, savesCount, followersLength, commentLikesCount] = room.fit([
    { sizes: comments.map(({ bytes }) => bytes), min: fewComments },
    { sizes: sizesOfIds(likes.length, idBytes), min: fewPeople },
    { sizes: sizesOfIds(saves.length, idBytes), min: fewPeople },
    { sizes: sizesOfIds(followers.length, idObjectBytes), min: fewPeople },
    { sizes: sizesOfIds(likesOfComments, idBytes), min: fewOfComments },
  ]) as [number, number, number, number, number];
  const shownComments = comments.slice(0, commentCount);
  await fillComments(ctx, blogCard.id, shownComments, commentLikesCount);
  const people = (ids: string[], limit: number, isOne: boolean) =>
    withViewer(pseudonymize(blogCard.id, ids.slice(0, limit)), ctx.viewer?.id, isOne, limit);
  const followersShown = followers.map(({ _id }) => _id);
  const blog = {
    ...head,
    likes: people(likes, likesCount, blogCard.liked),
    totalSaves: people(saves, savesCount, blogCard.saved),
    creator: {
      ...creator,
      followers: idObjects(
        withViewer(followersShown, ctx.viewer?.id, author.relation.isFollower, followersLength),
      ),
    },
    comments: asTree(shownComments),
  };
  // Read before the content: a concurrent save makes the tag stale and cannot go unnoticed.
  return { blog, tag: canWriteBlog(blogRelation(ctx.viewer, blogFacts)) ? tagOf(blogFacts) : undefined };
}

/** Returns a person's blogs that the viewer can read, newest first, with their likers' ids. */
export async function blogsOfUser(ctx: Context, userId: string, { page, limit }: PersonPage) {
  const { read } = ctx.database;
  const viewer = ctx.viewer?.id ?? null;
  const { user, relation } = await visibleUser(read, ctx.viewer, { id: userId });
  const kinds = visibleKinds(relation, user);
  const size = limit ?? maxPerPerson;
  const rows = isBeyondLastPage(page, size)
    ? []
    : await listReadable(read, userId, kinds, { viewer, limit: size + 1, offset: (page - 1) * size });
  const cards = await bareCards(ctx, rows.slice(0, size).map(presentCard));
  const room = new ResponseSpace();
  const [fittingCount = 0] = room.fit([spaceOfCards(cards)]);
  const fittingCards = cards.slice(0, fittingCount);
  await fillCards(ctx, fittingCards, room);
  return {
    blogs: fittingCards.map(({ card }) => ({ ...card, likes: likerIds(card) })),
    blogsCount: countKinds(kinds, user),
    hasMore: rows.length > fittingCount,
  };
}

/** Makes picture addresses absolute for clients elsewhere. */
async function withAddresses(ctx: Context, html: string): Promise<string> {
  // Quotes elsewhere are escaped, so this matches only pictures.
  const sources = / src="(\/media\/[^"]+)"/g;
  const paths = [...html.matchAll(sources)].map(([, path]) => path);
  const addressOf = await pictureAddresses(ctx, paths);
  return html.replace(sources, (_all, path: string) => ` src="${escapeHtml(addressOf(path) ?? path)}"`);
}

export async function oneCard(ctx: Context, id: string) {
  const row = await cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  const [card] = await restCards(ctx, row ? [presentCard(row)] : []);
  return card;
}
