import { aBlog, paragraphs } from "../support/writing.ts";
import { refuse, relent } from "./refusing.ts";
import { expect, forgive, password, test, ready, visit } from "./site.ts";

test("what is typed is searched for, marked, and stands in the address; going back leads to what was entered", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog({ title: "Chess in the park", tags: ["chess"] }));
  await ana.api.blogs.create.mutate(
    aBlog({ title: "Bread", document: paragraphs("The starter is older than my chessboard.") }),
  );
  await ana.api.blogs.create.mutate(aBlog({ title: "Chess for nobody", draft: true }));
  const page = await open();
  await page.goto("/home");
  // The key leads to the field from anywhere.
  await page.locator("body").press("/");
  const box = page.getByRole("textbox", { name: "Search" });
  await expect(box).toBeFocused();

  await box.pressSequentially("ches");
  await expect(page).toHaveURL("/search?q=ches");
  await expect(page.getByRole("heading", { name: "2 blogs for “ches”" })).toBeVisible();
  await expect(page.getByRole("article").first().locator("mark").first()).toHaveText("Ches");
  await expect(page.getByRole("article").nth(1)).toContainText("older than my chessboard");
  await expect(box).toBeFocused();

  await box.press("Enter");
  await box.fill("bread");
  await expect(page).toHaveURL("/search?q=bread");
  await page.goBack();
  await expect(page).toHaveURL("/search?q=ches");
  await expect(box).toHaveValue("ches");
  await page.goBack();
  await expect(page).toHaveURL("/home");
});

test("three a page; pages and tabs keep the words, with and without a script @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  for (const number of [1, 2, 3, 4]) await ana.api.blogs.create.mutate(aBlog({ title: `Walk ${number}` }));
  await site.resident("Walker Smith");
  const plain = await open(undefined, { javaScriptEnabled: false });
  // Chromium counts the scripts that it does not fetch as failures.
  forgive(plain);
  for (const page of [await open(), plain]) {
    await page.goto("/search");
    await page.getByRole("textbox", { name: "Search" }).fill("walk");
    await page.getByRole("textbox", { name: "Search" }).press("Enter");
    await expect(page.getByRole("heading", { name: "4 blogs for “walk”" })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(3);
    await page.getByRole("button", { name: "Next page" }).click();
    await expect(page).toHaveURL("/search?q=walk&page=2");
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Next page" })).toBeDisabled();
    await page.getByRole("link", { name: "People", exact: true }).click();
    await expect(page).toHaveURL("/search?q=walk&tab=people");
    await expect(page.getByRole("main").getByRole("link", { name: "Walker Smith" })).toBeVisible();
  }
});

test("somebody who was found can be followed, and stays followed @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  await site.resident("Ben Oke");
  const page = await open(ana);
  await page.goto("/search?q=ben&tab=people");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Following", exact: true })).toBeVisible();
});

test("a search that gets no answer says so in its place, keeps what was typed, and comes back with the network @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await page.goto("/search");
  forgive(page);
  await page.context().setOffline(true);
  const box = page.getByRole("textbox", { name: "Search" });
  await box.fill("owls");
  await expect(page.getByRole("alert")).toContainText("Failed to fetch data");
  await expect(box).toHaveValue("owls");
  await page.context().setOffline(false);
  await expect(page.getByRole("article")).toContainText("A walk at night");

  await refuse(page, "blogs.search");
  await box.fill("walk");
  await expect(page.getByRole("alert")).toContainText("Failed to fetch data");
  await relent(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("article")).toContainText("A walk at night");
  await expect(box).toHaveValue("walk");
});

test("a list that can't be turned says so and stays at the page that it shows @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  for (const title of ["One", "Two", "Three", "Four", "Five"])
    await ana.api.blogs.create.mutate(aBlog({ title }));
  const page = await open();
  await page.goto("/home");
  const titles = page.getByRole("article").getByRole("heading");
  const next = page.getByRole("button", { name: "Next page" });
  const first = ["Five", "Four", "Three", "Two"];
  await expect(titles).toHaveText(first);
  forgive(page);
  await page.context().setOffline(true);
  await next.click();
  await expect(page.getByText("Failed to fetch data")).toBeVisible();
  await expect(page).toHaveURL(/\/home$/);
  await expect(titles).toHaveText(first);
  await page.context().setOffline(false);
  await next.click();
  await expect(page).toHaveURL(/page=2/);
  await expect(titles).toHaveText(["One"]);
});

test("a member's home begins with what may be for them, each with its reason; a guest's does not", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = [
    await site.resident("Ana Torres"),
    await site.resident("Ben Oke"),
    await site.resident("Cleo Marsh"),
  ];
  await ana.api.blogs.create.mutate(aBlog({ title: "Openings", tags: ["chess"] }));
  await ben.api.blogs.create.mutate(aBlog({ title: "From Ben" }));
  const page = await open(cleo);
  await page.goto("/home");
  const picks = page.getByRole("region", { name: "Recommended Blogs for you" });
  await expect(picks.getByRole("link", { name: "Choose your interests" })).toBeVisible();
  await expect(picks.getByText("New", { exact: true })).toHaveCount(2);

  await cleo.api.users.updateSettings.mutate({ interests: ["chess"] });
  await cleo.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await page.reload();
  await expect(picks.getByRole("article").filter({ hasText: "Openings" })).toContainText(
    "Because you like chess",
  );
  await expect(picks.getByRole("article").filter({ hasText: "From Ben" })).toContainText(
    "You follow Ben Oke",
  );
  await expect(picks.getByRole("link", { name: "Choose your interests" })).toHaveCount(0);

  const guests = await open();
  await guests.goto("/home");
  await expect(guests.getByRole("region", { name: "Recommended Blogs for you" })).toHaveCount(0);
});

test("where blogs of the page go, those behind them follow; nothing is said to be missing that is there @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const blogs = [];
  for (const title of ["One", "Two", "Three", "Four", "Five", "Six"])
    blogs.push(await ana.api.blogs.create.mutate(aBlog({ title })));
  const page = await open();
  await page.goto("/home");
  const titles = page.getByRole("region", { name: "Blogs", exact: true }).getByRole("heading", { level: 3 });
  await expect(titles).toHaveText(["Six", "Five", "Four", "Three"]);
  await ana.api.blogs.remove.mutate({ id: blogs[4]!.id });
  await expect(titles).toHaveText(["Six", "Four", "Three", "Two"]);
  for (const index of [5, 3, 2, 1]) await ana.api.blogs.remove.mutate({ id: blogs[index]!.id });
  await expect(titles).toHaveText(["One"]);
  await expect(page.getByRole("link", { name: /next/i })).toHaveCount(0);

  await ana.api.blogs.remove.mutate({ id: blogs[0]!.id });
  await expect(page.getByText("Nothing has been published yet")).toBeVisible();
  await ana.api.blogs.create.mutate(aBlog({ title: "Seven" }));
  await expect(titles).toHaveText(["Seven"]);
  await expect(page.getByText("Nothing has been published yet")).toHaveCount(0);
});

test("pages of the feed hear of what is on the others: where it goes, and where it is liked more @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const blogs = [];
  for (const title of ["One", "Two", "Three", "Four", "Five"])
    blogs.push(await ana.api.blogs.create.mutate(aBlog({ title })));
  const [first, second, liked] = [await open(), await open(), await open(ana)];
  for (const page of [first, second]) forgive(page);
  const titles = (page: typeof first) =>
    page.getByRole("region", { name: "Blogs", exact: true }).getByRole("heading", { level: 3 });
  await first.goto("/home");
  await second.goto("/home?page=2");
  await liked.goto("/home?sort=likes");
  await expect(titles(second)).toHaveText(["One"]);
  await expect(titles(liked)).toHaveText(["Five", "Four", "Three", "Two"]);
  await ana.api.social.likeBlog.mutate({ blogId: blogs[0]!.id, liked: true });
  await expect(titles(liked)).toHaveText(["One", "Five", "Four", "Three"]);
  await ana.api.blogs.remove.mutate({ id: blogs[3]!.id });
  await expect(second.getByText("There is no such page")).toBeVisible();
  await expect(titles(first)).toHaveText(["Five", "Three", "Two", "One"]);
  await ana.api.blogs.create.mutate(aBlog({ title: "Six" }));
  await first.getByRole("button", { name: "1 new blog" }).click();
  await expect(first.getByRole("button", { name: "Next page" })).toBeVisible();
  await ana.api.blogs.remove.mutate({ id: blogs[0]!.id });
  await expect(first.getByRole("button", { name: "Next page" })).toHaveCount(0);
});

test("what is gone leaves what is recommended, and what one may still read stays @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const follower = await site.resident("Cleo Marsh");
  await follower.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "For a while" }));
  const kept = await ana.api.blogs.create.mutate(aBlog({ title: "For longer" }));
  const [his, hers] = [await open(ben), await open(follower)];
  const pick = (page: typeof his, name: string) =>
    page.getByRole("region", { name: "Recommended Blogs for you" }).getByRole("link", { name });
  for (const page of [his, hers]) {
    // A browser says so where what is gone is asked for.
    forgive(page);
    await page.goto("/home");
    await expect(pick(page, "For a while")).toBeVisible();
  }
  await ana.api.blogs.update.mutate({ id, private: true });
  await expect(pick(his, "For a while")).toHaveCount(0);
  await ana.api.blogs.remove.mutate({ id: kept.id });
  await expect(pick(hers, "For longer")).toHaveCount(0);
  await expect(pick(hers, "For a while")).toBeVisible();
  await expect(pick(his, "For longer")).toHaveCount(0);

  await ana.api.blogs.update.mutate({ id, private: false });
  await his.reload();
  await expect(pick(his, "For a while")).toBeVisible();
  await ana.api.users.updateSettings.mutate({ private: true });
  await expect(pick(his, "For a while")).toHaveCount(0);
  await expect(pick(hers, "For a while")).toBeVisible();
});

test("what a profile and a search show goes when its account goes private, or goes @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "A walk at dusk" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "A walk at dawn" }));
  const [profile, found, people] = [await open(), await open(), await open()];
  for (const page of [profile, found, people]) forgive(page);
  await profile.goto(`/${ana.me.username}`);
  await people.goto(`/followers/${ana.me.username}`);
  await found.goto("/search?q=walk");
  for (const page of [profile, found])
    await expect(page.getByRole("link", { name: "A walk at dusk" }).first()).toBeVisible();
  await ana.api.blogs.remove.mutate({ id });
  for (const page of [profile, found]) {
    await expect(page.getByRole("link", { name: "A walk at dusk" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "A walk at dawn" }).first()).toBeVisible();
  }
  await ana.api.users.updateSettings.mutate({ private: true });
  for (const page of [profile, found])
    await expect(page.getByRole("link", { name: "A walk at dawn" })).toHaveCount(0);
  await ana.api.users.updateSettings.mutate({ private: false });
  for (const page of [profile, found])
    await expect(page.getByRole("link", { name: "A walk at dawn" }).first()).toBeVisible();

  await ana.api.users.remove.mutate({ password });
  for (const page of [profile, found]) await expect(page.getByText("A walk at dawn")).toHaveCount(0);
  await expect(profile.getByText("Ana Torres")).toHaveCount(0);
  for (const page of [profile, people])
    await expect(page.getByRole("heading", { level: 1 })).toContainText(/nothing here/i);
});

test("an open search finds what is edited into its words, and whoever takes them for a name @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "Rain, mostly" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "Quokkas at night" }));
  const [blogs, people] = [await open(), await open(ben)];
  await blogs.goto("/search?q=quokkas");
  await people.goto("/search?q=quokkas&tab=people");
  await expect(blogs.getByRole("heading", { name: "1 blog for" })).toBeVisible();
  await expect(people.getByRole("heading", { name: "Nobody for" })).toBeVisible();
  await ana.api.blogs.update.mutate({ id, tags: ["quokkas"] });
  await ana.api.users.updateProfile.mutate({ bio: "Quokkas, and little else." });
  await expect(blogs.getByRole("heading", { name: "2 blogs for" })).toBeVisible();
  await expect(blogs.getByRole("link", { name: "Rain, mostly" })).toBeVisible();
  await expect(people.getByRole("heading", { name: "1 person for" })).toBeVisible();
  await expect(people.getByRole("link", { name: "Blogs", exact: true })).toContainText("2");
  await ana.api.blogs.update.mutate({ id, tags: [] });
  await expect(blogs.getByRole("heading", { name: "1 blog for" })).toBeVisible();
});

test("the page about the API shows every call, with an address of its own @more", async ({ site, open }) => {
  const page = await open();
  await page.goto("/docs");
  await page.getByRole("link", { name: "All calls of the API" }).click();
  const document = (await (await fetch(`${site.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const count = Object.values(document.paths).reduce((sum, calls) => sum + Object.keys(calls).length, 0);
  await expect(page.locator(".call-line")).toHaveCount(count);
  await page.goto("/docs/api#get-blogs-blogId");
  await expect(page.getByRole("heading", { name: "A blog with its content and comments" })).toBeInViewport();
  // What an address names is unfolded, the rest when it is asked for.
  const answer = (call: string) => page.locator(`#${call}`).getByText("Answer", { exact: true });
  await expect(answer("get-blogs-blogId")).toBeVisible();
  await expect(answer("post-signin")).toBeHidden();
  await page
    .getByRole("navigation", { name: "On this page" })
    .getByRole("link", { name: "POST /signin" })
    .click();
  await expect(answer("post-signin")).toBeVisible();
});

test("without a network the page stays: what can't be had says so, and comes once there is one @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(undefined, { viewport: { width: 390, height: 844 } });
  await page.goto("/home");
  forgive(page);
  await page.context().setOffline(true);
  // None of their code has been loaded yet: the menu's, the message's, the blog's page.
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByText("That could not be loaded. Please try again.")).toBeVisible();
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect(page.getByText("You are offline.")).toBeVisible();
  await expect(page).toHaveURL(`/blog/${slug}`);

  await page.context().setOffline(false);
  await expect(page.getByRole("article").getByText("Owls, mostly.")).toBeVisible();
  // What comes after the page has one, too, which may be on its way.
  const sheets = () =>
    page.evaluate(
      () =>
        window.document.styleSheets.length ===
        window.document.querySelectorAll("link[rel=stylesheet]").length,
    );
  await expect.poll(sheets, "every style sheet is there").toBe(true);
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a page that was opened before an update says so where it needs what the update took away", async ({
  open,
}) => {
  const page = await open(undefined, { viewport: { width: 390, height: 844 } });
  await visit(page, "/home");
  forgive(page);
  const gone = "**/assets/menu-sheet-*.js";
  await page.route(gone, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByText("The site was updated since you opened this page.")).toBeVisible();
  await page.unroute(gone);
  await page.getByRole("button", { name: "Reload" }).click();
  await ready(page);
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});
