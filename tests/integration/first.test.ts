import { expect, test } from "vitest";
import { aBlog, aComment, startTown, watch } from "../support/town.ts";

test("a person signs up, writes, and another reads and sees a comment arrive", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const eve = await town.resident("Eve");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  const page = await town.browser().api.blogs.bySlug.query({ slug });
  expect(page.html).toContain("Owls");
  const heard = watch(eve, id, page.cursor);
  await ana.api.comments.create.mutate(aComment({ id }));
  await heard.heard("comment.created");
  heard.stop();
  const list = await eve.api.blogs.list.query({});
  expect(list.blogs[0]?.commentsCount).toBe(1);
});
