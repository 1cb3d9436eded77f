import type { Locator } from "@playwright/test";
import sharp from "sharp";
import { launchOptions } from "../../scripts/browser.ts";
import { aBlog } from "../support/sample-content.ts";
import { waitForHydration, expect, allowErrors, sharedTest as test, openPage, visit } from "./test-site.ts";

test("darkens the page behind a dialog to its edges, moving nothing, even where a scrollbar takes room @more", async ({
  site,
  playwright,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const program = await playwright.chromium.launch({
    ...launchOptions(),
    ignoreDefaultArgs: ["--hide-scrollbars"],
  });
  try {
    const size = { width: 1_000, height: 700 };
    const context = await program.newContext({ baseURL: site.url, serviceWorkers: "block", viewport: size });
    const page = await openPage(context, site, ana);
    for (const [address, buttonName] of [
      ["/settings", "Change password"],
      ["/requests", "Menu"],
    ] as const) {
      await page.goto(address);
      const heading = page.locator("main h1");
      const button = page.getByRole("button", { name: buttonName }).locator("visible=true").first();
      await waitForHydration(button);
      expect(await page.evaluate(() => innerWidth - document.body.clientWidth)).toBeGreaterThan(5);
      const horizontalBox = async () => {
        const { x, width } = (await heading.boundingBox())!;
        return { x, width };
      };
      const before = await horizontalBox();
      await button.click();
      await expect(page.getByRole("dialog")).toBeVisible();
      expect(await horizontalBox()).toEqual(before);
      const { data, info } = await sharp(await page.screenshot())
        .raw()
        .toBuffer({ resolveWithObject: true });
      const pixelAt = (x: number) => [
        ...data.subarray((300 * size.width + x) * info.channels).subarray(0, 3),
      ];
      // The page beside the dialog and the scrollbar's strip are equally dark, up to rounding.
      const [pageColor, stripColor] = [pixelAt(20), pixelAt(size.width - 4)];
      if (buttonName === "Change password")
        for (const [index, value] of pageColor.entries())
          expect(Math.abs(stripColor[index]! - value)).toBeLessThan(4);
    }
  } finally {
    await program.close();
  }
});

test("highlights the current page in menus and tabs in forced colours @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana, { forcedColors: "active", viewport: { width: 1_200, height: 800 } });
  for (const [address, itemSelector] of [
    ["/home", ".bar-wide .bar-link"],
    [`/${ana.me.username}`, ".tabs > a"],
  ] as const) {
    await page.goto(address);
    const backgrounds = await page
      .locator(itemSelector)
      .evaluateAll((links) =>
        links.map(
          (link) => [link.hasAttribute("aria-current"), getComputedStyle(link).backgroundColor] as const,
        ),
      );
    const current = backgrounds.filter(([isCurrent]) => isCurrent).map(([, background]) => background);
    const others = backgrounds.filter(([isCurrent]) => !isCurrent).map(([, background]) => background);
    expect(current).toHaveLength(1);
    expect(others.length).toBeGreaterThan(0);
    expect(others).not.toContain(current[0]);
  }
});

test("draws one focus ring around a title in two lines @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const title = "A walk at night along the river with two owls, a lamp and no map of the place at all";
  await ana.api.blogs.create.mutate(aBlog({ title }));
  const page = await open(undefined, { viewport: { width: 390, height: 800 } });
  await page.goto(`/${ana.me.username}`);
  const link = page.getByRole("link", { name: title });
  await link.focus();
  const { boxes, lines } = await link.evaluate((element) => ({
    boxes: element.getClientRects().length,
    lines: Math.round(
      element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight),
    ),
  }));
  expect(lines).toBeGreaterThan(1);
  expect(boxes).toBe(1);
});

test("scrolls the bars away with the page at 400 % zoom", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, { viewport: { width: 320, height: 200 } });
  for (const path of ["/home", "/settings", "/select-interests", `/blog/${slug}`, `/edit/${slug}`]) {
    await visit(page, path);
    await expect(page.getByRole("main")).toBeVisible();
    await page.evaluate(() => scrollTo(0, 150));
    const staying = await page.locator("body *").evaluateAll((elements) =>
      elements
        .filter((element) => {
          const { width, height, bottom, top } = element.getBoundingClientRect();
          const stays = ["fixed", "sticky"].includes(getComputedStyle(element).position);
          return stays && width > 100 && height > 16 && bottom > 0 && top < innerHeight;
        })
        .map(({ className }) => className),
    );
    expect(staying, path).toEqual([]);
  }
});

test("shows a member's bottom bar on a phone, except in articles and the editor, and covers nothing with it", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const page = await open(ana, { viewport: { width: 390, height: 700 } });
  const bar = page.getByRole("navigation", { name: "Places" });
  const top = async (part: Locator) => (await part.boundingBox())!.y;
  const bottom = async (part: Locator) => {
    const { y, height } = (await part.boundingBox())!;
    return y + height;
  };
  await page.goto("/settings#settings-privacy");
  await expect(bar.locator("a, button")).toHaveCount(5);
  // Buttons are large enough for a finger, and the top bar does not repeat them.
  for (const control of await bar.locator("a, button").all()) {
    const { width, height } = (await control.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  await expect(page.getByRole("button", { name: "Notifications" })).toHaveCount(1);
  await expect(page.getByRole("link", { name: /^Your profile/ })).toHaveCount(1);

  const last = page.getByRole("contentinfo");
  // The page may grow after the key was pressed, so it is pressed again.
  const toTheEnd = () =>
    expect(async () => {
      await page.keyboard.press("End");
      await expect
        .poll(async () => (await bottom(last)) - (await top(bar)), { timeout: 2_000 })
        .toBeLessThan(1);
    }).toPass();
  await toTheEnd();
  allowErrors(page);
  await page.context().setOffline(true);
  const offline = page.getByText("You’re offline.");
  await expect(offline).toBeVisible();
  await expect.poll(async () => (await bottom(bar)) - (await top(offline))).toBeLessThan(1);
  await toTheEnd();
  await page.getByRole("switch", { name: "Private account" }).click();
  const toast = page.getByRole("status").locator("[data-kind]").first();
  await expect(toast).toBeVisible();
  await expect.poll(async () => (await bottom(toast)) - (await top(bar))).toBeLessThan(1);
  await page.context().setOffline(false);

  await bar.getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL("/home");
  await expect(bar.getByRole("link", { name: "Home" })).toHaveAttribute("aria-current", "page");
  await bar.getByRole("link", { name: "Write" }).click();
  await expect(page).toHaveURL("/add-blog");
  await expect(bar).toHaveCount(0);
  await page.goto(`/blog/${slug}`);
  await expect(bar).toHaveCount(0);
  await page.goto("/search");
  await expect(bar).toBeVisible();
  await page.setViewportSize({ width: 700, height: 700 });
  await expect(bar).toBeHidden();
  const plain = await open(ana, { viewport: { width: 390, height: 700 }, javaScriptEnabled: false });
  allowErrors(plain);
  await plain.goto("/home");
  await plain
    .getByRole("navigation", { name: "Places" })
    .getByRole("button", { name: "Notifications" })
    .click();
  await expect(plain).toHaveURL(/\/notifications/);
});
