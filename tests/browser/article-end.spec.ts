import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

const long = Array.from({ length: 30 }, () => "One hears owls, mostly, and now and then a train. ".repeat(6));

test("shows author, first comments and related blogs at the end of a text, live, and loads them only there", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  await ana.api.users.updateProfile.mutate({
    name: ana.me.name,
    username: ana.me.username,
    bio: "I walk.",
    pictureId: null,
  });
  const publish = (author: typeof ana, title: string, tags: string[] = []) =>
    author.api.blogs.create.mutate(aBlog({ title, tags, document: paragraphs(...long) }));
  await publish(ana, "The evening before");
  const blog = await publish(ana, "The night itself", ["owlery"]);
  await publish(ana, "The morning after");
  await publish(cleo, "A house for owls", ["owlery"]);
  for (const text of ["First.", "Second.", "Third.", "Fourth."])
    await cleo.api.comments.create.mutate(aComment(blog, { text }));
  const page = await open(ben);
  await page.setViewportSize({ width: 1_280, height: 800 });
  const requestUrls: string[] = [];
  page.on("request", (request) => void requestUrls.push(request.url()));
  await visit(page, `/blog/${blog.slug}`);
  expect(requestUrls.filter((url) => /\/end-|blogs\.further/.test(url))).toEqual([]);
  const bar = page.getByRole("group", { name: "About this blog" });
  expect((await bar.boundingBox())?.x).toBeLessThan(300);

  await page.getByRole("list", { name: "Tags" }).scrollIntoViewIfNeeded();
  const firstComments = page.getByRole("region", { name: "First comments" });
  await expect(firstComments.getByRole("listitem")).toContainText(["Fourth.", "Third.", "Second."]);
  await firstComments.scrollIntoViewIfNeeded();
  await expect.poll(async () => (await bar.boundingBox())?.x).toBeGreaterThan(300);
  await expect(page.getByRole("button", { name: /^Like\b/ })).toHaveCount(1);

  const author = page.getByRole("region", { name: "Author", exact: true });
  await expect(author).toContainText("I walk.");
  await author.getByRole("button", { name: "Follow Ana Torres" }).click();
  await expect(author.getByRole("button", { name: "Following Ana Torres" })).toBeVisible();
  await expect(page.locator(".article-head .follow-button")).toHaveText("Following");

  await cleo.api.comments.create.mutate(aComment(blog, { text: "Fifth." }));
  await expect(firstComments.getByRole("listitem").first()).toContainText("Fifth.");
  const neighbours = page.getByRole("navigation", { name: "More by Ana Torres" });
  await expect(neighbours.getByRole("link")).toContainText(["The evening before", "The morning after"]);
  const related = page.getByRole("region", { name: "Read on" });
  const first = related.getByRole("heading").nth(1);
  await expect(first).toHaveText("A house for owls");

  await firstComments.getByRole("button", { name: "Read all 5" }).click();
  await expect(page.getByRole("heading", { name: /^Comments/ })).toBeFocused();
  await expect(page.getByRole("article", { name: "Comment by Cleo Marsh" })).toHaveCount(5);
  await expect(firstComments).toHaveCount(0);

  await first.getByRole("link").click();
  await expect(page.getByRole("heading", { name: "A house for owls", level: 1 })).toBeFocused();
  await page.getByRole("list", { name: "Tags" }).scrollIntoViewIfNeeded();
  await expect(author).toContainText("Cleo Marsh");
  await expect(page.locator(".end").getByRole("link", { name: "The night itself" })).toHaveCount(0);
});

test("shares a blog by copying its link, or through the system's share dialog @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(undefined, { permissions: ["clipboard-read", "clipboard-write"] });
  await visit(page, `/blog/${slug}?from=elsewhere`);
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByText("Link copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`/blog/${slug}$`));

  const phone = await open(undefined, {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 800 },
  });
  await phone.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "share", {
      value: (data: unknown) => {
        document.title = JSON.stringify(data);
        return Promise.resolve();
      },
    });
  });
  await visit(phone, `/blog/${slug}`);
  await phone.getByRole("button", { name: "Share" }).click();
  await expect(phone).toHaveTitle(/"title":"A walk at night","url":"http.*\/blog\/a-walk-at-night/);
});

const heading = (text: string, level = 2) => ({
  type: "heading",
  attrs: { level },
  content: [{ type: "text", text }],
});
const withHeadings = (...titles: string[]) => ({
  type: "doc",
  content: titles.flatMap((title) => [heading(title), ...paragraphs(...long.slice(0, 10)).content]),
});

test("shows a long text's contents with the current heading, updates them live and folds them on a phone @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = aBlog({ document: withHeadings("Dusk", "Night", "Dawn") });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const page = await open();
  await page.setViewportSize({ width: 1_280, height: 800 });
  await visit(page, `/blog/${slug}`);
  const contents = page.getByRole("navigation", { name: "Contents" });
  const links = contents.getByRole("link");
  await expect(links).toHaveText(["Dusk", "Night", "Dawn"]);
  expect((await contents.boundingBox())!.x).toBeGreaterThan(940);
  await expect(contents.locator("summary")).toBeHidden();
  const progress = () =>
    page.locator(".prose").evaluate((text) => new DOMMatrix(getComputedStyle(text, "::before").transform).a);
  expect(await progress()).toBeLessThan(0.05);
  await page
    .getByRole("heading", { name: "Night", exact: true })
    .evaluate((element) => element.scrollIntoView());
  await expect(contents.locator("[aria-current]")).toHaveText("Night");
  await expect(links.first()).toBeInViewport();
  expect(await progress()).toBeGreaterThan(0.2);

  await ana.api.blogs.update.mutate({
    ...blog,
    etag: 1,
    document: withHeadings("Dusk", "Night", "The small hours", "Dawn"),
  });
  await expect(links).toHaveText(["Dusk", "Night", "The small hours", "Dawn"]);
  await links.nth(2).click();
  await expect(page.getByRole("heading", { name: "The small hours" })).toBeInViewport();
  await expect(contents.locator("[aria-current]")).toHaveText("The small hours");

  await page.setViewportSize({ width: 390, height: 800 });
  await page.evaluate(() => scrollTo(0, 0));
  await expect(links.first()).toBeHidden();
  await contents.getByText("Contents").click();
  await links.nth(3).click();
  await expect(page.getByRole("heading", { name: "Dawn" })).toBeInViewport();
});

test("the first comment is written without a pointer: its button moves the focus to the field", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Nobody has answered" }));
  const page = await open(ben);
  await visit(page, `/blog/${blog.slug}`);
  await page.getByRole("button", { name: "Add a comment" }).press("Enter");
  await expect(page.locator(".comment-form textarea")).toBeFocused();
  // Outside a field these would be shortcuts.
  await page.keyboard.type("Is it so?");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("article", { name: "Comment by Ben Oke" })).toContainText("Is it so?");
});
