import { z } from "zod";
import { BlogUpdate, NewBlog, Tags } from "../../shared/blogs.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { documentToHtml } from "../../shared/document/to-html.ts";
import { limits } from "../../shared/limits.ts";
import { SearchQuery } from "../../shared/search.ts";
import { Id } from "../../shared/users.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { check, Paging, type Calls } from "../rest/call.ts";
import { absolute, idObjects, mostPeople, restCards, restComments } from "../rest/present.ts";
import { followerIdsOf, likerIds } from "../rest/queries.ts";
import { BlogShape, CardShape, CardsShape, MessageShape } from "../rest/shapes.ts";
import { knownUser } from "../users/access.ts";
import { canReadAccount } from "../users/policy.ts";
import { ownBlog, readableBlog } from "./access.ts";
import { presentCard } from "./present.ts";
import { blogBody, cardById, listByAuthor } from "./queries.ts";
import { readBlogForm } from "./rest-form.ts";
import { searchBlogs } from "./search.ts";
import { createBlog, deleteBlog, listBlogs, readBlog, updateBlog } from "./service.ts";

const form = "Fields: title, description, image (a png or jpeg file), content (JSON: an HTML string or a ProseMirror document), draft, private, tags (a JSON array), images.";
/** `blogId` of an address, or `_id`: both find a blog. */
const ByBlog = z.object({ blogId: z.string().min(1).max(200) });
const keyOf = (value: string) => (Id.safeParse(value).success ? { id: value } : { slug: value });
const mostOfAuthor = 1_000;

/** Blogs over /api/v1. */
export function blogCalls(calls: Calls): void {
  calls.open("GET", "/blogs", {
    summary: "The feed, newest first",
    tag: "Blogs",
    query: Paging(limits.page.feed).extend({ sort: z.enum(["latest", "likes"]).default("latest") }),
    answer: CardsShape,
    handle: async (ctx, { query }) => {
      const { blogs, hasMore } = await listBlogs(ctx, { page: query.page, sort: query.sort }, query.limit);
      return { success: true, blogs: await restCards(ctx, blogs), hasMore };
    },
  });
  calls.open("GET", "/search-blogs", {
    summary: "Search titles, descriptions, texts and tags",
    tag: "Blogs",
    query: Paging(limits.page.search).extend({ search: SearchQuery.default("") }),
    answer: CardsShape,
    handle: async (ctx, { query }) => {
      const { blogs, hasMore } = await searchBlogs(ctx, { query: query.search, page: query.page }, query.limit);
      return { success: true, blogs: await restCards(ctx, blogs), hasMore };
    },
  });
  calls.open("GET", "/blogs/:blogId", {
    summary: "A blog with its content and comments",
    tag: "Blogs",
    params: ByBlog,
    answer: z.object({ blog: BlogShape }),
    handle: async (ctx, { params }) => ({ success: true, blog: await wholeBlog(ctx, params.blogId) }),
  });
  calls.member("POST", "/blogs", {
    summary: "Publish a blog, or keep a draft",
    tag: "Blogs",
    form,
    bodyLimit: limits.body.upload,
    answer: MessageShape.extend({ blog: CardShape }),
    handle: async (ctx, { request }) => {
      const fields = await readBlogForm(ctx, request);
      const { id, message } = await createBlog(ctx, check(NewBlog, { description: "", document: { type: "doc", content: [{ type: "paragraph" }] }, ...fields, tags: fields.tags ?? [], id: newId() }));
      return { success: true, message, blog: await oneCard(ctx, id) };
    },
  });
  calls.member("PATCH", "/blogs/:blogId", {
    summary: "Change a blog; what is missing stays",
    tag: "Blogs",
    form,
    bodyLimit: limits.body.upload,
    params: ByBlog,
    answer: MessageShape.extend({ blog: CardShape }),
    handle: async (ctx, { params, request }) => {
      const blog = await ownBlog(ctx.database.read, ctx.viewer, keyOf(params.blogId));
      const fields = await readBlogForm(ctx, request);
      const { id, message } = await updateBlog(ctx, check(BlogUpdate, { ...fields, ...(fields.tags === undefined ? {} : { tags: check(Tags, fields.tags) }), id: blog.id }));
      return { success: true, message, blog: await oneCard(ctx, id) };
    },
  });
  calls.member("DELETE", "/blogs/:blogId", {
    summary: "Delete a blog with all that hangs on it",
    tag: "Blogs",
    params: ByBlog,
    answer: MessageShape,
    handle: async (ctx, { params }) => {
      const { id } = await ownBlog(ctx.database.read, ctx.viewer, keyOf(params.blogId));
      return { success: true, ...(await deleteBlog(ctx, { id })) };
    },
  });
  calls.member("GET", "/blogs/user/:userId", {
    summary: "Somebody's blogs, as far as the viewer may read them",
    tag: "Blogs",
    params: z.object({ userId: Id }),
    answer: z.object({ blogs: z.array(CardShape.omit({ likes: true }).extend({ likes: z.array(z.string()) })) }),
    handle: async (ctx, { params }) => ({ success: true, blogs: await blogsOfUser(ctx, params.userId) }),
  });
}

async function wholeBlog(ctx: Context, key: string) {
  const { read } = ctx.database;
  const { slug } = await readableBlog(read, ctx.viewer, keyOf(key));
  const blog = await readBlog(ctx, { slug });
  const [[card], likes, followers, comments, body] = await Promise.all([
    restCards(ctx, [blog]),
    likerIds(read, blog.id, mostPeople),
    followerIdsOf(read, blog.author.id, mostPeople),
    restComments(ctx, blog.id),
    blogBody(read, blog.id),
  ]);
  const content = documentToHtml(body?.document as DocumentJson, { image: (src) => ({ src: absolute(ctx, src) ?? src }) });
  const picture = absolute(ctx, blog.author.picture);
  return {
    ...card,
    content,
    likes: blog.liked && ctx.viewer && !likes.includes(ctx.viewer.id) ? [ctx.viewer.id, ...likes] : likes,
    creator: { ...card?.creator, image: picture, followers: idObjects(followers) },
    comments,
  };
}

async function oneCard(ctx: Context, id: string) {
  const row = await cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  const [card] = await restCards(ctx, row ? [presentCard(row)] : []);
  return card;
}

async function blogsOfUser(ctx: Context, userId: string) {
  const { read } = ctx.database;
  const { standing, user } = await knownUser(read, ctx.viewer, { id: userId });
  if (!canReadAccount(standing, user)) return [];
  const at = { viewer: ctx.viewer?.id ?? null, limit: mostOfAuthor, offset: 0 };
  const kinds = standing.isSelf ? (["public", "private", "drafts"] as const) : standing.isFollower ? (["public", "private"] as const) : (["public"] as const);
  const rows = (await Promise.all(kinds.map((kind) => listByAuthor(read, userId, kind, at)))).flat();
  const cards = await restCards(ctx, rows.sort((one, other) => other.publishedAt - one.publishedAt).slice(0, mostOfAuthor).map(presentCard));
  return cards.map((card) => ({ ...card, likes: card.likes.map(({ _id }) => _id) }));
}
