import { expect, test } from "vitest";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, followBlog } from "../../support/test-site.ts";

test("sends a new comment to the open page of another person", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  const page = await testSite.browser().api.blogs.bySlug.query({ slug });
  expect(page.html).toContain("Owls");
  const stream = followBlog(eve, id, page.cursor);
  await ana.api.comments.create.mutate(aComment({ id }));
  await stream.waitFor("comment.created");
  stream.stop();
  const list = await eve.api.blogs.list.query({});
  expect(list.blogs[0]?.commentsCount).toBe(1);
});
