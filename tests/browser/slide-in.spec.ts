import type { Page } from "@playwright/test";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { expect, distanceMoved, test, visitLive } from "./test-site.ts";

/* New entries of a list slide in while a reader only watches, and wait behind a button otherwise. */

const long = paragraphs(...Array.from({ length: 12 }, () => "So it went on. ".repeat(20)));
const pill = (page: Page) => page.getByRole("button", { name: /^\d+ new (comment|blog)s?$/ });
const row = (page: Page, text: string) => page.locator("li.comment").filter({ hasText: text });
const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });

/** Scrolls until the list of comments begins at this height of the window. */
const bringListTo = (page: Page, top: number) =>
  page.evaluate((offset) => {
    const list = document.querySelector("#comment-list")!;
    scrollBy({ top: list.getBoundingClientRect().top - offset, behavior: "instant" });
  }, top);

/** Waits until an entry that slid in has its full height; until then, entries below it move. */
const waitUntilSettled = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.documentElement.style.overflowAnchor)).toBe("");

/** Records how many comments each change of the list adds from now on, and how far the list's top moves in any frame. */
const watchList = (page: Page) =>
  page.evaluate(() => {
    const counts = { steps: [] as number[], furthest: 0 };
    Object.assign(window, { seen: counts });
    const list = document.querySelector("#comment-list")!;
    const { top } = list.getBoundingClientRect();
    new MutationObserver((changes) => {
      counts.steps.push(changes.reduce((sum, { addedNodes }) => sum + addedNodes.length, 0));
    }).observe(list, { childList: true });
    const measure = () => {
      counts.furthest = Math.max(counts.furthest, Math.abs(list.getBoundingClientRect().top - top));
      requestAnimationFrame(measure);
    };
    measure();
  });
const readCounts = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { steps: number[]; furthest: number } }).seen);

test("slides new comments in one by one for a reader who only watches, and moves nothing above them", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog({ document: long }));
  for (let index = 0; index < 8; index++)
    await ben.api.comments.create.mutate(aComment(blog, { text: `Before ${index}. ${"Owls. ".repeat(40)}` }));
  const [writer, reader] = [await open(ben), await open(ana)];
  for (const page of [reader, writer]) await visitLive(page, `/blog/${blog.slug}?comments=open`);
  await bringListTo(reader, 200);
  await watchList(reader);
  const title = reader.getByRole("heading", { name: /^Comments/ });
  const before = await title.boundingBox();
  const below = await row(reader, "Before 7").boundingBox();

  for (const text of ["First", "Second", "Third"]) {
    await box(writer).fill(text);
    await writer.getByRole("button", { name: "Add Comment" }).click();
    await expect(row(writer, text)).toBeVisible();
  }
  for (const text of ["First", "Second", "Third"]) await expect(row(reader, text)).toBeInViewport();
  await expect(reader.locator("li.comment").first()).toContainText("Third");
  await expect(pill(reader)).toHaveCount(0);
  const { steps, furthest } = await readCounts(reader);
  expect(steps).toEqual([1, 1, 1]);
  expect(furthest).toBeLessThan(3);
  expect(await distanceMoved(title, before)).toBeLessThan(3);
  await expect
    .poll(async () => (await row(reader, "Before 7").boundingBox())!.y - below!.y)
    .toBeGreaterThan(100);
  expect(await reader.evaluate(() => document.activeElement?.localName)).toBe("body");
});

test("holds comments back while a reader types, selects or has scrolled down, and shows them afterwards", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog({ document: long }));
  const postComment = (text: string) => ben.api.comments.create.mutate(aComment(blog, { text }));
  for (let index = 0; index < 12; index++) await postComment(`Before ${index}. ${"Owls. ".repeat(40)}`);
  const reader = await open(ana);
  await visitLive(reader, `/blog/${blog.slug}?comments=open`);
  await bringListTo(reader, 300);

  await box(reader).fill("I begin to say");
  await postComment("While I type");
  await expect(pill(reader)).toHaveText(/^1 new/);
  await expect(box(reader)).toBeFocused();
  await expect(row(reader, "While I type")).toHaveCount(0);
  await box(reader).fill("");
  await expect(row(reader, "While I type")).toBeInViewport();
  await expect(pill(reader)).toHaveCount(0);
  await expect(box(reader)).toBeFocused();

  await reader.evaluate(() => {
    const text = document.querySelectorAll("li.comment .comment-text")[1]!;
    getSelection()!.selectAllChildren(text);
  });
  await postComment("While I select");
  await expect(pill(reader)).toHaveText(/^1 new/);
  expect(await reader.evaluate(() => getSelection()!.toString())).toContain("Owls.");
  await reader.evaluate(() => getSelection()!.removeAllRanges());
  await expect(row(reader, "While I select")).toBeInViewport();

  await waitUntilSettled(reader);
  await bringListTo(reader, -400);
  const read = row(reader, "Before 9");
  const before = await read.boundingBox();
  await postComment("While I read on");
  await expect(pill(reader)).toHaveText(/^1 new/);
  expect(await distanceMoved(read, before)).toBeLessThan(3);
  await bringListTo(reader, 300);
  await expect(row(reader, "While I read on")).toBeInViewport();
  await expect(pill(reader)).toHaveCount(0);

  await bringListTo(reader, -400);
  for (let index = 1; index <= 7; index++) await postComment(`Of many ${index}`);
  await expect(pill(reader)).toHaveText(/^7 new/);
  await bringListTo(reader, 300);
  await expect(pill(reader)).toHaveText(/^7 new/);
  await pill(reader).click();
  await expect(row(reader, "Of many")).toHaveCount(7);
  await expect(pill(reader)).toHaveCount(0);
});

test("slides a reply in below the comment being read, and holds it back while the reader writes a reply", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog({ document: long }));
  const olderComment = aComment(blog, { text: `An older thread. ${"Owls. ".repeat(60)}` });
  const questionComment = aComment(blog, { text: "A question. Who?" });
  for (const comment of [olderComment, questionComment]) await ben.api.comments.create.mutate(comment);
  const answer = (text: string) =>
    ben.api.comments.create.mutate(aComment(blog, { text, parentId: questionComment.id }));
  const reader = await open(ana, { reducedMotion: "reduce" });
  await visitLive(reader, `/blog/${blog.slug}?comments=open`);
  await bringListTo(reader, 200);
  await watchList(reader);
  const questionBox = await row(reader, "A question").boundingBox();
  for (const text of ["Answer one", "Answer two"]) await answer(text);
  await expect(row(reader, "Answer two")).toBeInViewport();
  expect(await distanceMoved(row(reader, "A question"), questionBox)).toBeLessThan(3);
  const { steps, furthest } = await readCounts(reader);
  expect(steps).toEqual([1, 1]);
  expect(furthest).toBeLessThan(3);

  await row(reader, "A question").getByRole("button", { name: "Reply", exact: true }).click();
  const reply = reader.getByRole("textbox", { name: "Reply" });
  await expect(reply).toBeFocused();
  await answer("Answer three");
  await expect(pill(reader)).toHaveText(/^1 new/);
  await reply.press("Escape");
  await expect(row(reader, "Answer three")).toBeInViewport();
  await expect(pill(reader)).toHaveCount(0);
});

test("slides a blog in at the top of the feed, and holds it back for a reader who has scrolled down", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const publish = (title: string) => ana.api.blogs.create.mutate(aBlog({ title }));
  for (const title of ["One", "Two", "Three", "Four", "Five"]) await publish(title);
  const reader = await open();
  await visitLive(reader, "/home");
  const feed = reader.getByRole("region", { name: "Blogs", exact: true });
  const titles = feed.getByRole("article").getByRole("heading");
  const head = feed.getByRole("heading", { name: "Blogs" });
  await expect(titles).toHaveText(["Five", "Four", "Three", "Two"]);
  const before = await head.boundingBox();
  const announcement = expect(reader.locator("p[role=status]").filter({ hasText: "1 new blog" })).toHaveCount(
    1,
  );
  for (const title of ["Six", "Seven"]) await publish(title);
  await announcement;
  await expect(titles).toHaveText(["Seven", "Six", "Five", "Four"]);
  await expect(pill(reader)).toHaveCount(0);
  expect(await distanceMoved(head, before)).toBeLessThan(3);

  const scroll = (card: number) =>
    reader.evaluate((index) => {
      const { top } = document.querySelectorAll(".feed .cards > li")[index]!.getBoundingClientRect();
      scrollBy({ top: top - 200, behavior: "instant" });
    }, card);
  await scroll(2);
  await publish("Eight");
  await expect(pill(reader)).toHaveText("1 new blog");
  await expect(titles).toHaveText(["Seven", "Six", "Five", "Four"]);
  const [liked] = (await ana.api.blogs.list.query({ page: 1, sort: "latest" })).blogs.filter(
    ({ title }) => title === "Seven",
  );
  await ana.api.social.likeBlog.mutate({ blogId: liked!.id, liked: true });
  await expect(feed.locator(".card").first().locator(".card-meta")).toContainText("1 like");
  await scroll(0);
  await expect(titles).toHaveText(["Eight", "Seven", "Six", "Five"]);
  await expect(pill(reader)).toHaveCount(0);

  // The new blog would move the last card, and the focus, to the next page.
  const last = feed.getByRole("link", { name: "Five", exact: true });
  await last.evaluate((link) => link.focus({ preventScroll: true }));
  await publish("Nine");
  await expect(pill(reader)).toHaveText("1 new blog");
  await expect(last).toBeFocused();
  await last.evaluate((link) => link.blur());
  await expect(titles).toHaveText(["Nine", "Eight", "Seven", "Six"]);
});
