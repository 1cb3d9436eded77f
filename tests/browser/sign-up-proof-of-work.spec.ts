import { expect, allowErrors, test } from "./test-site.ts";

test("signs up through the proof of work, even when the server restarts meanwhile @more", async ({
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
  const response = page.waitForResponse(/beginSignUp/);
  await fill();
  await response;
  // The restart invalidates the task: the page asks for another unnoticed.
  allowErrors(page);
  await site.kill("SIGTERM");
  await site.start();
  await page.getByRole("textbox", { name: "Password" }).fill("write inspire repeat");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page).toHaveURL(/signin/);
  await expect(page.getByText("ana@example.org")).toBeVisible();
});
