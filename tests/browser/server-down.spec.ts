import { aBlog, aComment } from "../support/sample-content.ts";
import { internalError, failRequests, stopFailing } from "./failing-requests.ts";
import { allowErrors, expect, test, visit, waitForHydration, waitUntilUsable } from "./test-site.ts";

/* Pages that failed to load appear by themselves as soon as they can be loaded. */

test("shows a page opened while the server was down once it is back, to a guest and a member", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const pages = [await open(), await open(ana)];
  for (const page of pages) {
    await visit(page, "/home");
    allowErrors(page);
  }
  await site.kill();
  for (const page of pages) {
    await page.getByRole("link", { name: "A walk at night" }).first().click();
    await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  }
  await pages[0]!.goBack();
  await expect(pages[0]!.getByRole("heading", { name: "Blogs", exact: true })).toBeVisible();
  await pages[0]!.goForward();
  await expect(pages[0]!.getByRole("button", { name: "Retry" })).toBeVisible();
  await site.start();
  for (const page of pages) await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await expect(pages[0]!).toHaveTitle("A walk at night · Reprise");
});

test("shows a blog once its comments' code loads, and again on Back while the server is down", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await visit(page, "/home");
  allowErrors(page);
  const abortedUrls = /\/assets\/comments-section|\/blog\//;
  await page.route(abortedUrls, (route) => route.abort());
  const link = page.getByRole("link", { name: "A walk at night" }).first();
  const address = `${await link.getAttribute("href")}?comments=open`;
  await page.evaluate((href) => {
    document.body.prepend(Object.assign(document.createElement("a"), { href, textContent: "Its comments" }));
  }, address);
  await page.getByRole("link", { name: "Its comments" }).click();
  await expect(page.getByRole("heading", { name: "Failed to fetch blog" })).toBeVisible();
  await page.unroute(abortedUrls);
  const box = page.getByRole("textbox", { name: "Add your comment" });
  await expect(box).toBeVisible();
  // It was loaded as a document: before hydration its links are the browser's own.
  await waitUntilUsable(page);
  await waitForHydration(box);

  await site.kill();
  // Neither the code nor the style sheets of this page are loaded yet.
  await page.getByRole("link", { name: "Sign Up" }).first().click();
  await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  await page.goBack();
  await expect(box).toBeVisible();
  await site.start();
});

test("retries a page that the server was too busy for, but not one that failed @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await visit(page, "/home");
  allowErrors(page);
  let requestCount = 0;
  const onRequest = (): void => void requestCount++;
  const retry = page.getByRole("button", { name: "Retry" });

  await failRequests(page, "blogs.bySlug", internalError, onRequest);
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect(retry).toBeVisible();
  const countBefore = requestCount;
  await stopFailing(page);
  await page.goBack();
  await failRequests(
    page,
    "blogs.bySlug",
    { code: "SERVICE_UNAVAILABLE", httpStatus: 503, message: "No." },
    onRequest,
  );
  await page.goForward();
  await expect(retry).toBeVisible();
  expect(countBefore).toBe(1);
  await expect.poll(() => requestCount).toBeGreaterThan(3);
  await stopFailing(page);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
});

test("keeps the server-rendered blog while its comments' code can't load, and makes it usable then @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Lovely." }));
  const page = await open(ana);
  allowErrors(page);
  let abortedCount = 0;
  await page.route(
    "**/assets/comments-section*",
    (route) => (abortedCount++, route.abort("connectionreset")),
  );
  await page.route(
    (url) => url.pathname.startsWith("/blog/"),
    (route) => (route.request().method() === "HEAD" ? route.abort() : route.continue()),
  );
  await page.goto(`/blog/${blog.slug}?comments=open`);
  await expect.poll(() => abortedCount).toBeGreaterThan(2);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await expect(page.getByText("Lovely.")).toBeVisible();
  await page.unrouteAll();
  const reply = page.getByRole("button", { name: "Reply" }).first();
  await waitForHydration(reply);
  await reply.click();
  await expect(page.getByRole("textbox", { name: /reply/i })).toBeVisible();
});
