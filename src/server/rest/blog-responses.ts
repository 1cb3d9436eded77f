import { escapeHtml } from "../../shared/document/html-tags.ts";
import { AppError } from "../../shared/errors.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { Context, MemberContext } from "../context.ts";
import type { PersonPage } from "./endpoints.ts";
import { maxPerPerson, restCards, type Card } from "./cards.ts";
import { restComments } from "./comment-lists.ts";
import { maxPeople, restFollowers } from "./present.ts";
import { pictureAddresses } from "../media/picture-addresses.ts";
import { visibleUser } from "../profiles/access.ts";
import { blogRelation, parseBlogKey, readableBlog, writableBlog } from "../blogs/access.ts";
import { tagOf } from "./if-match.ts";
import { flatHtmlOf } from "../writing/shown-text.ts";
import { presentCard, presentLive } from "../blogs/present.ts";
import { presentSchedule } from "../writing/schedule.ts";
import { scheduleOf } from "../writing/schedule-queries.ts";
import { listReadable } from "../blogs/written-queries.ts";
import { cardById } from "../blogs/card-queries.ts";
import { canWriteBlog, countKinds, visibleKinds } from "../blogs/policy.ts";

/** Returns the id of a blog that the viewer can edit. Throws like `writableBlog`. */
export const writableBlogId = async (ctx: MemberContext, key: string): Promise<string> =>
  (await writableBlog(ctx.database.read, ctx.viewer, parseBlogKey(key))).id;

const likerIds = (card: Card): string[] => card.likes.map(({ _id }) => _id);

/** Returns a blog with content and comments (docs/specification.md, 7.2); for its authors with an ETag. */
export async function wholeBlog(ctx: Context, key: string) {
  const { read } = ctx.database;
  const blogFacts = await readableBlog(read, ctx.viewer, parseBlogKey(key));
  const row = await cardById(read, blogFacts.id, ctx.viewer?.id ?? null);
  // It became a draft meanwhile.
  const isSame = row?.draft === blogFacts.draft;
  const [card] = await restCards(ctx, row && isSame ? [presentCard(row)] : [], maxPeople);
  if (!card) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  const author = await visibleUser(read, ctx.viewer, { id: blogFacts.authorId });
  const { canonicalUrl, searchTitle, searchDescription } = blogFacts;
  const blog = {
    ...card,
    content: (await withAddresses(ctx, [await flatHtmlOf(ctx, blogFacts)]))[0] ?? "",
    canonicalUrl,
    searchTitle,
    searchDescription,
    language: blogFacts.language || blogFacts.guessedLanguage,
    ...(blogFacts.draft
      ? { scheduledFor: presentSchedule(await scheduleOf(read, blogFacts.id))?.at ?? null }
      : {}),
    live: presentLive(blogFacts),
    likes: likerIds(card),
    creator: {
      ...card.creator,
      image: card.creator.profilePic,
      ...(await restFollowers(ctx, author)),
    },
    comments: await restComments(ctx, card._id),
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
  const cards = await restCards(ctx, rows.slice(0, size).map(presentCard));
  return {
    blogs: cards.map((card) => ({ ...card, likes: likerIds(card) })),
    blogsCount: countKinds(kinds, user),
    hasMore: rows.length > size,
  };
}

/** Makes picture addresses in HTML absolute for clients elsewhere. */
export async function withAddresses(ctx: Context, texts: string[]): Promise<string[]> {
  // Quotes elsewhere are escaped, so this matches only pictures.
  const sources = / src="(\/media\/[^"]+)"/g;
  const paths = texts.flatMap((html) => [...html.matchAll(sources)].map(([, path]) => path));
  const addressOf = await pictureAddresses(ctx, paths);
  return texts.map((html) =>
    html.replace(sources, (_all, path: string) => ` src="${escapeHtml(addressOf(path) ?? path)}"`),
  );
}

export async function oneCard(ctx: Context, id: string) {
  const row = await cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  const [card] = await restCards(ctx, row ? [presentCard(row)] : []);
  return card;
}
