import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { expect, distanceMoved, sharedTest as test, visit } from "./test-site.ts";

const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `Line ${index}: owls call, and one of them answers from the wood.`,
  );

const paragraphsOf = (page: Page): Promise<string[]> => page.locator(".prose > *").allTextContents();
const selected = (page: Page): Promise<string> => page.evaluate(() => getSelection()!.toString());

/** Selects some words of a paragraph. */
const select = (page: Page, text: string, phrase: string): Promise<void> =>
  page.getByText(text).evaluate((block, needle) => {
    const node = block.firstChild as Text;
    const index = node.data.indexOf(needle);
    getSelection()!.setBaseAndExtent(node, index, node, index + needle.length);
  }, phrase);

test("changes only the differing blocks of an updated text, and keeps selection and scroll position", async ({
  site,
  open,
}) => {
  const [ana, eve] = [await site.createAccount("Ana Torres"), await site.createAccount("Eve Lund")];
  const text = lines(80);
  const blog = aBlog({ document: paragraphs(...text) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const page = await open(eve);
  await visit(page, `/blog/${slug}`);
  const line = page.getByText("Line 40:");
  await line.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await select(page, "Line 40:", "one of them answers");
  const before = await line.boundingBox();
  await page.evaluate(() => {
    for (const block of document.querySelectorAll(".prose > *")) Object.assign(block, { isOld: true });
  });
  const requestUrls: string[] = [];
  page.on("request", (request) => void (request.url().includes("bySlug") && requestUrls.push(request.url())));
  // Changes above, in the paragraph of the selection, and below.
  const now = [
    "A new beginning.",
    ...text.slice(0, 10),
    ...text.slice(12, 40),
    text[40]!.replace("owls call,", "owls call twice,"),
    ...text.slice(41),
    "A new end.",
    "And one more.",
  ];
  await ana.api.blogs.update.mutate({ ...blog, etag: 1, document: paragraphs(...now) });
  await expect.poll(() => paragraphsOf(page)).toEqual(now);
  expect(await distanceMoved(line, before)).toBeLessThan(3);
  expect(await selected(page)).toBe("one of them answers");
  expect(requestUrls).toEqual([]);
  const isNew = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".prose > *")]
        .filter((block) => !("isOld" in block))
        .map((block) => block.textContent),
    );
  expect(await isNew()).toEqual(["A new beginning.", "A new end.", "And one more."]);
  await expect(page.getByText("Updated", { exact: true })).toHaveCount(1);
  await expect(page.locator(".prose > [data-fresh]")).toHaveText([
    "A new beginning.",
    /owls call twice/,
    "A new end.",
    "And one more.",
  ]);
  await page.getByRole("button", { name: "2 new paragraphs" }).click();
  await expect(page.getByText("A new end.")).toBeInViewport();
  await expect(page.getByRole("button", { name: /new paragraph/ })).toHaveCount(0);
  await ana.api.blogs.update.mutate({ ...blog, etag: 2, document: paragraphs(...text) });
  await expect.poll(() => paragraphsOf(page)).toEqual(text);
  // Does not wait for the network to be idle: the request that the old page sends when it closes is never reported as finished.
  await page.reload();
  await expect.poll(() => paragraphsOf(page)).toEqual(text);
});

test("shows new authors of a blog although the code that changes its text does not arrive", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.createAccount("Ana Torres"), await site.createAccount("Ben Oke")];
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  const page = await open();
  await page.route("**/assets/updates-*.js", () => {});
  await visit(page, `/blog/${slug}`);
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  await expect(page.locator(".article-author")).toHaveText("Ana Torres and Ben Oke", { timeout: 60_000 });
});

test("keeps the place of a reader who has scrolled a little, when text is inserted above @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const text = lines(30);
  const blog = aBlog({ document: paragraphs(...text) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const page = await open();
  await visit(page, `/blog/${slug}`);
  await page.evaluate(() => scrollTo(0, 40));
  const line = page.getByText("Line 8:");
  const before = await line.boundingBox();
  await expect(page.getByText("Line 0:")).toBeInViewport();
  await ana.api.blogs.update.mutate({ ...blog, etag: 1, document: paragraphs("A beginning.", ...text) });
  await expect(page.getByText("A beginning.")).toHaveCount(1);
  expect(await distanceMoved(line, before)).toBeLessThan(3);
});
