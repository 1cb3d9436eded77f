import type { Locator, Page } from "@playwright/test";
import { openPublishSheet } from "./editor-helpers.ts";
import { aBlog } from "../support/sample-content.ts";
import { expect, allowErrors, sharedTest as test, visit } from "./test-site.ts";

/** Leaves requests of this procedure without a response. */
const neverRespond = (page: Page, procedure: string) => page.route(`**/trpc/${procedure}*`, () => {});
const widthOf = async (button: Locator) => (await button.boundingBox())?.width;
/** Returns the style of the spinner over or beside the button's text. */
const spinnerStyle = (part: Locator, pseudo: "::after" | "::before") =>
  part.evaluate((element, pseudoElement) => {
    const { animationName, content, opacity } = getComputedStyle(element, pseudoElement);
    return { turns: animationName.includes("button-turn"), content, opacity };
  }, pseudo);

test("shows “Updating…” with a spinner while a blog is published, in the same width", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Held while it is sent" }));
  const page = await open(ana);
  allowErrors(page);
  await neverRespond(page, "blogs.publish");
  await visit(page, `/edit/${slug}`);
  await openPublishSheet(page);
  const button = page.getByRole("button", { name: "Update Blog" });
  const width = await widthOf(button);
  await button.click();
  const busy = page.getByRole("button", { name: "Updating…" });
  await expect(busy).toHaveAttribute("aria-busy", "true");
  await expect
    .poll(() => spinnerStyle(busy.locator(".button-busy"), "::before"))
    .toMatchObject({ turns: true, opacity: "1" });
  expect(await widthOf(busy)).toBe(width);
  await expect(page.getByRole("button", { name: "Update Blog" })).toHaveCount(0);
});

for (const reducedMotion of ["no-preference", "reduce"] as const)
  test(`replaces a busy button's text by a spinner, in the same width, with ${reducedMotion} for motion`, async ({
    site,
    open,
  }) => {
    const ana = await site.createAccount("Ana Torres");
    const page = await open(ana, { reducedMotion });
    allowErrors(page);
    await neverRespond(page, "users.updateProfile");
    await visit(page, "/edit-profile");
    await page.getByRole("textbox", { name: "Bio" }).fill("Owls.");
    const button = page.getByRole("button", { name: "Update Profile" });
    const width = await widthOf(button);
    await button.click();
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect
      .poll(() => spinnerStyle(button, "::after"))
      .toEqual({ turns: true, opacity: "1", content: reducedMotion === "reduce" ? '"•••"' : '""' });
    await expect(button).toHaveCSS("-webkit-text-fill-color", "rgba(0, 0, 0, 0)");
    expect(await widthOf(button)).toBe(width);
    const duration = await button.evaluate(
      (element) => getComputedStyle(element, "::after").animationDuration,
    );
    if (reducedMotion === "reduce") expect(Number.parseFloat(duration)).toBeLessThan(0.001);
    else expect(Number.parseFloat(duration)).toBe(0.8);
  });
