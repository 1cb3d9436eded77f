import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { expect, allowErrors, logIn, sharedTest as test, waitUntilUsable, visit } from "./test-site.ts";

const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });

/** Aborts the next `times` requests of a procedure; `aborted` resolves at the last one. */
async function abortRequests(
  page: Page,
  procedure: string,
  times: number,
): Promise<{ aborted: Promise<void> }> {
  allowErrors(page);
  let markAborted = (): void => {};
  const aborted = new Promise<void>((resolve) => (markAborted = resolve));
  let remaining = times;
  await page.route(`**/trpc/*${procedure}*`, async (route) => {
    if (remaining === 0) return route.continue();
    await route.abort("connectionreset");
    if (--remaining === 0) markAborted();
  });
  return { aborted };
}

test("misses no notification after signing in, even when the network fails at once", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const [first, second] = [
    await ana.api.blogs.create.mutate(aBlog()),
    await ana.api.blogs.create.mutate(aBlog()),
  ];
  const page = await open();
  allowErrors(page);
  // A guest's page is connected already; signing in replaces the connection.
  await visit(page, "/home");
  await page.getByRole("link", { name: "Sign In" }).first().click();
  await logIn(page, ana.email);
  await expect(page).toHaveURL("/home");
  await waitUntilUsable(page);
  await expect(bell(page)).toHaveAccessibleName("Notifications");
  await page.context().setOffline(true);
  await ben.api.social.likeBlog.mutate({ blogId: first.id, liked: true });
  await page.context().setOffline(false);
  await expect(bell(page)).toHaveAccessibleName(/1 new/);
  await ben.api.social.likeBlog.mutate({ blogId: second.id, liked: true });
  await expect(bell(page)).toHaveAccessibleName(/2 new/);
});

test("shows a changed text although its first fetches failed @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = aBlog();
  const { slug, id } = await ana.api.blogs.create.mutate(blog);
  const page = await open();
  await visit(page, `/blog/${slug}`);
  const { aborted } = await abortRequests(page, "blogs.bySlug", 2);
  // Too long for the event, so the page fetches it.
  const long = paragraphs(...Array.from({ length: 1_000 }, (_, index) => `${index} ${"step ".repeat(20)}`));
  await ana.api.blogs.update.mutate({ ...blog, id, etag: 1, title: "A walk at dawn", document: long });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A walk at dawn");
  await aborted;
  await expect(page.getByText("999 step step")).toHaveCount(1);
});

test("shows a changed list although its first fetches failed @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await visit(page, "/my-blogs");
  const { aborted } = await abortRequests(page, "blogs.mine", 4);
  await ana.api.blogs.create.mutate(aBlog());
  await aborted;
  await expect(page.getByRole("link", { name: "A walk at night" })).toBeVisible();
});

test("turns a tab into a guest's although its first check of the session failed @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog({ title: "For nobody else", private: true }));
  const page = await open(ana);
  await visit(page, "/my-blogs");
  await expect(page.getByRole("link", { name: "For nobody else" })).toBeVisible();
  const otherPage = await page.context().newPage();
  await otherPage.goto("/home");
  const { aborted } = await abortRequests(page, "users.me", 4);
  await otherPage.getByRole("button", { name: /^Menu of/ }).click();
  await otherPage.getByRole("menuitem", { name: "Log Out" }).click();
  await aborted;
  await expect(page.getByRole("link", { name: "For nobody else" })).toHaveCount(0);
  await expect(page).toHaveURL(/\/signin/);
});
