import type { Page } from "@playwright/test";
import { aBlog } from "../support/sample-content.ts";
import { expect, allowErrors, password, sharedTest as test, visit } from "./test-site.ts";

test("updates one's own lists when another tab follows, likes or saves", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { id } = await ben.api.blogs.create.mutate(aBlog({ title: "Bats in the belfry" }));
  const page = await open(ana);
  const profile = `/${ana.me.username}`;
  const listPages = await Promise.all(["liked-blogs", "saved-blogs"].map(() => page.context().newPage()));
  const following = await page.context().newPage();
  await Promise.all([
    visit(page, profile),
    visit(listPages[0]!, `${profile}/liked-blogs`),
    visit(listPages[1]!, `${profile}/saved-blogs`),
    visit(following, `/following${profile}`),
  ]);
  await ana.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await ana.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await ana.api.social.saveBlog.mutate({ blogId: id, saved: true });
  const counts = page.getByRole("main").getByText(/^1\s*following$/i);
  await expect(counts.first()).toBeVisible();
  for (const list of listPages) await expect(list.getByText("Bats in the belfry")).toBeVisible();
  const row = following.getByRole("main").getByRole("listitem").filter({ hasText: "Ben Oke" });
  await expect(row).toBeVisible();

  for (const name of ["Following", "Follow"]) {
    // The second click waits for the first response.
    const response = following.waitForResponse(/social\.follow/);
    await row.getByRole("button", { name, exact: true }).click();
    await response;
  }
  await expect(row.getByRole("button", { name: "Following" })).toBeVisible();
  // The browser logs the 404.
  const benPage = listPages[0]!;
  allowErrors(benPage);
  await visit(benPage, `/${ben.me.username}`);
  await ben.api.users.remove.mutate({ password });
  await expect(benPage.getByRole("heading", { level: 1 })).toContainText(/page not found/i);
  await expect(row).toHaveCount(0);
  await expect(following.getByRole("link", { name: /^Following 0/ })).toBeVisible();
});

test("keeps the unsent comment of each tab, and shows those of closed tabs in a new one", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const first = await open(ana);
  const box = (page: Page) => page.getByRole("textbox", { name: "Add your comment" });
  const send = (page: Page) => page.getByRole("button", { name: "Add Comment" }).click();
  const show = (page: Page) => page.goto(`/blog/${slug}?comments`);
  await show(first);
  await box(first).fill("Written here");
  const isStored = () => Object.keys(localStorage).some((key) => key.startsWith("reprise:draft:"));
  await expect.poll(() => first.evaluate(isStored)).toBe(true);
  const another = await first.context().newPage();
  await show(another);
  await expect(box(another)).toHaveValue("Written here");
  await box(another).fill("Written there");
  await send(another);
  await first.reload();
  await expect(box(first)).toHaveValue("Written here");
  await box(another).fill("Written later");
  await first.close();
  await another.reload();
  await expect(box(another)).toHaveValue("Written later");
  await send(another);
  const next = await another.context().newPage();
  await show(next);
  await expect(box(next)).toHaveValue("Written here");
  await send(next);
  await expect(box(next)).toHaveValue("");
  await next.reload();
  await expect(box(next)).toHaveValue("");
});

test("updates names and usernames on open pages, one's own and others' @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const profile = await open(ana);
  const [ownPage, people, notifications] = [
    await profile.context().newPage(),
    await profile.context().newPage(),
    await profile.context().newPage(),
  ];
  await Promise.all([
    visit(profile, `/${ben.me.username}`),
    visit(ownPage, `/${ana.me.username}/saved-blogs`),
    visit(people, `/followers/${ana.me.username}`),
    visit(notifications, "/notifications"),
  ]);
  await expect(notifications.getByText("Ben Oke").first()).toBeVisible();
  const [anaUsername, benUsername] = [`${ana.me.username}-anew`, `${ben.me.username}-the-owl`];
  await ben.api.users.updateProfile.mutate({ name: "Ben the Owl", username: benUsername });
  for (const page of [profile, people, notifications])
    await expect(page.getByRole("main").getByText("Ben the Owl").first()).toBeVisible();
  await expect(profile).toHaveURL(`/${benUsername}`);
  await expect(profile).toHaveTitle(/^Ben the Owl/);
  await ana.api.users.updateProfile.mutate({ username: anaUsername });
  await expect(ownPage).toHaveURL(`/${anaUsername}/saved-blogs`);
  await expect(people).toHaveURL(`/followers/${anaUsername}`);
  for (const page of [ownPage, people]) await expect(page.getByText(`@${anaUsername}`)).toBeVisible();
});
