import { expect, forgive, test } from "./site.ts";

test("a person who signs up notices nothing of what their browser computes, also when the server restarts meanwhile @more", async ({
  site,
  open,
}) => {
  site.settings.RATE_LIMIT = "on";
  await site.kill("SIGTERM");
  await site.start();
  const page = await open();
  await page.goto("/signup");
  const fill = async () => {
    await page.getByRole("textbox", { name: "Name" }).fill("Ana Torres");
    await page.getByRole("textbox", { name: "Email" }).fill("ana@example.org");
  };
  const begun = page.waitForResponse(/beginSignUp/);
  await fill();
  await begun;
  // Tasks end with the process: another is asked for, and nobody sees it.
  forgive(page);
  await site.kill("SIGTERM");
  await site.start();
  await page.getByRole("textbox", { name: "Password" }).fill("write inspire repeat");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page).toHaveURL(/signin/);
  await expect(page.getByText("ana@example.org")).toBeVisible();
});
