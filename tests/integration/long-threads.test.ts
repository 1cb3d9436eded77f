import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { limits } from "../../src/shared/limits.ts";
import { fillTalk } from "../support/talk.ts";
import { aBlog, aComment, refusal, startTown, watch, type Resident, type Town } from "../support/town.ts";

const many = (count: number, text = "x") => Array.from({ length: count }, (_, index) => `${text} ${index}`);

async function aTalk(town: Town) {
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const list = (input: { before?: string; including?: string } = {}) =>
    eve.api.comments.list.query({ blogId: blog.id, ...input });
  const [root] = await fillTalk(town, eve, blog.id, ["the first"]);
  if (!root) throw new Error("Nothing was said.");
  const answer = (count: number, more: { nested?: boolean; under?: string } = {}) =>
    fillTalk(town, eve, blog.id, many(count), { under: root.id, from: 2_000, ...more });
  return { ana, eve, blog, list, root, answer };
}

/** How often the store was asked while something was done. */
async function asked(act: () => Promise<unknown>): Promise<number> {
  const statement = Object.getPrototypeOf(new Sqlite(":memory:").prepare("select 1")) as Record<
    "all" | "get" | "run" | "iterate",
    (...parameters: unknown[]) => unknown
  >;
  const own = { ...Object.getOwnPropertyDescriptors(statement) };
  let count = 0;
  for (const name of ["all", "get", "run", "iterate"] as const) {
    const ask = statement[name];
    statement[name] = function (this: unknown, ...parameters: unknown[]) {
      count++;
      return ask.apply(this, parameters);
    };
  }
  try {
    await act();
    return count;
  } finally {
    Object.defineProperties(statement, own);
  }
}

const comment = limits.comment.max;
const owls = "🦉";
const texts = {
  plain: "x".repeat(comment),
  "in signs of four bytes": owls.repeat(comment),
  "in signs that are escaped": "<".repeat(comment),
  "in quotes": `"'&`.repeat(comment / 3),
  "in backslashes and lines": "\\\n".repeat(comment / 2 - 1) + "x",
  "in short addresses": "http://a.b ".repeat(comment / 11),
  "in one long address": `https://a.b/${owls.repeat(comment - 20)}`,
  "hardly any": "x",
};

test.each(Object.entries(texts))("a page of long threads stays small: %s", async (_, text) => {
  await using town = await startTown();
  const { eve, blog } = await aTalk(town);
  await eve.api.users.updateProfile.mutate({ name: owls.repeat(40) }).catch(() => {});
  const copies = (count: number) => Array.from({ length: count }, () => text);
  const top = await fillTalk(town, eve, blog.id, copies(60));
  for (const { id } of top.slice(-15))
    await fillTalk(town, eve, blog.id, copies(5), { under: id, from: 5_000 });
  const longest = top.at(-1)?.id ?? "";
  const replies = await fillTalk(town, eve, blog.id, copies(200), {
    under: longest,
    nested: true,
    from: 6_000,
  });
  for (const search of ["", "?comments=open"]) {
    const page = await town.browser().fetch(`/blog/${blog.slug}${search}`);
    expect(page.status).toBe(200);
    expect(Buffer.byteLength(await page.text())).toBeLessThan(300_000);
  }
  const size = async (procedure: string, input: Record<string, unknown>) => {
    const query = encodeURIComponent(JSON.stringify({ blogId: blog.id, ...input }));
    const answer = await eve.fetch(`/trpc/comments.${procedure}?input=${query}`);
    expect(answer.status).toBe(200);
    return Buffer.byteLength(await answer.text());
  };
  expect(await size("list", {})).toBeLessThan(256_000);
  expect(await size("list", { before: top[30]?.id })).toBeLessThan(256_000);
  expect(await size("list", { including: replies[100]?.id })).toBeLessThan(256_000);
  expect(await size("list", { including: top[2]?.id })).toBeLessThan(256_000);
  expect(await size("replies", { rootId: longest })).toBeLessThan(256_000);
});

test("a page begins with some fifty comments, of a long thread the first few, and says how many more there are", async () => {
  await using town = await startTown();
  const { eve, blog, root, list, answer } = await aTalk(town);
  const replies = await answer(240);
  expect(await list()).toMatchObject({
    comments: [root, ...replies.slice(0, limits.replies.few)].map(({ id }) => ({ id })),
    folds: { [root.id]: { repliesCount: 240, after: { id: replies[limits.replies.few - 1]?.id } } },
    before: null,
    total: 241,
  });
  for (const { id } of await fillTalk(town, eve, blog.id, many(40), { from: 9_000 }))
    await fillTalk(town, eve, blog.id, many(4), { under: id, from: 10_000 });
  const seen = new Set<string>();
  let before: string | null | undefined;
  while (before !== null) {
    const page = await list(before ? { before } : {});
    expect(page.comments.length).toBeLessThanOrEqual(limits.replies.rows);
    for (const { id } of page.comments) seen.add(id);
    before = page.before;
  }
  expect(seen.size).toBe(40 * 5 + 1 + limits.replies.few);
  const drawn = await (await town.browser().fetch(`/blog/${blog.slug}?comments=open`)).text();
  expect(drawn.match(/<li id="comment-/g)?.length).toBeLessThanOrEqual(limits.replies.rows);
});

test("the replies of a thread come in pages, each once, oldest first, whatever is said or goes meanwhile", async () => {
  await using town = await startTown();
  const { eve, blog, root, list, answer } = await aTalk(town);
  const replies = await answer(100);
  await town.write(
    async (tx) => void tx.drizzle.run("update comments set created_at = 3000 where parent_id is not null"),
  );
  const expected = replies.map(({ id }) => id).toSorted();
  const { folds, comments } = await list();
  const seen = comments.slice(1).map(({ id }) => id);
  let after = folds[root.id]?.after;
  while (after) {
    const page = await eve.api.comments.replies.query({ blogId: blog.id, rootId: root.id, after });
    seen.push(...page.comments.map(({ id }) => id));
    expect(page.comments.length).toBeLessThanOrEqual(limits.replies.page);
    after = page.folds[root.id]?.after;
    // The place to go on from is a place, though what stood there is gone.
    if (seen.length > 20 && seen.length < 50) {
      expected.splice(expected.indexOf(seen.at(-1) ?? ""), 1);
      await eve.api.comments.remove.mutate({ id: seen.pop() ?? "" });
    }
  }
  expect(seen).toEqual(expected);
  const other = await eve.api.blogs.create.mutate(aBlog());
  for (const wrong of [
    { blogId: other.id, rootId: root.id },
    { blogId: blog.id, rootId: replies[0]?.id ?? "" },
    { blogId: blog.id, rootId: blog.id },
  ])
    expect(await refusal(eve.api.comments.replies.query(wrong))).toMatchObject({ code: "NOT_FOUND" });
});

test("a comment that is linked to comes with its thread, what it answers and what is around it", async () => {
  await using town = await startTown();
  const { eve, blog, root, list, answer } = await aTalk(town);
  const [start] = await answer(1);
  const flat = await fillTalk(town, eve, blog.id, many(300), { under: root.id, from: 5_000 });
  const deep = await fillTalk(town, eve, blog.id, many(300), { under: root.id, nested: true, from: 50_000 });
  // Its thread stands on a page far down.
  await fillTalk(town, eve, blog.id, many(100), { from: 100_000 });
  const linkTo = async (id: string) => {
    const { comments, folds, before } = await list({ including: id });
    expect(before).not.toBeNull();
    expect(folds[root.id]).toMatchObject({ repliesCount: 601 });
    return comments.filter(({ rootId }) => rootId === root.id).map((one) => one.id);
  };
  const { above, around } = limits.replies;
  const inFlat = await linkTo(flat[200]?.id ?? "");
  expect(inFlat).toEqual(
    expect.arrayContaining([
      root.id,
      start?.id,
      ...flat.slice(200 - around, 201 + around).map(({ id }) => id),
    ]),
  );
  const inDeep = await linkTo(deep[250]?.id ?? "");
  expect(inDeep).toEqual(
    expect.arrayContaining([root.id, ...deep.slice(250 - above, 251 + around).map(({ id }) => id)]),
  );
  expect(inDeep.length).toBeLessThan(30);
  const none = await list({ including: blog.id });
  expect(none.comments.every(({ rootId }) => rootId !== root.id)).toBe(true);
});

test("an answer is never as old as what it answers", async () => {
  await using town = await startTown();
  const { ana, blog, root } = await aTalk(town);
  const ahead = Date.now() + 60_000;
  await town.write(async (tx) => void tx.drizzle.run(`update comments set created_at = ${ahead}`));
  const reply = await ana.api.comments.create.mutate(aComment(blog, { parentId: root.id }));
  expect(Date.parse(reply.createdAt)).toBe(ahead + 1);
});

test("a page hears how many replies a folded thread has, as they come and go", async () => {
  await using town = await startTown();
  const { ana, eve, blog, root, list, answer } = await aTalk(town);
  const replies = await answer(20);
  const page = watch(town.browser(), blog.id, (await list()).cursor);
  const reply = await ana.api.comments.create.mutate(aComment(blog, { parentId: replies[10]?.id }));
  await page.heard("comment.created");
  expect(page.told().at(-1)?.event).toMatchObject({ comment: { id: reply.id }, repliesCount: 21 });
  await eve.api.comments.remove.mutate({ id: replies[10]?.id ?? "" });
  await page.heard("comment.deleted");
  expect(page.told().at(-1)?.event).toMatchObject({ repliesCounts: { [root.id]: 19 }, commentsCount: 20 });
  page.stop();
});

test("a thread of thousands goes in steps, and a page that is open hears of each", async () => {
  await using town = await startTown();
  const { ana, blog, root, list, answer } = await aTalk(town);
  const nested = await answer(1_300, { nested: true });
  await fillTalk(town, ana, blog.id, many(1_300), { under: root.id, from: 50_000 });
  expect(await ana.api.comments.countReplies.query({ id: nested[99]?.id ?? "" })).toMatchObject({
    repliesCount: 1_200,
  });
  const page = watch(town.browser(), blog.id, (await list()).cursor);
  const { commentIds, commentsCount } = await ana.api.comments.remove.mutate({ id: root.id });
  expect(commentIds[0]).toBe(root.id);
  expect(commentsCount).toBe(0);
  const steps = Math.ceil(2_601 / limits.replies.step);
  await page.heard("comment.deleted", steps);
  const gone = page.events("comment.deleted").flatMap(({ commentIds: ids }) => ids);
  expect(new Set(gone).size).toBe(2_601);
  for (const { commentIds: ids } of page.events("comment.deleted"))
    expect(ids.length).toBeLessThanOrEqual(limits.replies.step);
  expect(page.told().at(-1)?.event).toMatchObject({ commentsCount: 0, repliesCounts: { [root.id]: 0 } });
  expect(await list()).toMatchObject({ comments: [], total: 0 });
  expect(town.rows("pragma foreign_key_check")).toEqual([]);
  page.stop();
});

test("while a long thread goes, nobody waits for it", { tags: ["more"] }, async () => {
  await using town = await startTown();
  const { ana, eve, blog, root, answer } = await aTalk(town);
  await answer(3_000);
  let left = true;
  const gone = ana.api.comments.remove.mutate({ id: root.id }).finally(() => (left = false));
  let others = 0;
  for (let liked = true; left; liked = !liked) {
    await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked });
    if (left) others++;
  }
  await gone;
  expect(others).toBeGreaterThan(1);
});

test("a page of five thousand comments is drawn with as many questions as one of fifty", async () => {
  await using town = await startTown();
  const { ana, eve, blog: small, root } = await aTalk(town);
  const large = await ana.api.blogs.create.mutate(aBlog());
  const fill = async (who: Resident, blogId: string, rootId: string, roots: number, replies: number) => {
    await fillTalk(town, who, blogId, many(replies), { under: rootId, from: 2_000 });
    for (const { id } of await fillTalk(town, who, blogId, many(roots), { from: 5_000 }))
      await fillTalk(town, who, blogId, many(replies), { under: id, from: 10_000 });
  };
  const [first] = await fillTalk(town, eve, large.id, ["the first"]);
  await fill(eve, small.id, root.id, 11, 4);
  await fill(eve, large.id, first?.id ?? "", 19, 250);
  const draw = (slug: string) => async () => {
    // A member's page is drawn anew each time.
    const page = await eve.fetch(`/blog/${slug}?comments=open`);
    expect(page.status).toBe(200);
    return page.text();
  };
  await draw(small.slug)();
  // Every second the server looks by itself whether anybody else has written.
  const fewest = async (slug: string) =>
    Math.min(await asked(draw(slug)), await asked(draw(slug)), await asked(draw(slug)));
  expect(await fewest(large.slug)).toBe(await fewest(small.slug));
});
