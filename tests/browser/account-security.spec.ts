import path from "node:path";
import { mailedToken, openBrowser, type MailedLink } from "../support/browser.ts";
import {
  expect,
  allowErrors,
  password,
  sharedTest as test,
  type TestSite,
  visit,
  openPage,
} from "./test-site.ts";

const newPassword = "an even better one";
const mailed = (site: TestSite, email: string, kind: MailedLink) =>
  mailedToken(path.join(site.dataDir, "outbox"), email, kind);

test("changes a password by keyboard, shows errors at their fields, and signs other devices out", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const otherBrowser = openBrowser(site.url);
  await otherBrowser.api.users.signIn.mutate({ email: ana.email, password });
  const phone = await open({ ...ana, cookie: otherBrowser.cookie });
  await phone.goto("/home");
  const page = await open(ana);
  const tab = await page.context().newPage();
  await tab.goto("/add-blog");
  await tab.getByRole("textbox", { name: "Title" }).fill("Half a thought");
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Change password" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change your password" });
  const now = dialog.getByRole("textbox", { name: "Current password" });
  const next = dialog.getByRole("textbox", { name: "New password" });
  await expect(now).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(now).toHaveAccessibleDescription("Please enter your password.");
  await now.fill("a guess");
  await next.fill("short");
  await page.keyboard.press("Enter");
  await expect(next).toHaveAccessibleDescription(/Use at least 8 characters\.$/);
  await expect(next).toBeFocused();
  await next.fill(newPassword);
  for (const window of [page, tab, phone]) allowErrors(window);
  await page.keyboard.press("Enter");
  await expect(now).toHaveAccessibleDescription("Wrong password. Please try again.");
  await expect(now).toBeFocused();
  await expect(next).toHaveValue(newPassword);
  await now.fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Password changed. You’ve been signed out everywhere else.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Change password" })).toBeFocused();

  await expect(phone.getByRole("link", { name: "Sign In" })).toBeVisible();
  await ana.api.users.signIn.mutate({ email: ana.email, password: newPassword });
  await ana.api.users.updateSettings.mutate({ showSavedBlogs: true });
  await expect(page.getByRole("switch", { name: "Show saved blogs" })).toBeChecked();
  await expect(tab.getByRole("textbox", { name: "Title" })).toHaveValue("Half a thought");
  await tab.goto("/settings");
  await expect(tab.getByRole("heading", { name: "Settings" })).toBeVisible();
  await tab.close();
  await otherBrowser.close();
});

test("changes an email address by a mailed link, reverts it by another, and undoes a sign-in by a third @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Change email address" }).click();
  const dialog = page.getByRole("dialog", { name: "Change your email address" });
  const box = dialog.getByRole("textbox", { name: "New email address" });
  await expect(box).toBeFocused();
  allowErrors(page);
  await box.fill(ana.email);
  await dialog.getByRole("textbox", { name: "Your password" }).fill(password);
  await page.keyboard.press("Enter");
  await expect(box).toHaveAccessibleDescription("That’s already your address.");
  await box.fill("ana@night.example");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status")).toHaveText(
    "We sent a link to ana@night.example. Your address changes when you open it.",
  );
  await expect(dialog.getByRole("button", { name: "Close" }).last()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText(ana.email)).toBeVisible();

  const phone = await open();
  await phone.goto(`/change-email/${await mailed(site, "ana@night.example", "change-email")}`);
  await expect(phone.getByRole("heading", { name: "Your address is changed" })).toBeFocused();
  await expect(phone.getByRole("main").getByRole("link", { name: "Sign In" })).toBeVisible();
  await expect(page.getByText("ana@night.example")).toBeVisible();
  await phone.reload();
  allowErrors(phone);
  await expect(phone.getByRole("heading", { name: "That didn’t work" })).toBeVisible();

  // The tab says so although its session ends with it.
  const tab = await openPage(page.context(), site);
  await tab.goto(`/change-email/${await mailed(site, ana.email, "change-email")}`);
  await expect(tab.getByRole("heading", { name: "Your address is back" })).toBeVisible();
  await expect(tab.getByText(`We sent a link to ${ana.email}`)).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign In" }).first()).toBeVisible();

  const [ownBrowser, thief] = [openBrowser(site.url), openBrowser(site.url)];
  const token = await mailed(site, ana.email, "reset-password");
  await ownBrowser.api.users.resetPassword.mutate({ token, password: newPassword });
  await ownBrowser.api.users.signIn.mutate({ email: ana.email, password: newPassword });
  await thief.api.users.signIn.mutate({ email: ana.email, password: newPassword });
  await phone.goto(`/undo-access/${await mailed(site, ana.email, "undo-access")}`);
  await expect(phone.getByRole("heading", { name: "Wasn’t this you?" })).toBeVisible();
  expect(await thief.api.users.me.query()).not.toBeNull();
  await phone.getByRole("button", { name: "Undo" }).click();
  await expect(phone.getByRole("heading", { name: "It is undone" })).toBeVisible();
  expect(await thief.api.users.me.query()).toBeNull();
  for (const browser of [ownBrowser, thief]) await browser.close();
});

test("lists a sign-in elsewhere at once in every window; revoking it signs that window out", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const [page, tab] = [await open(ana), await open(ana)];
  await Promise.all([page.goto("/settings"), tab.goto("/settings")]);
  await expect(page.getByText("This device")).toBeVisible();
  const otherBrowser = openBrowser(site.url);
  await otherBrowser.api.users.signIn.mutate({ email: ana.email, password });
  for (const window of [page, tab])
    await expect(window.getByRole("button", { name: /^Revoke/ })).toHaveCount(1);
  const otherPage = await open({ ...ana, cookie: otherBrowser.cookie });
  await visit(otherPage, "/home");
  allowErrors(otherPage);
  await page.getByRole("button", { name: /^Revoke/ }).click();
  await expect(page.getByText("Session ended.")).toBeVisible();
  for (const window of [page, tab])
    await expect(window.getByRole("button", { name: /^Revoke/ })).toHaveCount(0);
  await expect(otherPage.getByRole("link", { name: "Sign In" })).toBeVisible();
  await otherBrowser.close();
});
