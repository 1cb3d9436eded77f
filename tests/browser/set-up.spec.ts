import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { launchOptions } from "../../scripts/browser.ts";
import { createDatabaseFolder } from "../support/new-database.ts";
import { freePort } from "../support/server.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { collectPageErrors, expect, password, test, TestSite, visit, waitUntilUsable } from "./test-site.ts";

test("says that a public site is not set up, and sets it up by its link", async ({ playwright }) => {
  const port = String(await freePort());
  const PUBLIC_URL = `http://blog.example:${port}`;
  const dataDir = await createDatabaseFolder("reprise-browser-");
  const site = new TestSite(dataDir, { PORT: port, PUBLIC_URL });
  await site.start();
  const options = launchOptions();
  const chromium = await playwright.chromium.launch({
    ...options,
    args: [
      ...options.args,
      "--host-resolver-rules=MAP blog.example 127.0.0.1",
      `--unsafely-treat-insecure-origin-as-secure=${PUBLIC_URL}`,
    ],
  });
  try {
    const context = await chromium.newContext({ baseURL: PUBLIC_URL, serviceWorkers: "block" });
    const guest = await context.newPage();
    const errors = collectPageErrors(guest);
    const expectAccessible = async () => {
      for (const [width, colorScheme] of [
        [390, "light"],
        [390, "dark"],
        [1440, "light"],
        [1440, "dark"],
      ] as const) {
        await guest.setViewportSize({ width, height: 900 });
        await setColorScheme(guest, colorScheme);
        expect.soft(await seriousViolations(guest)).toEqual([]);
        expect(await guest.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
    };
    await visit(guest, "/blog/owls");
    await expect(guest).toHaveURL("/setup");
    await expect(guest.getByRole("heading", { name: "This site isn’t set up yet" })).toBeVisible();
    await expect(guest.getByRole("link", { name: "Sign Up" })).toBeHidden();
    await expectAccessible();

    const link = (await readFile(path.join(dataDir, "setup-link"), "utf8")).trim();
    // A new page: another fragment alone does not load it again.
    await guest.goto("about:blank");
    await guest.goto(link);
    await waitUntilUsable(guest);
    await expect(guest.getByRole("heading", { name: "Set up your site" })).toBeVisible();
    await expectAccessible();
    await guest.getByLabel("Name").fill("Ana Torres");
    await guest.getByLabel("Email").fill("ana@blog.example");
    await guest.getByRole("textbox", { name: "Password" }).fill(password);
    await guest.getByRole("button", { name: "Create account" }).click();
    await expect(guest.getByRole("region", { name: "You run this site" })).toBeVisible();
    await expect(guest).toHaveURL("/home");
    await expect(stat(path.join(dataDir, "setup-link"))).rejects.toThrow("ENOENT");

    const late = await (await chromium.newContext({ baseURL: PUBLIC_URL })).newPage();
    await late.goto(link);
    await expect(late.getByRole("heading", { name: "Welcome back" })).toBeVisible();
    expect(errors).toEqual([]);
  } finally {
    await chromium.close();
    await site.close();
  }
});
