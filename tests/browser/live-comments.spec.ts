import { TcpLink } from "../support/tcp-link.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, allowErrors, sharedTest as test, test as alone, visit } from "./test-site.ts";

test("shows a comment and a reply at once in the other's window, both ways, aged by the server's clock, and not on another blog", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const otherBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Another one" }));
  const [anaPage, benPage, guestPage] = [await open(ana), await open(ben), await open()];
  // Ben's clock is wrong, which ages nothing.
  await benPage.addInitScript(() => {
    const deviceTime = Date.now;
    Date.now = () => deviceTime() + 5 * 3_600_000;
  });
  await Promise.all([
    anaPage.goto(`/blog/${slug}`),
    benPage.goto(`/blog/${slug}`),
    guestPage.goto(`/blog/${otherBlog.slug}`),
  ]);
  for (const page of [anaPage, benPage])
    await page
      .getByRole("button", { name: /^Comments/ })
      .first()
      .click();

  await anaPage.getByRole("textbox", { name: "Add your comment" }).fill("Who else is awake?");
  await anaPage.getByRole("button", { name: "Add Comment" }).click();
  await expect(benPage.getByText("Who else is awake?")).toBeVisible();

  await benPage
    .getByRole("article")
    .filter({ hasText: "Who else is awake?" })
    .getByRole("button", { name: "Reply", exact: true })
    .first()
    .click();
  await benPage.getByRole("textbox", { name: "Reply" }).fill("The owls are.");
  await benPage.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(anaPage.getByText("The owls are.")).toBeVisible();
  await expect(benPage.locator(".comments time")).toHaveText(["just now", "just now"]);

  await expect(anaPage.getByRole("button", { name: /^Comments/ }).first()).toContainText("2");
  await expect(guestPage.getByText("Who else is awake?")).toHaveCount(0);
});

test("hydrates a page without a mismatch while comments arrive", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const postComment = (text: string) => ben.api.comments.create.mutate(aComment(blog, { text }));
  for (let index = 0; index < 40; index++)
    await postComment(`Before ${index}. ${"Owls. ".repeat(index * 5)}`);
  const page = await open();
  // As slow as a phone.
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  let isOver = false;
  const posting = (async () => {
    for (let index = 0; !isOver; index++) await postComment(`Meanwhile ${index}`);
  })();
  // A hydration mismatch is logged, which fails the test.
  for (let time = 0; time < 6; time++) {
    await page.goto(`/blog/${blog.slug}?comments=open`);
    // In one step: among so many comments a located one would be gone before the next call.
    await page.waitForFunction(() => !window.early);
  }
  isOver = true;
  await posting;
});

alone(
  "shows what happened while the server was down once it is back, without a reload",
  async ({ site, open }) => {
    const ana = await site.createAccount("Ana Torres");
    const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
    const page = await open();
    await page.goto(`/blog/${slug}`);
    await page
      .getByRole("button", { name: /^Comments/ })
      .first()
      .click();
    const before = aComment({ id }, { text: "Before the night" });
    await ana.api.comments.create.mutate(before);
    // Not in the preview at the end of the article, which shows before the comments' code has loaded: if the server stopped
    // then, the comments would close again.
    const comments = page.getByRole("region", { name: /^Comments/ });
    await expect(comments.getByText("Before the night")).toBeVisible();

    allowErrors(page);
    await site.kill("SIGKILL");
    await site.start();
    // New threads may wait behind a button; a reply is shown at once.
    await ana.api.comments.create.mutate(aComment({ id }, { text: "After the night", parentId: before.id }));
    await expect(comments.getByText("After the night")).toBeVisible();
    await expect(comments.getByText("Before the night")).toHaveCount(1);
  },
);

test("removes a blog that became private from open pages, and shows it again once public", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await page.goto(`/blog/${slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  // The stream must run before access ends.
  const like = page.getByRole("button", { name: /^Like/ }).first();
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await expect(like).toContainText("1");
  // The end of the article has been fetched.
  await expect(page.getByRole("region", { name: "Author" })).toBeVisible();
  await ana.api.blogs.update.mutate({ id, private: true });
  await expect(page.getByText("Owls, mostly.")).toHaveCount(0);
  await expect(page.getByText("no longer available")).toBeVisible();
  await expect(page).toHaveTitle(/^Not found/);

  // The browser logs the 404.
  allowErrors(page);
  await ana.api.blogs.update.mutate({ id, private: false, title: "A walk by day" });
  await expect(page.getByRole("heading", { name: "A walk by day" })).toBeVisible();
  await expect(page.getByText("no longer available")).toHaveCount(0);
  await expect(page).toHaveTitle(/^A walk by day/);
  await expect(like).toContainText("1");
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: false });
  await expect(like).not.toContainText("1");
});

test("shows a blog that is back, although every connection of the page had died without being closed", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await using link = await TcpLink.to(site.url);
  const page = await open();
  await page.goto(`${link.url}/blog/${slug}`);
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await expect(page.getByRole("button", { name: /^Like/ }).first()).toContainText("1");
  link.swallow();
  allowErrors(page);
  await ana.api.blogs.update.mutate({ id, draft: true });
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(page.getByText("no longer available")).toBeVisible();
  const failed: string[] = [];
  page.on("requestfailed", (request) => failed.push(new URL(request.url()).pathname));
  await ana.api.blogs.update.mutate({ id, draft: false });
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  // Only these were sent over dead connections, where any other would have waited ten seconds.
  expect(new Set(failed)).toEqual(new Set(["/healthz"]));
});

test("replaces “Page not found” by the blog once it is public, and follows its new address @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = await open();
  // The browser logs the 404.
  allowErrors(page);
  await page.goto(`/blog/${slug}`);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await ana.api.blogs.update.mutate({ id, private: false });
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await expect(page).toHaveTitle(/^A walk at night/);
  await ana.api.blogs.update.mutate({ id, slug: "a-walk-elsewhere" });
  await expect(page).toHaveURL("/blog/a-walk-elsewhere");
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await expect(page.getByRole("button", { name: /^Like/ }).first()).toContainText("1");
});

test("leads from a notification to a comment that waits behind the button @more", async ({ site, open }) => {
  const [ana, eve] = await site.createAccounts("Ana Torres", "Eve Lund");
  const blog = aBlog();
  const { slug } = await ana.api.blogs.create.mutate(blog);
  for (let count = 0; count < 12; count++)
    await eve.api.comments.create.mutate(aComment(blog, { text: `Number ${count}` }));
  const page = await open(ana);
  await visit(page, `/blog/${slug}?comments=open`);
  await page.getByText("Number 0", { exact: true }).scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await eve.api.comments.create.mutate(aComment(blog, { text: "The newest of all" }));
  await expect(page.getByRole("button", { name: "1 new comment" })).toBeVisible();
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /The newest of all/ })
    .click();
  await expect(page.getByText("The newest of all")).toBeInViewport();
});
