import { aBlog, paragraphs } from "../support/sample-content.ts";
import { failRequests, stopFailing } from "./failing-requests.ts";
import { expect, allowErrors, password, test, waitUntilUsable, visit } from "./test-site.ts";

test("searches while typing, marks matches and replaces the address; going back leads to what was entered", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog({ title: "Chess in the park", tags: ["chess"] }));
  await ana.api.blogs.create.mutate(
    aBlog({ title: "Bread", document: paragraphs("The starter is older than my chessboard.") }),
  );
  await ana.api.blogs.create.mutate(aBlog({ title: "Chess for nobody", draft: true }));
  const page = await open();
  await page.goto("/home");
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

test("pages search results by three and keeps the words across pages and tabs, with and without a script @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  for (const number of [1, 2, 3, 4]) await ana.api.blogs.create.mutate(aBlog({ title: `Walk ${number}` }));
  await site.createAccount("Walker Smith");
  const plain = await open(undefined, { javaScriptEnabled: false });
  // Chromium logs the blocked scripts as failures.
  allowErrors(plain);
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
    await page.getByRole("link", { name: /^People\b/ }).click();
    await expect(page).toHaveURL("/search?q=walk&tab=people");
    await expect(page.getByRole("main").getByRole("link", { name: "Walker Smith" })).toBeVisible();
  }
});

test("says when a search fails, keeps the typed words and shows results once online or on Retry @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await page.goto("/search");
  allowErrors(page);
  await page.context().setOffline(true);
  const box = page.getByRole("textbox", { name: "Search" });
  await box.fill("owls");
  await expect(page.getByRole("alert")).toContainText("Failed to fetch data");
  await expect(box).toHaveValue("owls");
  await page.context().setOffline(false);
  await expect(page.getByRole("article")).toContainText("A walk at night");

  await failRequests(page, "blogs.search");
  await box.fill("walk");
  await expect(page.getByRole("alert")).toContainText("Failed to fetch data");
  await stopFailing(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("article")).toContainText("A walk at night");
  await expect(box).toHaveValue("walk");
});

test("stays on its page when a list can't load the next, and says when a page has no blogs left @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blogs = [];
  for (const title of ["One", "Two", "Three", "Four", "Five"])
    blogs.push(await ana.api.blogs.create.mutate(aBlog({ title })));
  const page = await open();
  await page.goto("/home");
  const titles = page.getByRole("article").getByRole("heading");
  const next = page.getByRole("button", { name: "Next page" });
  const first = ["Five", "Four", "Three", "Two"];
  await expect(titles).toHaveText(first);
  allowErrors(page);
  await page.context().setOffline(true);
  await next.click();
  await expect(page.getByText("Failed to fetch data")).toBeVisible();
  await expect(page).toHaveURL(/\/home$/);
  await expect(titles).toHaveText(first);
  await page.context().setOffline(false);
  await next.click();
  await expect(page).toHaveURL(/page=2/);
  await expect(titles).toHaveText(["One"]);
  await ana.api.blogs.remove.mutate({ id: blogs[3]!.id });
  await expect(page.getByText("Page not found")).toBeVisible();
});

test("begins a member's home with recommendations and their reasons, but not a guest's", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  const guestPage = await open();
  await guestPage.goto("/home");
  const emptyFeed = guestPage.getByText("Nothing has been published yet");
  await expect(emptyFeed).toBeVisible();
  await ana.api.blogs.create.mutate(aBlog({ title: "Openings", tags: ["chess"] }));
  await ben.api.blogs.create.mutate(aBlog({ title: "From Ben" }));
  await expect(guestPage.getByRole("link", { name: "Openings" }).first()).toBeVisible();
  await expect(emptyFeed).toHaveCount(0);
  const page = await open(cleo);
  await page.goto("/home");
  const recommendations = page.getByRole("region", { name: "Recommended Blogs for you" });
  await expect(recommendations.getByRole("link", { name: "Choose your interests" })).toBeVisible();
  await expect(recommendations.getByText("New", { exact: true })).toHaveCount(2);

  await cleo.api.users.updateSettings.mutate({ interests: ["chess"] });
  await cleo.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await page.reload();
  await expect(recommendations.getByRole("article").filter({ hasText: "Openings" })).toContainText(
    "Because you like chess",
  );
  await expect(recommendations.getByRole("article").filter({ hasText: "From Ben" })).toContainText(
    "You follow Ben Oke",
  );
  await expect(recommendations.getByRole("link", { name: "Choose your interests" })).toHaveCount(0);

  await guestPage.reload();
  await expect(guestPage.getByRole("region", { name: "Recommended Blogs for you" })).toHaveCount(0);
});

test("documents every API call, tries one with a token, and leads back to the site @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(undefined, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await page.goto("/docs");
  await page.getByRole("link", { name: "The API reference" }).click();
  await expect(page).toHaveTitle("API · Reprise");
  const document = (await (await fetch(`${site.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const count = Object.values(document.paths).reduce((sum, calls) => sum + Object.keys(calls).length, 0);
  await expect(page.locator(".opblock")).toHaveCount(count);
  expect(await page.evaluate(() => window.document.documentElement.scrollWidth)).toBe(390);
  await expect(page.locator("html")).toHaveClass("dark-mode");

  const signIn = await fetch(`${site.url}/api/v1/signin`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ana.email, password }),
  });
  const { user } = (await signIn.json()) as { user: { token: string } };
  await page.getByRole("button", { name: "Authorize" }).press("Enter");
  await page.getByLabel("Value").fill(user.token);
  await page.getByLabel("Apply credentials").press("Enter");
  await page.getByRole("button", { name: "Close" }).last().press("Enter");
  const call = page.locator(".opblock").filter({ hasText: "Blogs recommended to the viewer" });
  await call.locator(".opblock-summary-control").press("Enter");
  await call.getByRole("button", { name: "Try it out" }).press("Enter");
  await call.getByRole("button", { name: "Execute" }).press("Enter");
  await expect(call.locator(".live-responses-table .response").first()).toContainText("200");

  await page.getByRole("link", { name: "How Reprise works" }).click();
  await expect(page).toHaveURL("/docs");
});

test("keeps the page offline, says what can't be loaded, and loads it once online @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(undefined, { viewport: { width: 390, height: 844 } });
  await page.goto("/home");
  allowErrors(page);
  await page.context().setOffline(true);
  // The code of the menu, the message and the blog's page is not loaded yet.
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByText("We couldn’t load that. Please try again.")).toBeVisible();
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect(page.getByText("You’re offline.")).toBeVisible();
  await expect(page).toHaveURL(`/blog/${slug}`);

  await page.context().setOffline(false);
  await expect(page.getByRole("article").getByText("Owls, mostly.")).toBeVisible();
  // Lazy-loaded code brings its own style sheet.
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

test("says that the site was updated when an open page needs a removed script, and offers Reload", async ({
  open,
}) => {
  const page = await open(undefined, { viewport: { width: 390, height: 844 } });
  await visit(page, "/home");
  allowErrors(page);
  const scriptPattern = "**/assets/menu-sheet-*.js";
  await page.route(scriptPattern, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByText("The site was updated since you opened this page.")).toBeVisible();
  await page.unroute(scriptPattern);
  await page.getByRole("button", { name: "Reload" }).click();
  await waitUntilUsable(page);
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});
