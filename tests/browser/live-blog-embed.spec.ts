import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameLocator, Page } from "@playwright/test";
import { paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { startLiveBlog } from "./live-blog-page.ts";
import { allowErrors, expect, sharedTest as test, visit, type TestSite } from "./test-site.ts";

/** Serves a page of another origin with this HTML in it. */
async function otherSite(html: string) {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>News</title><body>${html}`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // By another name, so that it is another site, too.
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const titles = (frame: FrameLocator): Promise<string[]> => frame.locator("li h2").allTextContents();

/** Checks axe and the width of the framed page; takes screenshots if PICTURES names a folder. */
async function expectReadable(page: Page, site: TestSite, slug: string): Promise<void> {
  await page.goto(`${site.url}/blog/${slug}/embed`);
  for (const width of [300, 360, 700])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 600 });
      await setColorScheme(page, colorScheme);
      expect.soft(await seriousViolations(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/embed-${width}-${colorScheme}.png` });
    }
}

test("a live blog is shown live on another site while its owner allows it", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { id, slug, post } = await startLiveBlog(ana);
  await ana.api.blogs.setSummary.mutate({ id, summary: ["Home leads 1–0.", "Rain since eight."] });
  await post("Kick-off");
  await post("GOAL! 1–0", { isKey: true });

  const owner = await open(ana);
  await visit(owner, `/blog/${slug}`);
  await owner.getByRole("button", { name: "Embed…" }).click();
  const dialog = owner.getByRole("dialog", { name: "Embed this live blog" });
  const box = dialog.getByRole("checkbox", { name: "Other sites may show this live blog" });
  await expect(box).not.toBeChecked();
  await expect(dialog.getByRole("textbox")).toHaveCount(0);
  await box.check();
  const snippet = await dialog.getByRole("textbox", { name: "HTML for the other site" }).inputValue();
  const { publicUrl } = await ana.api.users.site.query();
  expect(snippet).toBe(
    `<iframe src="${publicUrl}/blog/${slug}/embed" title="The cup final" width="100%" height="600" loading="lazy"></iframe>`,
  );
  await expect(dialog.getByRole("button", { name: "Copy the HTML" })).toBeVisible();
  expect.soft(await seriousViolations(owner)).toEqual([]);
  if (process.env.PICTURES) await owner.screenshot({ path: `${process.env.PICTURES}/embed-dialog.png` });
  await expect
    .poll(async () => (await ana.api.blogs.bySlug.query({ slug })).live?.embeddable, "it is saved")
    .toBe(true);

  await using news = await otherSite(`<p>News.</p>${snippet.replace(publicUrl, site.url)}`);
  const reader = await open();
  allowErrors(reader);
  const cookies: string[] = [];
  reader.on("request", async (request) => {
    const { cookie } = await request.allHeaders().catch(() => ({ cookie: undefined }));
    if (cookie) cookies.push(request.url());
  });
  await reader.goto(news.url);
  const frame = reader.frameLocator("iframe");
  await expect(frame.getByRole("heading", { name: "The cup final" })).toBeVisible();
  await expect(frame.getByText("Live", { exact: true })).toBeVisible();
  expect(await titles(frame)).toEqual(["GOAL! 1–0", "Kick-off"]);
  await expect(frame.locator("time").first()).not.toContainText("UTC");

  await post("Half-time");
  await expect.poll(() => titles(frame)).toEqual(["Half-time", "GOAL! 1–0", "Kick-off"]);
  await expect(frame.locator(".entries > li").first()).toHaveAttribute("data-fresh");
  const { entries } = await ana.api.blogs.entries.query({ blogId: id, order: "newest" });
  const [, goal] = entries;
  await ana.api.blogs.editEntry.mutate({
    id: goal!.id,
    title: "GOAL! 1–0, a header",
    document: paragraphs("What a pass."),
    isKey: true,
  });
  await expect.poll(() => titles(frame)).toEqual(["Half-time", "GOAL! 1–0, a header", "Kick-off"]);
  await expect(frame.locator(".entries > li[data-fresh]")).toHaveCount(1);

  const opened = reader.waitForEvent("popup");
  await frame.getByRole("link", { name: "Read on Reprise" }).click();
  await expect(await opened).toHaveURL(`${site.url}/blog/${slug}`);
  await (await opened).close();

  const visitor = await open();
  await expectReadable(visitor, site, slug);
  await visitor.close();

  await box.uncheck();
  await expect(frame.getByText("This live blog is no longer available here.")).toBeVisible();
  await expect(frame.getByRole("heading", { name: "The cup final" })).toBeHidden();
  // A change of mind needs no reload.
  await box.check();
  await expect(frame.getByRole("heading", { name: "The cup final" })).toBeVisible();
  expect(cookies).toEqual([]);
});

test("a live blog for followers can be shown nowhere else", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { id, slug } = await startLiveBlog(ana);
  await ana.api.blogs.update.mutate({ id, private: true });
  const owner = await open(ana);
  await visit(owner, `/blog/${slug}`);
  await owner.getByRole("button", { name: "Embed…" }).click();
  await expect(owner.getByText("Only public live blogs can be shown on other sites.")).toBeVisible();
  await expect(owner.getByRole("checkbox", { name: "Other sites may show" })).toHaveCount(0);
});
