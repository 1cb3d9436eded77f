import { z } from "zod";
import { BlogUpdate, NewBlog, Tags } from "../../shared/blogs.ts";
import { defaultSort, sortNames } from "../../shared/feed-sorts.ts";
import { limits } from "../../shared/limits.ts";
import { SearchQuery } from "../../shared/search.ts";
import { BlogKey, Id } from "../../shared/users.ts";
import { newId } from "../runtime/ids.ts";
import { check, Paging, PersonPaging, type Endpoints } from "./endpoints.ts";
import { restCards } from "./cards.ts";
import { Conditions, ifMatch, tagOf } from "./if-match.ts";
import { BlogShape, CardShape, CardsShape, hasMoreShape, MessageShape, SuccessShape } from "./shapes.ts";
import { deleteByKey } from "../blogs/delete-blog.ts";
import { listBlogs } from "../blogs/reading.ts";
import { recommendBlogs } from "../recommendations/recommend.ts";
import { blogsOfUser, oneCard, writableBlogId, wholeBlog } from "./blog-responses.ts";
import { BlogFormShape, readBlogForm } from "./blog-form.ts";
import { searchBlogs } from "../search/blogs.ts";
import { createBlog, updateBlog } from "../writing/service.ts";
import { topicsOfFeed } from "../blogs/events.ts";

const form = {
  description:
    "Fields: title, description, image (a png or jpeg file), coverFocus (JSON: {x, y} in percent), content (JSON: an HTML string or a ProseMirror document), draft, private, tags (a JSON array), images, slug, canonicalUrl, searchTitle, searchDescription, language.",
  shape: BlogFormShape,
};
const tagged = "Send the ETag as If-Match with the next change.";
const ByBlog = z.object({ blogId: BlogKey });

export function blogCalls(calls: Endpoints): void {
  calls.open("GET", "/blogs", {
    summary: "The feed, newest first",
    tag: "Blogs",
    query: Paging(limits.page.feed).extend({ sort: z.enum(sortNames).default(defaultSort) }),
    answer: CardsShape,
    handle: async (ctx, { query }) => {
      const { blogs, hasMore } = await listBlogs(ctx, { page: query.page, sort: query.sort }, query.limit);
      return { success: true, blogs: await restCards(ctx, blogs), hasMore };
    },
    topics: ({ blogs }, { query }) => topicsOfFeed(blogs as { _id: string }[], query.sort),
  });
  calls.open("GET", "/search-blogs", {
    summary: "Search titles, descriptions, texts and tags",
    tag: "Blogs",
    query: Paging(limits.page.search).extend({ search: SearchQuery.default("") }),
    answer: CardsShape,
    handle: async (ctx, { query }) => {
      const { blogs, hasMore } = await searchBlogs(
        ctx,
        { query: query.search, page: query.page },
        query.limit,
      );
      return { success: true, blogs: await restCards(ctx, blogs), hasMore };
    },
  });
  calls.open("GET", "/blogs/:blogId", {
    summary: "A blog with its content and comments",
    tag: "Blogs",
    description: `Its author's answer has an ETag. ${tagged}`,
    params: ByBlog,
    answer: SuccessShape.extend({ blog: BlogShape }),
    handle: async (ctx, { params, reply }) => {
      const { blog, tag } = await wholeBlog(ctx, params.blogId);
      if (tag) void reply.header("etag", tag);
      return { success: true, blog };
    },
  });
  calls.member("POST", "/blogs", {
    summary: "Publish a blog, or save a draft",
    tag: "Blogs",
    description: tagged,
    form,
    bodyLimit: limits.body.json,
    answer: MessageShape.extend({ blog: CardShape }),
    handle: async (ctx, { request, reply }) => {
      const fields = await readBlogForm(ctx, request, reply);
      const { id, etag, message } = await createBlog(
        ctx,
        check(NewBlog, {
          description: "",
          document: { type: "doc", content: [{ type: "paragraph" }] },
          ...fields,
          tags: fields.tags ?? [],
          id: newId(),
        }),
      );
      void reply.header("etag", tagOf({ id, etag }));
      return { success: true, message, blog: await oneCard(ctx, id) };
    },
  });
  calls.member("PATCH", "/blogs/:blogId", {
    summary: "Change a blog; missing fields stay as they are",
    tag: "Blogs",
    description: `With only \`draft: false\`, a draft is published as it was last typed on the site. ${tagged}`,
    headers: Conditions,
    form,
    bodyLimit: limits.body.json,
    params: ByBlog,
    answer: MessageShape.extend({ blog: CardShape }),
    handle: async (ctx, { params, request, reply }) => {
      const condition = ifMatch(request.headers["if-match"]);
      const id = await writableBlogId(ctx, params.blogId);
      const fields = await readBlogForm(ctx, request, reply);
      const { etag, message } = await updateBlog(
        ctx,
        check(BlogUpdate, {
          ...fields,
          ...(fields.tags === undefined ? {} : { tags: check(Tags, fields.tags) }),
          id,
        }),
        condition,
      );
      void reply.header("etag", tagOf({ id, etag }));
      return { success: true, message, blog: await oneCard(ctx, id) };
    },
  });
  calls.member("GET", "/blogs/user/:userId", {
    summary: "Blogs of a person that the viewer can read",
    tag: "Blogs",
    params: z.object({ userId: Id }),
    query: PersonPaging,
    answer: SuccessShape.extend({
      blogs: z.array(CardShape.omit({ likes: true }).extend({ likes: z.array(z.string()) })),
      blogsCount: z.number(),
      hasMore: hasMoreShape,
    }),
    handle: async (ctx, { params, query }) => ({
      success: true,
      ...(await blogsOfUser(ctx, params.userId, query)),
    }),
  });
  calls.member("DELETE", "/blogs/:blogId", {
    summary: "Delete a blog with its comments and likes",
    tag: "Blogs",
    headers: Conditions,
    params: ByBlog,
    answer: MessageShape,
    handle: async (ctx, { params, request }) => ({
      success: true,
      ...(await deleteByKey(ctx, params.blogId, ifMatch(request.headers["if-match"]))),
    }),
  });
  calls.member("GET", "/recommended", {
    summary: "Blogs recommended to the viewer: by interests, follows and date",
    tag: "Blogs",
    answer: SuccessShape.extend({ blogs: z.array(CardShape) }),
    handle: async (ctx) => ({
      success: true,
      blogs: await restCards(ctx, (await recommendBlogs(ctx)).blogs),
    }),
  });
}
