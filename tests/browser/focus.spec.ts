import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

test("focuses the comment in the address, again after an edit, and a reply once it is sent", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = aBlog();
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const comment = await ana.api.comments.create.mutate(aComment(blog, { text: "Mine." }));
  const page = await open(ana);
  await visit(page, `/blog/${slug}#comment-${comment.id}`);
  const row = page.locator(`#comment-${comment.id}`);
  await expect(row).toBeFocused();
  await row.getByRole("button", { name: "Edit" }).click();
  await page.keyboard.press("Escape");
  await expect(row).toBeFocused();
  await row.getByRole("button", { name: "Reply" }).click();
  await page.keyboard.type("An answer.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".comment", { hasText: "An answer." })).toBeFocused();
});

test("opens one of the first comments in the thread without scrolling to the top", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = aBlog({
    document: paragraphs(...Array.from({ length: 40 }, () => "Owls, mostly. ".repeat(30))),
  });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const comment = await ana.api.comments.create.mutate(aComment(blog, { text: "Mine." }));
  const page = await open(ana);
  await visit(page, `/blog/${slug}`);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const first = page.getByRole("region", { name: "First comments" });
  await expect(first).toContainText("Mine.");
  await page.evaluate(() => {
    const { dataset } = document.body;
    addEventListener("scroll", () => {
      dataset.highest = String(Math.min(Number(dataset.highest ?? Infinity), scrollY));
    });
  });
  await first.locator(`a[href$="#comment-${comment.id}"]`).click();
  await expect(page.locator(`#comment-${comment.id}`)).toBeFocused();
  expect(await page.evaluate(() => Number(document.body.dataset.highest ?? Infinity))).toBeGreaterThan(1_000);
});

test("keeps the focus in a list after an entry is deleted @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const [eve, bo] = await site.createAccounts("Eve Lund", "Bo Ek");
  await ana.api.blogs.create.mutate(aBlog({ title: "First" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "Second" }));
  for (const follower of [eve, bo])
    await follower.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const page = await open(ana);
  const answer = (name: string) => page.getByRole("alertdialog").getByRole("button", { name }).click();
  await visit(page, "/my-blogs");
  await page.getByRole("button", { name: "More about “Second”" }).click();
  await page.getByRole("menuitem", { name: "Delete Blog" }).click();
  await answer("Delete");
  await expect(page.getByRole("button", { name: "More about “First”" })).toBeFocused();
  await visit(page, `/followers/${ana.me.username}`);
  await page.getByRole("button", { name: "Remove Eve Lund" }).click();
  await answer("Remove");
  await expect(page.getByRole("button", { name: "Remove Bo Ek" })).toBeFocused();
});

test("adds no history entry for a link to the current page, and one for another page @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "A way and back" }));
  const page = await open(ana);
  await visit(page, "/home");
  const entries = () => page.evaluate(() => history.length);
  const first = await entries();
  const home = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" });
  await home.click();
  await page.getByRole("link", { name: "A way and back" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/blog/${slug}$`));
  await expect(page.getByRole("heading", { level: 1, name: "A way and back" })).toBeFocused();
  expect(await entries()).toBe(first + 1);
  await page.goBack();
  await expect(page).toHaveURL(/\/home$/);
});
