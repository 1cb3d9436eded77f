import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

const text = Array.from({ length: 40 }, (_, index) =>
  `Paragraph ${index}. One hears owls, mostly, and now and then a train. `.repeat(4),
);

test("continues a long text on another device where its reader stopped, and links a mention to its account", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  const blog = await ana.api.blogs.create.mutate(
    aBlog({ title: "The night itself", document: paragraphs(...text) }),
  );
  const mentions = `As @${cleo.me.username} said. So did @nobody-here.`;
  await ana.api.comments.create.mutate(aComment(blog, { text: mentions }));
  const storedPlace = async () => (await ben.api.social.place.query({ blogId: blog.id })).place;

  const page = await open(ben);
  await visit(page, "/home");
  await page.evaluate(() => {
    const { dataset } = document.body;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      if (this.matches("main")) dataset.faded = location.pathname;
      return animate.call(this, frames, options);
    };
    document.addEventListener("transitionrun", ({ propertyName }) => {
      if (propertyName === "--beat")
        document.body.dataset.beats = `${Number(document.body.dataset.beats ?? 0) + 1}`;
    });
  });
  await page.getByRole("link", { name: "The night itself" }).first().click();
  await expect(page.getByRole("heading", { name: "The night itself", level: 1 })).toBeFocused();
  expect(await page.evaluate(() => document.body.dataset.faded)).toBe(`/blog/${blog.slug}`);
  const like = page.getByRole("button", { name: /^Like\b/ });
  await like.click();
  await expect(page.locator("body")).toHaveAttribute("data-beats", "1");
  await like.click();
  await expect(like).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator("body")).toHaveAttribute("data-beats", "1");
  const paragraph = (index: number) => page.locator(".prose > p").nth(index);
  await expect(page.getByRole("group", { name: "Continue reading?" })).toHaveCount(0);
  await paragraph(20).evaluate((element) => element.scrollIntoView());
  await page.goBack();
  await expect.poll(async () => (await storedPlace())?.block).toBeGreaterThan(18);
  // Going back does not fade: the browser may animate it itself.
  expect(await page.evaluate(() => document.body.dataset.faded)).toBe(`/blog/${blog.slug}`);

  const phone = await open(ben, { viewport: { width: 390, height: 800 } });
  await phone.goto(`/blog/${blog.slug}`);
  const offer = phone.getByRole("button", { name: "Continue where you stopped" });
  await offer.click();
  const resumedParagraph = phone.locator(".prose > p").nth((await storedPlace())!.block);
  await expect(resumedParagraph).toBeFocused();
  await expect(resumedParagraph).toBeInViewport();
  await expect(offer).toHaveCount(0);
  await phone.getByRole("list", { name: "Tags" }).scrollIntoViewIfNeeded();
  await expect.poll(storedPlace).toBeNull();
  await ben.api.social.keepPosition.mutate({
    blogId: blog.id,
    place: { block: 20, words: 7, part: 0 },
  });
  // A link to the comments offers nothing, and keeps the stored position.
  await phone.goto("about:blank");
  const changes: string[] = [];
  phone.on("request", (request) => {
    if (request.url().includes("social.keepPosition")) changes.push(request.postData() ?? "");
  });
  const response = phone.waitForResponse(/social\.place/);
  await phone.goto(`/blog/${blog.slug}#comments`);
  await response;
  await expect(phone.getByRole("heading", { name: /^Comments/ })).toBeInViewport();
  await expect(offer).toHaveCount(0);
  await phone.goto("about:blank");
  expect(changes).toEqual([]);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => delete document.body.dataset.faded);
  await page.getByRole("link", { name: "The night itself" }).first().click();
  const pill = page.getByRole("group", { name: "Continue reading?" });
  await pill.getByRole("button", { name: "Start from the beginning" }).click();
  await expect(pill).toHaveCount(0);
  await expect.poll(storedPlace).toBeNull();
  expect(await page.evaluate(() => document.body.dataset.faded)).toBeUndefined();

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const first = page.getByRole("region", { name: "First comments" });
  await expect(first.getByRole("link", { name: `@${cleo.me.username}` })).toBeVisible();
  await page.getByRole("button", { name: "Comments" }).click();
  const mention = page.getByRole("link", { name: `@${cleo.me.username}` });
  await expect(page.getByText("@nobody-here")).toBeVisible();
  await expect(page.getByRole("link", { name: "@nobody-here" })).toHaveCount(0);
  await mention.click();
  await expect(page).toHaveURL(`/${cleo.me.username}`);
});
