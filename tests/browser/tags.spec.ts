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
  const [ana, eve] = await site.createAccounts("Ana Torres", "Eve Park");
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

test("shows blogs with followed tags live in an open Following list, as tags, blogs and follows change", async ({
  site,
  open,
}) => {
  const [ana, eve] = await site.createAccounts("Ana Torres", "Eve Park");
  const publish = (title: string, tags: string[]) => ana.api.blogs.create.mutate(aBlog({ title, tags }));
  const followTags = (...interests: string[]) => eve.api.users.updateSettings.mutate({ interests });
  const owls = await publish("Owls", ["dusk"]);
  const page = await open(eve);
  await page.goto("/home?sort=following");
  const feed = page.getByRole("region", { name: "Blogs", exact: true });
  const titles = feed.getByRole("article").getByRole("heading");
  await expect(feed.getByText("Follow people and tags to read them here")).toBeVisible();

  await followTags("dusk");
  await expect(titles).toHaveText(["Owls"]);
  const crickets = await publish("Crickets", ["noon"]);
  const moths = await publish("Moths", ["dusk"]);
  await expect(titles).toHaveText(["Moths", "Owls"]);
  await ana.api.blogs.update.mutate({ id: crickets.id, tags: ["noon", "dusk"] });
  await expect(titles).toHaveText(["Moths", "Crickets", "Owls"]);
  await ana.api.blogs.update.mutate({ id: moths.id, tags: ["noon"] });
  await expect(titles).toHaveText(["Crickets", "Owls"]);
  await ana.api.blogs.update.mutate({ id: crickets.id, private: true });
  await expect(titles).toHaveText(["Owls"]);
  await ana.api.blogs.update.mutate({ id: crickets.id, private: false });
  await expect(titles).toHaveText(["Crickets", "Owls"]);

  // More than a page.
  for (const title of ["Bats", "Foxes", "Toads"]) await publish(title, ["dusk"]);
  const nextPage = feed.getByRole("button", { name: "Next page" });
  await expect(titles).toHaveText(["Toads", "Foxes", "Bats", "Crickets"]);
  await expect(nextPage).toBeEnabled();
  await ana.api.blogs.remove.mutate({ id: crickets.id });
  await expect(titles).toHaveText(["Toads", "Foxes", "Bats", "Owls"]);
  await publish("Hedgehogs", ["noon", "dusk"]);
  await expect(titles).toHaveText(["Hedgehogs", "Toads", "Foxes", "Bats"]);
  await followTags("noon");
  await expect(titles).toHaveText(["Hedgehogs", "Moths"]);
  await ana.api.blogs.update.mutate({ id: owls.id, tags: ["noon"] });
  await expect(titles).toHaveText(["Hedgehogs", "Moths", "Owls"]);
  await page.reload();
  await expect(titles).toHaveText(["Hedgehogs", "Moths", "Owls"]);
  await followTags();
  await expect(feed.getByText("Follow people and tags to read them here")).toBeVisible();
});
