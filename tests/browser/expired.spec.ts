import type { Page } from "@playwright/test";
import { expect, forgive, logIn, sharedTest as test, visitLive } from "./site.ts";

/** Ends the session without telling the page, which must be live: a connection that opens now would tell it. */
async function expire(page: Page): Promise<void> {
  forgive(page);
  await page.context().clearCookies();
}

test("a page that needs an account leads whoever's session has expired to sign in, and there after it", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
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

test("a profile that is being changed is still so after signing in again @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
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
