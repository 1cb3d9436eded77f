import type { Page } from "@playwright/test";
import { expect, allowErrors, logIn, sharedTest as test, visitLive } from "./test-site.ts";

/** Ends the session without telling the page. The page must be live already: a new connection would tell it. */
async function expire(page: Page): Promise<void> {
  allowErrors(page);
  await page.context().clearCookies();
}

test("leads from a page that needs an account to sign-in when the session expired, and back afterwards", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await visitLive(page, "/home");
  await expire(page);
  let calls = 0;
  page.on("request", (request) => (calls += Number(request.url().includes("/trpc/"))));
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "My blogs" }).click();
  await expect(page).toHaveURL("/signin?next=%2Fmy-blogs");
  expect(calls).toBeLessThan(20);
  await expect(page.getByRole("button", { name: /^Menu of/ })).toHaveCount(0);
  await logIn(page, ana.email);
  await expect(page).toHaveURL("/my-blogs");
});

test("keeps an edited profile through signing in again @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await visitLive(page, "/edit-profile");
  await page.getByRole("textbox", { name: "Bio" }).fill("Owls, and what they say.");
  await expire(page);
  await page.getByRole("button", { name: "Update Profile" }).click();
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/signin/);
  await logIn(page, ana.email);
  await expect(page).toHaveURL("/edit-profile");
  await expect(page.getByRole("textbox", { name: "Bio" })).toHaveValue("Owls, and what they say.");
});
