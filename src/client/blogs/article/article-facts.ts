import type { BlogPage } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import type { PageFacts } from "../../app/page.ts";

/** What the head of a blog's page says. */
export function articleFacts(blog: BlogPage): PageFacts {
  return {
    title: blog.title,
    description: blog.description || blog.excerpt,
    canonical: routes.blog(blog.slug),
    image: blog.cover?.src,
    article: { publishedAt: blog.publishedAt, editedAt: blog.editedAt, author: blog.author.name },
    unlisted: blog.draft || blog.private,
    topics: [`blog:${blog.id}`],
  };
}
