import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { measurePageWeight } from "../support/page-weight.ts";
import { waitForHydration, expect, sharedTest as test } from "./test-site.ts";

const fontsOf = (urls: string[]): string[] =>
  urls.flatMap((url) => /([a-z-]+)-[^-/]+\.woff2$/.exec(url)?.[1] ?? []).toSorted();

test("loads a guest's first article in ten requests and 185 kB, 135 kB of it script @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const text = Array.from({ length: 40 }, () =>
    "One hears owls, mostly, and now and then a train. ".repeat(8),
  );
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs(...text) }));
  const page = await open(undefined, { serviceWorkers: "allow" });
  const { requests, kilobytes } = await measurePageWeight(page, `/blog/${slug}`);
  expect(requests.length, requests.map(({ url }) => url).join("\n")).toBeLessThanOrEqual(10);
  expect(kilobytes()).toBeLessThan(185);
  expect(kilobytes(".js")).toBeLessThan(135);
  expect(fontsOf(requests.map(({ url }) => url))).toEqual(["text-basic", "title-basic"]);
});

test("loads only the font files that a text needs @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const set = (text: string, ...marks: string[]) => ({
    type: "text",
    text,
    marks: marks.map((type) => ({ type })),
  });
  const document = {
    type: "doc",
    content: [{ type: "paragraph", content: [set("Größe "), set("owls", "em"), set(" Łódź", "strong")] }],
  };
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open();
  const { requests } = await measurePageWeight(page, `/blog/${slug}`);
  expect(fontsOf(requests.map(({ url }) => url))).toEqual([
    "italic-basic",
    "strong-basic",
    "strong-latin",
    "strong-latin-ext",
    "text-basic",
    "text-latin",
    "title-basic",
  ]);
});

test("keeps the text in place when its fonts load @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const text = Array.from({ length: 12 }, () =>
    "One hears owls, mostly, and now and then a train. ".repeat(6),
  );
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "A walk at night, and what there is to hear", document: paragraphs(...text) }),
  );
  const page = await open();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*.woff2", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/blog/${slug}`, { waitUntil: "domcontentloaded" });
  const bottom = () => page.locator(".prose").evaluate((prose) => prose.getBoundingClientRect().bottom);
  await expect(page.locator(".prose")).toBeVisible();
  await page.evaluate(() => {
    const counter = window as unknown as { shift: number };
    counter.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        counter.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const before = await bottom();
  release();
  await page.evaluate(() => document.fonts.ready);
  await expect
    .poll(() => page.evaluate(() => document.fonts.check("400 16px Newsreader", "owls")))
    .toBe(true);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.02);
  expect(Math.abs((await bottom()) - before)).toBeLessThan(40);
});

test("shows the current number of comments after a slow hydration while others write @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  let commentCount = 0;
  let isOver = false;
  const posting = (async () => {
    for (; !isOver; commentCount++)
      await ben.api.comments.create.mutate(aComment(blog, { text: `${commentCount}` }));
  })();
  const page = await open();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  for (let visit = 0; visit < 3; visit++) {
    await page.goto(`/blog/${blog.slug}`);
    await waitForHydration(page.getByRole("button", { name: /^Comments\b/ }));
  }
  isOver = true;
  await posting;
  await expect(
    page.locator(".article-bar").getByText(`${commentCount.toLocaleString("en")} comments`),
  ).toBeVisible();
});
