import type { Page, Route } from "@playwright/test";
import { paint, upload } from "../support/pictures.ts";
import { aBlog } from "../support/sample-content.ts";
import { openPublishSheet, openToolbar } from "./editor-helpers.ts";
import { expect, allowErrors, password, sharedTest as test, visit } from "./test-site.ts";

/** Holds back responses of a procedure until `release` is called; `requested` resolves at the first one. */
async function holdResponses(
  page: Page,
  procedure: string,
): Promise<{ requested: Promise<void>; release: () => void }> {
  let release = (): void => {};
  let markRequested = (): void => {};
  const requested = new Promise<void>((resolve) => (markRequested = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/trpc/*${procedure}*`, async (route: Route) => {
    const response = await route.fetch();
    markRequested();
    await released;
    await route.fulfill({ response }).catch(() => {});
  });
  return { requested, release };
}

const slugOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1)!;
const menu = (page: Page) => page.getByRole("button", { name: /^Menu of/ });
async function signOut(page: Page): Promise<void> {
  await menu(page).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL("/signin");
}

test("stays signed out when a pending setting arrives after sign-out, and clears the stored blog @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = await open(ana);
  const storedValue = (key: string) => page.evaluate((name) => localStorage.getItem(name), key);
  await visit(page, `/blog/${slug}`);
  await expect.poll(() => storedValue("selectedBlog")).not.toBeNull();
  await visit(page, "/settings");
  const settings = await holdResponses(page, "users.updateSettings");
  await page.getByRole("switch", { name: "Show liked blogs" }).click();
  await settings.requested;
  await signOut(page);
  const response = page.waitForResponse(/updateSettings/);
  settings.release();
  await response;
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page).toHaveURL("/home");
  await expect(menu(page)).toHaveCount(0);
  expect([await storedValue("user"), await storedValue("selectedBlog")]).toEqual([null, null]);
});

test("closes a dialog when the session ends, also for the next sign-in @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const page = await open(ana);
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Delete Account" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  allowErrors(page);
  await ana.api.users.signOut.mutate();
  await expect(page).toHaveURL(/\/signin/);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.getByRole("textbox", { name: "Email" }).fill(ana.email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  await menu(page).click();
  await expect(page.getByRole("menuitem", { name: "Log Out" })).toBeVisible();
});

test("clears a form when another account signs in in another tab", async ({ site, open }) => {
  const [ana, eve] = await site.createAccounts("Ana Torres", "Eve Lund");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Only Ana knows");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const [name = "", value = ""] = eve.cookie.split("=");
  await page.context().addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: "Lax" }]);
  const otherPage = await page.context().newPage();
  await otherPage.goto("/home");
  await expect(page.getByRole("button", { name: "Menu of Eve Lund" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("");
});

test("drops a pending like when its person signs out @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana);
  await visit(page, `/blog/${slug}`);
  // The console logs a query that is under way at the sign-out.
  allowErrors(page);
  const like = await holdResponses(page, "social.likeBlog");
  const likeButton = page.getByRole("button", { name: "Like" });
  await likeButton.click();
  await like.requested;
  await ana.api.users.signOut.mutate();
  await expect(menu(page)).toHaveCount(0);
  await expect(likeButton).toHaveAttribute("aria-pressed", "false");
  const response = page.waitForResponse(/likeBlog/);
  like.release();
  await response;
  await likeButton.click();
  await expect(page.getByText("Please sign in to like this blog")).toBeVisible();
  await expect(likeButton).toHaveAttribute("aria-pressed", "false");
});

test("follows a link with a malformed fragment @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const target = await ana.api.blogs.create.mutate(aBlog({ title: "The other one" }));
  const link = { type: "link", attrs: { href: `${site.url}/blog/${target.slug}#100%` } };
  const document = {
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "text", text: "Over there", marks: [link] }] }],
  };
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open();
  await visit(page, `/blog/${slug}`);
  // React Router logs that it cannot decode it.
  allowErrors(page);
  await page.getByRole("link", { name: "Over there" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The other one" })).toBeVisible();
});

test("hides the progress bar when a link within the page cancels a navigation @more", async ({ open }) => {
  const page = await open();
  await visit(page, "/docs");
  const list = await holdResponses(page, "blogs.list");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await list.requested;
  await expect(page.locator(".progress[data-pending]")).toHaveCount(1);
  await page.getByRole("link", { name: "Keys" }).click();
  await expect(page).toHaveURL("/docs#keys");
  await expect(page.locator(".progress[data-pending]")).toHaveCount(0);
  list.release();
});

test("closes a dialog when going back @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
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

test("includes text typed while a blog is being published", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Slow roads");
  await page.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.type("One line.");
  const publish = await holdResponses(page, "blogs.publish");
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await publish.requested;
  await page.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" And one more.");
  publish.release();
  await expect(page).toHaveURL(/\/blog\/slow-roads/);
  await expect(page.getByRole("article", { name: "Slow roads" })).toContainText("One line. And one more.");
});

test("includes a cover and a tag changed while a blog is being published @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  const choose = async (width: number) =>
    (await openPublishSheet(page))
      .getByLabel("Cover image")
      .setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: await paint(width, 400) });
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Fast rivers");
  await choose(600);
  await expect(page.getByRole("button", { name: "Remove cover" })).toBeVisible();
  const publish = await holdResponses(page, "blogs.publish");
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await publish.requested;
  const stored = page.waitForResponse(/\/upload$/);
  await choose(700);
  await page.getByRole("textbox", { name: "Tags" }).fill("water");
  await stored;
  publish.release();
  await expect(page).toHaveURL(/\/blog\/fast-rivers/);

  const saved = await ana.api.blogs.forEdit.query({ slug: slugOf(page) });
  expect(saved).toMatchObject({ tags: ["water"], cover: { width: 700 } });
});

test("leaves out a cover removed while a blog is being published @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Still ponds");
  // The upload never ends.
  await page.route("**/upload", () => {});
  await openPublishSheet(page);
  await page
    .getByLabel("Cover image")
    .setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: await paint(600, 400) });
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/blog\/still-ponds/);

  expect((await ana.api.blogs.forEdit.query({ slug: slugOf(page) })).cover).toBeNull();
});

test("publishes a blog once the pictures in its text are uploaded", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Quiet lakes");
  const released = Promise.withResolvers<void>();
  // Chromium loses the file of a delayed request, so the picture is uploaded from here.
  const picture = await upload(ana, await paint(600, 400));
  await page.route("**/upload", async (route) => {
    await released.promise;
    await route.fulfill({ status: 201, json: picture });
  });
  const tools = await openToolbar(page);
  const chooser = page.waitForEvent("filechooser");
  await tools.getByRole("button", { name: "Image", exact: true }).click();
  await (await chooser).setFiles({ name: "lake.png", mimeType: "image/png", buffer: await paint(600, 400) });
  await expect(page.getByRole("group", { name: "Uploading picture" })).toBeVisible();
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await expect(page.getByRole("button", { name: "Publishing…" })).toBeVisible();
  released.resolve();
  await expect(page).toHaveURL(/\/blog\/quiet-lakes/);
  await expect(page.getByRole("article", { name: "Quiet lakes" }).locator(".prose img")).toHaveCount(1);
});

test("stays on the page opened while a blog was being published @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Meanwhile");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const publish = await holdResponses(page, "blogs.publish");
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await publish.requested;
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

test("checks who is signed in when a page returns from the back-forward cache @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await visit(page, "/home");
  await page.context().clearCookies();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await expect(page.getByRole("link", { name: "Sign In" })).toBeVisible();
});
