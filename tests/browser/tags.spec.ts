import { aBlog } from "../support/sample-content.ts";
import { expect, allowErrors, sharedTest as test } from "./test-site.ts";

test("adds blogs to a tag's open list and removes them as they change", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const first = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", tags: ["flight"] }));
  const page = await open();
  await page.goto("/tag/flight");
  await expect(page.getByRole("heading", { name: "#flight" })).toBeVisible();
  const count = page.getByRole("status").filter({ hasText: /^\d+ blogs?$/ });
  await expect(count).toHaveText("1 blog");
  await expect(page.getByRole("article")).toHaveCount(1);

  await ana.api.blogs.create.mutate(aBlog({ title: "Of another tag", tags: ["day"] }));
  const second = await ana.api.blogs.create.mutate(aBlog({ title: "Moths", tags: ["flight"] }));
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect(count).toHaveText("2 blogs");
  await expect(page.getByRole("article").first()).toContainText("Moths");

  await ana.api.blogs.update.mutate({ id: first.id, tags: ["day"] });
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(count).toHaveText("1 blog");
  await ana.api.blogs.update.mutate({ id: second.id, private: true });
  await expect(page.getByText("No blog has the tag flight yet")).toBeVisible();
  await expect(count).toHaveText("0 blogs");
  await ana.api.blogs.update.mutate({ id: second.id, private: false });
  await expect(page.getByRole("article")).toContainText(["Moths"]);
});

test("follows a tag from an article, in all windows at once @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const eve = await site.createAccount("Eve Park");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", tags: ["c++"] }));
  const page = await open(eve);
  const otherPage = await page.context().newPage();
  await otherPage.goto("/settings");
  await page.goto(`/blog/${slug}`);
  await page.getByRole("list", { name: "Tags" }).getByRole("link", { name: "c++" }).click();
  await expect(page).toHaveURL("/tag/c%2B%2B");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await expect(otherPage.getByRole("list", { name: "Your interests" })).toContainText("c++");
  await otherPage.goto("/tag/c%2B%2B");
  await expect(otherPage.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Following", exact: true }).click();
  await expect(otherPage.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(otherPage.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await expect.poll(async () => (await eve.api.users.me.query())?.interests).toEqual(["c++"]);
});

test("keeps page and order of a tag in its address, without a script too, and asks a guest to sign in @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  for (const number of [1, 2, 3, 4, 5])
    await ana.api.blogs.create.mutate(aBlog({ title: `Walk ${number}`, tags: ["walks"] }));
  const plain = await open(undefined, { javaScriptEnabled: false });
  // Chromium logs the blocked scripts as failures.
  allowErrors(plain);
  const guestPage = await open();
  for (const page of [guestPage, plain]) {
    await page.goto("/tag/walks");
    await expect(page.getByRole("article")).toHaveCount(4);
    await page.getByRole("link", { name: "Most Liked" }).click();
    await expect(page).toHaveURL("/tag/walks?sort=likes");
    await page.getByRole("button", { name: "Next page" }).click();
    await expect(page).toHaveURL("/tag/walks?sort=likes&page=2");
    await expect(page.getByRole("article")).toHaveCount(1);
  }
  await guestPage.getByRole("button", { name: "Follow", exact: true }).click();
  await guestPage.getByRole("button", { name: "Sign In" }).click();
  await expect(guestPage).toHaveURL("/signin?next=%2Ftag%2Fwalks%3Fsort%3Dlikes%26page%3D2");
});
