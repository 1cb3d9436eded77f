import { aBlog, aComment } from "../support/writing.ts";
import { expect, forgive, sharedTest as test, test as alone, visit } from "./site.ts";

test("a comment and a reply appear in the other window at once, in both directions, and nowhere else", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "Another one" }));
  const [hers, his, elsewhere] = [await open(ana), await open(ben), await open()];
  await Promise.all([
    hers.goto(`/blog/${slug}`),
    his.goto(`/blog/${slug}`),
    elsewhere.goto(`/blog/${other.slug}`),
  ]);
  for (const page of [hers, his])
    await page
      .getByRole("button", { name: /^Comments/ })
      .first()
      .click();

  await hers.getByRole("textbox", { name: "Add your comment" }).fill("Who else is awake?");
  await hers.getByRole("button", { name: "Add Comment" }).click();
  await expect(his.getByText("Who else is awake?")).toBeVisible();

  await his
    .getByRole("article")
    .filter({ hasText: "Who else is awake?" })
    .getByRole("button", { name: "Reply", exact: true })
    .first()
    .click();
  await his.getByRole("textbox", { name: "Reply" }).fill("The owls are.");
  await his.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(hers.getByText("The owls are.")).toBeVisible();

  await expect(hers.getByRole("button", { name: /^Comments/ }).first()).toContainText("2");
  await expect(elsewhere.getByText("Who else is awake?")).toHaveCount(0);
});

test("comments that arrive while a page begins to live find it as it was drawn", async ({ site, open }) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const say = (text: string) => ben.api.comments.create.mutate(aComment(blog, { text }));
  for (let index = 0; index < 40; index++) await say(`Before ${index}. ${"Owls. ".repeat(index * 5)}`);
  const page = await open();
  // As a phone takes it over.
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  let isOver = false;
  const talk = (async () => {
    for (let index = 0; !isOver; index++) await say(`Meanwhile ${index}`);
  })();
  // What differs from what was drawn is said on the console, which no test forgives.
  for (let time = 0; time < 6; time++) {
    await page.goto(`/blog/${blog.slug}?comments=open`);
    // In one step: of so many comments one that is found is gone before it is asked.
    await page.waitForFunction(() => !window.early);
  }
  isOver = true;
  await talk;
});

alone(
  "what happened while the server was down is there when it is back, without a reload",
  async ({ site, open }) => {
    const ana = await site.resident("Ana Torres");
    const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
    const page = await open();
    await page.goto(`/blog/${slug}`);
    await page
      .getByRole("button", { name: /^Comments/ })
      .first()
      .click();
    const before = aComment({ id }, { text: "Before the night" });
    await ana.api.comments.create.mutate(before);
    // Not at the end of the article, where it stands before the code of the comments has come: a server that goes meanwhile has
    // them closed again, with a word and a way to open them.
    const talk = page.getByRole("region", { name: /^Comments/ });
    await expect(talk.getByText("Before the night")).toBeVisible();

    forgive(page);
    await site.kill("SIGKILL");
    await site.start();
    // Of what comes one after the other, threads may wait behind their button; a reply stands there at once.
    await ana.api.comments.create.mutate(aComment({ id }, { text: "After the night", parentId: before.id }));
    await expect(talk.getByText("After the night")).toBeVisible();
    await expect(talk.getByText("Before the night")).toHaveCount(1);
  },
);

test("a blog that its author makes private leaves the page of who may not read it, and comes back to it", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await page.goto(`/blog/${slug}`);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  // The stream must stand before the right goes, otherwise there is nothing to end.
  const like = page.getByRole("button", { name: /^Like/ }).first();
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await expect(like).toContainText("1");
  // What is asked for with the end has been answered.
  await expect(page.getByRole("region", { name: "Author" })).toBeVisible();
  await ana.api.blogs.update.mutate({ id, private: true });
  await expect(page.getByText("Owls, mostly.")).toHaveCount(0);
  await expect(page.getByText("no longer available")).toBeVisible();
  await expect(page).toHaveTitle(/^Not found/);

  // A browser says so where what is gone was asked for.
  forgive(page);
  await ana.api.blogs.update.mutate({ id, private: false, title: "A walk by day" });
  await expect(page.getByRole("heading", { name: "A walk by day" })).toBeVisible();
  await expect(page.getByText("no longer available")).toHaveCount(0);
  await expect(page).toHaveTitle(/^A walk by day/);
  await expect(like).toContainText("1");
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: false });
  await expect(like).not.toContainText("1");
});

test("a page of nothing becomes the blog once there is one to read, and goes with it to its new address @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = await open();
  // A browser says so where there is nothing.
  forgive(page);
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

test("a notification leads to a comment that waited to be shown @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const eve = await site.resident("Eve Lund");
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
