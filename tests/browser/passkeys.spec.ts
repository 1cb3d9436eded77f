import type { Page } from "@playwright/test";
import { openBrowser } from "../support/browser.ts";
import { createDatabaseFolder } from "../support/new-database.ts";
import { freePort } from "../support/server.ts";
import { expect, allowErrors, logIn, password, TestSite, test as base, visit } from "./test-site.ts";

/** A site at localhost: passkeys are bound to a host name, not to an IP address. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  site: async ({}, provide) => {
    const port = String(await freePort());
    const dataDir = await createDatabaseFolder("reprise-browser-");
    const site = new TestSite(dataDir, { PORT: port, PUBLIC_URL: `http://localhost:${port}` });
    await site.start();
    site.url = `http://localhost:${port}`;
    await provide(site);
    await site.close();
  },
});

/** Adds a virtual authenticator to the page; the returned function sets whether it verifies its user. */
async function withDevice(page: Page): Promise<(isThere: boolean) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async (isUserVerified) =>
    void (await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }));
}

test("adds a passkey by keyboard, signs in with it, and removes it", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const otherBrowser = openBrowser(site.url);
  await otherBrowser.api.users.signIn.mutate({ email: ana.email, password });
  const [page, tab] = [await open(ana), await open({ ...ana, cookie: otherBrowser.cookie })];
  const setUserVerified = await withDevice(page);
  await tab.goto("/settings");
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Add a passkey" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  const box = dialog.getByRole("textbox", { name: "Your password" });
  await expect(box).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(box).toHaveAccessibleDescription("Please enter your password.");
  allowErrors(page);
  await page.keyboard.type("a guess");
  await page.keyboard.press("Enter");
  await expect(box).toHaveAccessibleDescription("Wrong password. Please try again.");
  await dialog.getByRole("textbox", { name: "Name" }).fill("My <b>phone</b>");
  await box.fill(password);
  await setUserVerified(false);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert").filter({ hasText: "No passkey was used." })).toBeVisible();
  await expect(box).toHaveValue(password);
  await setUserVerified(true);
  await box.press("Enter");
  await expect(page.getByText("Passkey added. You can sign in with it now.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  for (const window of [page, tab]) {
    await expect(window.getByText("My <b>phone</b>", { exact: true })).toBeVisible();
    await expect(window.getByText(/^Passkey · added just now · never used$/)).toBeVisible();
  }

  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/signin$/);
  await setUserVerified(false);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "No passkey was used." })).toBeVisible();
  await setUserVerified(true);
  await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
  await expect(page).toHaveURL(/\/select-interests$/);
  await visit(page, "/settings");
  for (const window of [page, tab])
    await expect(window.getByText(/^Passkey · added just now · last used just now$/)).toBeVisible();

  await page.getByRole("button", { name: "Remove passkey My <b>phone</b>" }).click();
  const removalDialog = page.getByRole("alertdialog", { name: "Remove “My <b>phone</b>”?" });
  await removalDialog.getByRole("textbox", { name: "Your password" }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passkey removed.")).toBeVisible();
  for (const window of [page, tab])
    await expect(window.getByText("My <b>phone</b>", { exact: true })).toHaveCount(0);
  await otherBrowser.close();
});

test("asks for the passkey after the password when that is set @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.users.updateSettings.mutate({ interests: ["owls"] });
  const page = await open(ana);
  await withDevice(page);
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("textbox", { name: "Your password" }).fill(password);
  await page.keyboard.press("Enter");
  const after = page.getByRole("switch", { name: "Ask for a passkey after the password" });
  await after.click();
  await page.getByRole("textbox", { name: "Your password" }).fill(password);
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await codes.getByRole("button", { name: "I’ve stored them" }).click();
  await expect(after).toBeChecked();
  await expect(page.getByText("10 of 10 left")).toBeVisible();

  allowErrors(page);
  await visit(page, "/settings");
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/signin$/);
  await logIn(page, ana.email);
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/home$/);
});
