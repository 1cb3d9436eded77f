import { expect, test } from "vitest";
import { aBlog, aComment, followTopics, startTown, until, type Town } from "../support/town.ts";

/** Ana wrote a blog; `cursor` is where a page of it stands. */
async function openPage(town: Town) {
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await town.browser().api.blogs.bySlug.query({ slug });
  const say = (text: string, blogId = id) =>
    ana.api.comments.create.mutate(aComment({ id: blogId }, { text }));
  return { ana, id, slug, cursor, say };
}

test("a page hears of all that it shows over one stream, in the order in which it happened", async () => {
  await using town = await startTown();
  const { ana, id, cursor, say } = await openPage(town);
  const eve = await town.resident("Eve");
  const other = await ana.api.blogs.create.mutate(aBlog());
  const heard = followTopics(eve, [`blog:${id}`, `card:${other.id}`, "feed", "me"], cursor);
  await heard.live();
  await say("one");
  await say("two", other.id);
  await eve.api.social.likeBlog.mutate({ blogId: other.id, liked: true });
  const third = await ana.api.blogs.create.mutate(aBlog());
  await say("three");
  await heard.heard("comment.created", 2);
  expect(heard.kinds()).toEqual([
    "feed blog.published",
    "blog comment.created",
    "card blog.counted",
    "card blog.counted",
    "me own.like",
    "feed blog.published",
    "blog comment.created",
  ]);
  expect(heard.events("blog.published").map(({ blogId }) => blogId)).toEqual([other.id, third.id]);
  expect(heard.events("blog.counted").at(-1)).toMatchObject({
    blogId: other.id,
    likesCount: 1,
    commentsCount: 1,
  });
  const seqs = heard.frames.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((one, another) => one - another));
});

test("no topic overtakes another while many write at once, and who is cut again and again misses nothing", async () => {
  await using town = await startTown();
  const { ana, id, cursor, say } = await openPage(town);
  const [eve, bob] = [await town.resident("Eve"), await town.resident("Bob")];
  const others = await Promise.all(Array.from({ length: 4 }, () => ana.api.blogs.create.mutate(aBlog())));
  const page = town.browser(eve.cookie);
  const cards = others.map((blog) => `card:${blog.id}` as const);
  const heard = followTopics(page, [`blog:${id}`, ...cards, "feed", "me"], cursor);
  let writing = true;
  const cutting = (async () => {
    while (writing) {
      page.cut();
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 40));
    }
  })();
  await Promise.all(
    [0, 1, 2, 3, 4].map(async (writer) => {
      const blog = others[writer % others.length]!;
      for (let index = 0; index < 8; index++) {
        await say(`number ${writer * 8 + index}`);
        await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: index % 2 === 0 });
        await say("there", blog.id);
        await bob.api.social.saveBlog.mutate({ blogId: blog.id, saved: index % 2 === 0 });
      }
    }),
  );
  writing = false;
  await cutting;
  const { cursor: end } = await eve.api.blogs.list.query({});
  // A ring without a fact: all up to here is told.
  await until(() => {
    town.app.parts.bus.ring([`user:${eve.me.id}`]);
    return heard.frames.some(({ event, seq }) => event.kind === "at" && seq >= Number(end.split(".")[1]));
  });
  const texts = heard.events("comment.created").map(({ comment }) => comment.text);
  expect(texts.toSorted()).toEqual(Array.from({ length: 40 }, (_, index) => `number ${index}`).toSorted());
  const seqs = heard.frames.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((one, another) => one - another));
  expect(heard.kinds().filter((kind) => kind === "me own.like")).toHaveLength(
    town.rows(`select seq from live_events where topic = 'user:${eve.me.id}' and fact like '%own.like%'`)
      .length,
  );
  for (const blog of others) {
    const { likesCount, savesCount, commentsCount } = await eve.api.blogs.card.query({ id: blog.id });
    expect(heard.events("blog.counted").findLast(({ blogId }) => blogId === blog.id)).toMatchObject({
      likesCount,
      savesCount,
      commentsCount,
    });
  }
});

test("a guest has no stream of their own", async () => {
  await using town = await startTown();
  const heard = followTopics(town.browser(), ["me", "feed"]);
  await until(() => heard.state.error);
  expect(heard.state.error).toMatchObject({ data: { code: "UNAUTHORIZED" } });
  expect(heard.frames).toEqual([]);
});
