import { expect, test } from "vitest";
import { commenters } from "../../src/shared/blogs.ts";
import { ApiClient } from "../support/api-client.ts";
import { aBlog, aComment, refusal, startTown, watch } from "../support/town.ts";

/* An author decides who comments on a blog. */

test("everybody, followers or nobody but the author comments, as the author has it; everything else goes on", async () => {
  await using town = await startTown();
  const [ana, fay, eve] = [
    await town.resident("Ana"),
    await town.resident("Fay"),
    await town.resident("Eve"),
  ];
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const own = aComment(blog);
  await eve.api.comments.create.mutate(own);
  const people = { ana, fay, eve };
  const rest = {
    ana: await ApiClient.of(town, ana),
    fay: await ApiClient.of(town, fay),
    eve: await ApiClient.of(town, eve),
  };
  const may = {
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
      const isOne = may[commentsFrom].includes(name);
      for (const parentId of [null, own.id]) {
        const said = who.api.comments.create.mutate(aComment(blog, { parentId }));
        if (isOne) expect((await said).blogId).toBe(blog.id);
        else expect((await refusal(said)).code).toBe("FORBIDDEN");
      }
      const typing = who.api.comments.replying.mutate({ blogId: blog.id });
      if (isOne) expect((await typing).told).toBe(true);
      else expect((await refusal(typing)).code).toBe("FORBIDDEN");
      const status = [
        (await rest[name].call("POST", `/blogs/comment/${blog.id}`, { comment: "Hm." })).status,
        (await rest[name].call("POST", `/comment/${own.id}/${blog.id}`, { reply: "Hm." })).status,
      ];
      expect([commentsFrom, name, status]).toEqual([commentsFrom, name, isOne ? [200, 200] : [403, 403]]);
      expect((await who.api.blogs.bySlug.query({ slug: blog.slug })).commentsFrom).toBe(commentsFrom);
      expect((await who.api.comments.like.mutate({ id: own.id, liked: true })).liked).toBe(true);
    }
    // What was said is there, may be changed, and a retry of it is answered.
    expect((await eve.api.comments.create.mutate(own)).id).toBe(own.id);
    const text = `Under ${commentsFrom}`;
    expect((await eve.api.comments.edit.mutate({ id: own.id, text })).text).toBe(text);
  }
  // Unfollowing ends it.
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "followers" });
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  const { code, message } = await refusal(fay.api.comments.create.mutate(aComment(blog)));
  expect([code, message]).toEqual(["FORBIDDEN", expect.stringContaining("Follow the author")]);
});

test("open pages hear of it, an edit of the text keeps it, and saving the form is no conflict", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const form = await ana.api.blogs.forEdit.query({ slug: blog.slug });
  const { cursor } = await eve.api.blogs.bySlug.query({ slug: blog.slug });
  const heard = watch(eve, blog.id, cursor);
  await heard.live();
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "nobody" });
  await heard.heard("blog.edited");
  expect(heard.events("blog.edited").at(-1)).toMatchObject({ commentsFrom: "nobody", editedAt: null });
  // The same again is nothing new.
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "nobody" });
  await ana.api.blogs.update.mutate({ ...aBlog({ title: "Another" }), id: blog.id, version: form.version });
  await heard.heard("blog.edited", 2);
  expect(heard.events("blog.edited")).toHaveLength(2);
  expect(heard.events("blog.edited").at(-1)).toMatchObject({
    commentsFrom: "nobody",
    card: { title: "Another" },
  });
});
