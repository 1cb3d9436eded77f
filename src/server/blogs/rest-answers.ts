import type { DocumentJson } from "../../shared/document/schema.ts";
import { documentToHtml } from "../../shared/document/to-html.ts";
import { Id } from "../../shared/users.ts";
import type { Context, MemberContext } from "../context.ts";
import { absolute, restCards, restComments, restFollowers, type Card } from "../rest/present.ts";
import { knownUser } from "../users/access.ts";
import { canReadAccount } from "../users/policy.ts";
import { ownBlog, readableBlog } from "./access.ts";
import { tagOf } from "./condition.ts";
import { readableKinds } from "./policy.ts";
import { presentCard } from "./present.ts";
import { blogBody, cardById, listKinds } from "./queries.ts";
import { readBlog } from "./reading.ts";

const keyOf = (value: string) => (Id.safeParse(value).success ? { id: value } : { slug: value });
const mostOfAuthor = 1_000;

/** The id of a blog of the viewer's, named by its id or its address. Throws as `ownBlog` does. */
export const ownBlogId = async (ctx: MemberContext, key: string): Promise<string> =>
  (await ownBlog(ctx.database.read, ctx.viewer, keyOf(key))).id;

/** Ids of who likes a blog, where clients read them as such. */
const likerIds = (card: Card | undefined): string[] => (card?.likes ?? []).map(({ _id }) => _id);

/** A blog with its content and comments (rest contract, `GET /blogs/{blogId}`), and for its author the tag of its version. */
export async function wholeBlog(ctx: Context, key: string) {
  const { read } = ctx.database;
  const facts = await readableBlog(read, ctx.viewer, keyOf(key));
  const blog = await readBlog(ctx, { slug: facts.slug });
  const [[card], followers, comments, body] = await Promise.all([
    restCards(ctx, [blog]),
    knownUser(read, ctx.viewer, { id: blog.author.id }).then((author) => restFollowers(ctx, author)),
    restComments(ctx, blog.id),
    blogBody(read, blog.id),
  ]);
  const content = documentToHtml(body?.document as DocumentJson, {
    lists: "flat",
    origin: ctx.config.publicUrl,
    image: (src) => ({ src: absolute(ctx, src) ?? src }),
  });
  const picture = absolute(ctx, blog.author.picture);
  const whole = {
    ...card,
    content,
    likes: likerIds(card),
    creator: { ...card?.creator, image: picture, followers },
    comments,
  };
  // Of the moment before the content was read: what came between the two makes the tag stale, not the content unseen.
  return { blog: whole, tag: blog.mine ? tagOf(facts) : undefined };
}

/** The card of one blog, as the calls that write one answer. */
export async function oneCard(ctx: Context, id: string) {
  const row = await cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  const [card] = await restCards(ctx, row ? [presentCard(row)] : []);
  return card;
}

/** Somebody's blogs with the ids of who likes them, newest first. */
export async function blogsOfUser(ctx: Context, userId: string) {
  const { read } = ctx.database;
  const { standing, user } = await knownUser(read, ctx.viewer, { id: userId });
  if (!canReadAccount(standing, user)) return [];
  const at = { viewer: ctx.viewer?.id ?? null, limit: mostOfAuthor };
  const rows = await listKinds(read, userId, readableKinds(standing), at);
  const cards = await restCards(ctx, rows.map(presentCard));
  return cards.map((card) => ({ ...card, likes: likerIds(card) }));
}
