import { aBlog, aComment } from "../support/writing.ts";
import { bug, refuse, relent } from "./refusing.ts";
import { awake, expect, forgive, test, visit } from "./site.ts";

/* A page that could not be had comes by itself as soon as it can. */

test("a page that was asked for while the server was away comes when it is back, for a guest and a member", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const pages = [await open(), await open(ana)];
  for (const page of pages) {
    await visit(page, "/home");
    forgive(page);
  }
  await site.kill();
  for (const page of pages) {
    await page.getByRole("link", { name: "A walk at night" }).first().click();
    await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  }
  // Those who wait may go elsewhere meanwhile, and back.
  await pages[0]!.goBack();
  await expect(pages[0]!.getByRole("heading", { name: "Blogs", exact: true })).toBeVisible();
  await pages[0]!.goForward();
  await expect(pages[0]!.getByRole("button", { name: "Retry" })).toBeVisible();
  await site.start();
  for (const page of pages) await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await expect(pages[0]!).toHaveTitle("A walk at night · Reprise");
});

test("a blog whose comments' code could not be loaded appears once it can be, and again on Back while the server is away", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await visit(page, "/home");
  forgive(page);
  const lost = /\/assets\/comments-section|\/blog\//;
  await page.route(lost, (route) => route.abort());
  const link = page.getByRole("link", { name: "A walk at night" }).first();
  const address = `${await link.getAttribute("href")}?comments=open`;
  await page.evaluate((href) => {
    document.body.prepend(Object.assign(document.createElement("a"), { href, textContent: "Its comments" }));
  }, address);
  await page.getByRole("link", { name: "Its comments" }).click();
  await expect(page.getByRole("heading", { name: "Failed to fetch blog" })).toBeVisible();
  await page.unroute(lost);
  const box = page.getByRole("textbox", { name: "Add your comment" });
  await expect(box).toBeVisible();

  await site.kill();
  // Neither the code nor the style sheets of this page were loaded before.
  await page.getByRole("link", { name: "Sign Up" }).first().click();
  await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  await page.goBack();
  await expect(box).toBeVisible();
  await site.start();
});

test("a page that the server was too busy for is asked for again, one that it can't make is not @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog());
  const page = await open();
  await visit(page, "/home");
  forgive(page);
  let asked = 0;
  const heard = (): void => void asked++;
  const retry = page.getByRole("button", { name: "Retry" });

  await refuse(page, "blogs.bySlug", bug, heard);
  await page.getByRole("link", { name: "A walk at night" }).first().click();
  await expect(retry).toBeVisible();
  const once = asked;
  await relent(page);
  await page.goBack();
  await refuse(page, "blogs.bySlug", { code: "SERVICE_UNAVAILABLE", httpStatus: 503, message: "No." }, heard);
  await page.goForward();
  await expect(retry).toBeVisible();
  expect(once).toBe(1);
  await expect.poll(() => asked).toBeGreaterThan(3);
  await relent(page);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
});

test("a page whose comments' code can't be had stays as it was drawn, and has them once it can @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment(blog, { text: "Lovely." }));
  const page = await open(ana);
  forgive(page);
  let lost = 0;
  await page.route("**/assets/comments-section*", (route) => (lost++, route.abort("connectionreset")));
  await page.route(
    (url) => url.pathname.startsWith("/blog/"),
    (route) => (route.request().method() === "HEAD" ? route.abort() : route.continue()),
  );
  await page.goto(`/blog/${blog.slug}?comments=open`);
  await expect.poll(() => lost).toBeGreaterThan(2);
  await expect(page.getByText("Owls, mostly.")).toBeVisible();
  await expect(page.getByText("Lovely.")).toBeVisible();
  await page.unrouteAll();
  const reply = page.getByRole("button", { name: "Reply" }).first();
  await awake(reply);
  await reply.click();
  await expect(page.getByRole("textbox", { name: /reply/i })).toBeVisible();
});
