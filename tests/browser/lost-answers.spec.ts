import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/writing.ts";
import { expect, forgive, logIn, sharedTest as test, ready, visit } from "./site.ts";

const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });

/** Lets the next answers of a procedure get lost; resolves once that many are. */
async function lose(page: Page, procedure: string, times: number): Promise<{ lost: Promise<void> }> {
  forgive(page);
  let tell = (): void => {};
  const lost = new Promise<void>((resolve) => (tell = resolve));
  let left = times;
  await page.route(`**/trpc/*${procedure}*`, async (route) => {
    if (left === 0) return route.continue();
    await route.abort("connectionreset");
    if (--left === 0) tell();
  });
  return { lost };
}

test("who signs in misses nothing from then on, also where the network goes away before anything was heard", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const [first, second] = [
    await ana.api.blogs.create.mutate(aBlog()),
    await ana.api.blogs.create.mutate(aBlog()),
  ];
  const page = await open();
  forgive(page);
  // A guest's page has a connection, which the sign-in makes another one.
  await visit(page, "/home");
  await page.getByRole("link", { name: "Sign In" }).first().click();
  await logIn(page, ana.email);
  await expect(page).toHaveURL("/home");
  await ready(page);
  await expect(bell(page)).toHaveAccessibleName("Notifications");
  await page.context().setOffline(true);
  await ben.api.social.likeBlog.mutate({ blogId: first.id, liked: true });
  await page.context().setOffline(false);
  await expect(bell(page)).toHaveAccessibleName(/1 new/);
  await ben.api.social.likeBlog.mutate({ blogId: second.id, liked: true });
  await expect(bell(page)).toHaveAccessibleName(/2 new/);
});

test("a change whose new text was lost on its way is shown as soon as it can be had @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const blog = aBlog();
  const { slug, id } = await ana.api.blogs.create.mutate(blog);
  const page = await open();
  await visit(page, `/blog/${slug}`);
  const { lost } = await lose(page, "blogs.bySlug", 2);
  // Too long to be sent to everybody: it is asked for.
  const long = paragraphs(...Array.from({ length: 1_000 }, (_, index) => `${index} ${"step ".repeat(20)}`));
  await ana.api.blogs.update.mutate({ ...blog, id, version: 1, title: "A walk at dawn", document: long });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A walk at dawn");
  await lost;
  await expect(page.getByText("999 step step")).toHaveCount(1);
});

test("a list whose new state was lost on its way comes without a hand @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await visit(page, "/my-blogs");
  const { lost } = await lose(page, "blogs.mine", 4);
  await ana.api.blogs.create.mutate(aBlog());
  await lost;
  await expect(page.getByRole("link", { name: "A walk at night" })).toBeVisible();
});

test("a tab that could not ask who is signed in becomes a guest's as soon as it can @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog({ title: "For nobody else", private: true }));
  const page = await open(ana);
  await visit(page, "/my-blogs");
  await expect(page.getByRole("link", { name: "For nobody else" })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto("/home");
  const { lost } = await lose(page, "users.me", 4);
  await other.getByRole("button", { name: /^Menu of/ }).click();
  await other.getByRole("menuitem", { name: "Log Out" }).click();
  await lost;
  await expect(page.getByRole("link", { name: "For nobody else" })).toHaveCount(0);
  await expect(page).toHaveURL(/\/signin/);
});
