import type { Page, Route } from "@playwright/test";
import { paint } from "../support/pictures.ts";
import { aBlog } from "../support/writing.ts";
import { details } from "./editor.ts";
import { expect, forgive, password, sharedTest as test, visit } from "./site.ts";

/** Holds back the answers of a procedure; the call that is answered lets them through. */
async function hold(page: Page, procedure: string): Promise<{ asked: Promise<void>; release: () => void }> {
  let release = (): void => {};
  let tell = (): void => {};
  const asked = new Promise<void>((resolve) => (tell = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/trpc/*${procedure}*`, async (route: Route) => {
    const response = await route.fetch();
    tell();
    await released;
    await route.fulfill({ response }).catch(() => {});
  });
  return { asked, release };
}

const slugOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1)!;
const menu = (page: Page) => page.getByRole("button", { name: /^Menu of/ });
async function signOut(page: Page): Promise<void> {
  await menu(page).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL("/signin");
}

test("whoever signs out while a setting is on its way stays signed out, and takes the blog that was read along @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = await open(ana);
  const kept = (key: string) => page.evaluate((name) => localStorage.getItem(name), key);
  await visit(page, `/blog/${slug}`);
  await expect.poll(() => kept("selectedBlog")).not.toBeNull();
  await visit(page, "/settings");
  const settings = await hold(page, "users.updateSettings");
  await page.getByRole("switch", { name: "Show liked blogs" }).click();
  await settings.asked;
  await signOut(page);
  const answered = page.waitForResponse(/updateSettings/);
  settings.release();
  await answered;
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page).toHaveURL("/home");
  await expect(menu(page)).toHaveCount(0);
  expect([await kept("user"), await kept("selectedBlog")]).toEqual([null, null]);
});

test("what one was asked before the session ended is not asked of who signs in next @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const page = await open(ana);
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Delete Account" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  forgive(page);
  await ana.api.users.signOut.mutate();
  await expect(page).toHaveURL(/\/signin/);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.getByRole("textbox", { name: "Email" }).fill(ana.email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  // Nothing stands before it.
  await menu(page).click();
  await expect(page.getByRole("menuitem", { name: "Log Out" })).toBeVisible();
});

test("a form does not pass from one account to the next", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const eve = await site.resident("Eve Lund");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Only Ana knows");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const [name = "", value = ""] = eve.cookie.split("=");
  await page.context().addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: "Lax" }]);
  const other = await page.context().newPage();
  await other.goto("/home");
  await expect(page.getByRole("button", { name: "Menu of Eve Lund" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("");
});

test("a like of somebody who signed out is not the guest's @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  await visit(page, `/blog/${slug}`);
  const like = await hold(page, "social.likeBlog");
  const heart = page.getByRole("button", { name: "Like" });
  await heart.click();
  await like.asked;
  await ana.api.users.signOut.mutate();
  await expect(menu(page)).toHaveCount(0);
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  const answered = page.waitForResponse(/likeBlog/);
  like.release();
  await answered;
  await heart.click();
  await expect(page.getByText("Please sign in to like this blog")).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
});

test("a link with a broken address behind its # leads where it can @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const to = await ana.api.blogs.create.mutate(aBlog({ title: "The other one" }));
  const link = { type: "link", attrs: { href: `${site.url}/blog/${to.slug}#100%` } };
  const document = {
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "text", text: "Over there", marks: [link] }] }],
  };
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open();
  await visit(page, `/blog/${slug}`);
  // React Router says on the console that it cannot decode it.
  forgive(page);
  await page.getByRole("link", { name: "Over there" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The other one" })).toBeVisible();
});

test("a navigation that is given up for a place in the page no longer shows as under way @more", async ({
  open,
}) => {
  const page = await open();
  await visit(page, "/docs");
  const list = await hold(page, "blogs.list");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await list.asked;
  await expect(page.locator(".progress[data-pending]")).toHaveCount(1);
  await page.getByRole("link", { name: "Keys" }).click();
  await expect(page).toHaveURL("/docs#keys");
  await expect(page.locator(".progress[data-pending]")).toHaveCount(0);
  list.release();
});

test("going back closes the question @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  await visit(page, "/docs");
  await visit(page, `/my-blogs`);
  await page.getByRole("link", { name: "A walk at night" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await page.getByRole("button", { name: "Delete Blog" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/my-blogs");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
});

test("what is typed while a blog is being saved is saved with it", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Slow roads");
  await page.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.type("One line.");
  const publish = await hold(page, "blogs.publishWriting");
  await details(page);
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await publish.asked;
  await page.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" And one more.");
  publish.release();
  await expect(page).toHaveURL(/\/blog\/slow-roads/);
  await expect(page.getByRole("article", { name: "Slow roads" })).toContainText("One line. And one more.");
});

test("a cover that is changed, and a tag that is typed, while a blog is being saved are saved with it @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  const choose = async (width: number) =>
    (await details(page))
      .getByLabel("Cover image")
      .setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: await paint(width, 400) });
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Fast rivers");
  await choose(600);
  await expect(page.getByRole("button", { name: "Remove cover" })).toBeVisible();
  const publish = await hold(page, "blogs.publishWriting");
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await publish.asked;
  const stored = page.waitForResponse(/\/upload$/);
  await choose(700);
  await page.getByRole("textbox", { name: "Tags" }).fill("water");
  await stored;
  publish.release();
  await expect(page).toHaveURL(/\/blog\/fast-rivers/);

  const saved = await ana.api.blogs.forEdit.query({ slug: slugOf(page) });
  expect(saved).toMatchObject({ tags: ["water"], cover: { width: 700 } });
});

test("a cover that is taken away while a blog is being saved is not saved with it @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Still ponds");
  // It never arrives.
  await page.route("**/upload", () => {});
  await details(page);
  await page
    .getByLabel("Cover image")
    .setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: await paint(600, 400) });
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/blog\/still-ponds/);

  expect((await ana.api.blogs.forEdit.query({ slug: slugOf(page) })).cover).toBeNull();
});

test("whoever has gone elsewhere while something was saved is not led away from there @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Meanwhile");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const publish = await hold(page, "blogs.publishWriting");
  await details(page);
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await publish.asked;
  await page.getByRole("link", { name: "Explore", exact: true }).click();
  await expect(page).toHaveURL("/search");
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  publish.release();
  await expect(page.getByText("Published! Everyone can read your blog.")).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page).toHaveURL("/home");
  expect(fetched.filter((url) => url.includes("blogs.bySlug"))).toEqual([]);
});

test("a page that the browser kept asks who is signed in when it comes back @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await visit(page, "/home");
  await page.context().clearCookies();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await expect(page.getByRole("link", { name: "Sign In" })).toBeVisible();
});
