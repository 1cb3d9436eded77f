import { expect, test } from "vitest";
import { commenters } from "../../../src/shared/blogs.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, refusal, followBlog } from "../../support/test-site.ts";

/* Authors decide who can comment on a blog. */

test("lets everyone, followers or only the author comment, as set, and leaves likes and edits to all", async () => {
  const [testSite, ana, fay, eve] = await siteWith("Ana", "Fay", "Eve");
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const evesComment = aComment(blog);
  await eve.api.comments.create.mutate(evesComment);
  const people = { ana, fay, eve };
  const apiClients = {
    ana: await ApiClient.of(testSite, ana),
    fay: await ApiClient.of(testSite, fay),
    eve: await ApiClient.of(testSite, eve),
  };
  const allowed = {
    everyone: ["ana", "fay", "eve"],
    approved: ["ana", "fay", "eve"],
    followers: ["ana", "fay"],
    nobody: ["ana"],
  };
  for (const commentsFrom of commenters) {
    expect(await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom })).toMatchObject({
      commentsFrom,
    });
    for (const name of ["ana", "fay", "eve"] as const) {
      const who = people[name];
      const isAllowed = allowed[commentsFrom].includes(name);
      for (const parentId of [null, evesComment.id]) {
        const request = who.api.comments.create.mutate(aComment(blog, { parentId }));
        if (isAllowed) expect((await request).blogId).toBe(blog.id);
        else await expectRefusal(request, "FORBIDDEN");
      }
      const typing = who.api.comments.replying.mutate({ blogId: blog.id });
      if (isAllowed) expect((await typing).told).toBe(true);
      else await expectRefusal(typing, "FORBIDDEN");
      const status = [
        (await apiClients[name].call("POST", `/blogs/comment/${blog.id}`, { comment: "Hm." })).status,
        (await apiClients[name].call("POST", `/comment/${evesComment.id}/${blog.id}`, { reply: "Hm." }))
          .status,
      ];
      expect([commentsFrom, name, status]).toEqual([commentsFrom, name, isAllowed ? [200, 200] : [403, 403]]);
      expect((await who.api.blogs.bySlug.query({ slug: blog.slug })).commentsFrom).toBe(commentsFrom);
      expect((await who.api.comments.like.mutate({ id: evesComment.id, liked: true })).liked).toBe(true);
    }
    // An existing comment stays, can be edited, and its retry succeeds.
    expect((await eve.api.comments.create.mutate(evesComment)).id).toBe(evesComment.id);
    const text = `Under ${commentsFrom}`;
    expect((await eve.api.comments.edit.mutate({ id: evesComment.id, text })).text).toBe(text);
  }
  // Unfollowing ends the permission.
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "followers" });
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  const { code, message } = await refusal(fay.api.comments.create.mutate(aComment(blog)));
  expect([code, message]).toEqual(["FORBIDDEN", expect.stringContaining("Follow the author")]);
});

test("publishes a changed comment policy to open pages, and keeps it through an edit without conflict", async () => {
  const [, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const form = await ana.api.blogs.forEdit.query({ slug: blog.slug });
  const { cursor } = await eve.api.blogs.bySlug.query({ slug: blog.slug });
  const stream = followBlog(eve, blog.id, cursor);
  await stream.waitForStart();
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "nobody" });
  await stream.waitFor("blog.edited");
  expect(stream.events("blog.edited").at(-1)).toMatchObject({ commentsFrom: "nobody", editedAt: null });
  // The same setting again changes nothing.
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "nobody" });
  await ana.api.blogs.update.mutate({ ...aBlog({ title: "Another" }), id: blog.id, etag: form.etag });
  await stream.waitFor("blog.edited", 2);
  expect(stream.events("blog.edited")).toHaveLength(2);
  expect(stream.events("blog.edited").at(-1)).toMatchObject({
    commentsFrom: "nobody",
    card: { title: "Another" },
  });
});
