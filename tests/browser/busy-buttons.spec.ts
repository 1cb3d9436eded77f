import type { Locator, Page } from "@playwright/test";
import { details } from "./editor.ts";
import { aBlog } from "../support/writing.ts";
import { expect, forgive, sharedTest as test, visit } from "./site.ts";

/** The requests of this procedure are never answered. */
const hold = (page: Page, procedure: string) => page.route(`**/trpc/${procedure}*`, () => {});
const widthOf = async (button: Locator) => (await button.boundingBox())?.width;
/** What is drawn over or beside the button's words. */
const sign = (part: Locator, pseudo: "::after" | "::before") =>
  part.evaluate((element, which) => {
    const { animationName, content, opacity } = getComputedStyle(element, which);
    return { turns: animationName.includes("button-turn"), content, opacity };
  }, pseudo);

test("says “Updating…” with a turning sign while a blog is published, in the same width", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Held while it is sent" }));
  const page = await open(ana);
  forgive(page);
  await hold(page, "blogs.publishWriting");
  await visit(page, `/edit/${slug}`);
  await details(page);
  const button = page.getByRole("button", { name: "Update Blog" });
  const width = await widthOf(button);
  await button.click();
  const busy = page.getByRole("button", { name: "Updating…" });
  await expect(busy).toHaveAttribute("aria-busy", "true");
  await expect
    .poll(() => sign(busy.locator(".button-busy"), "::before"))
    .toMatchObject({ turns: true, opacity: "1" });
  expect(await widthOf(busy)).toBe(width);
  await expect(page.getByRole("button", { name: "Update Blog" })).toHaveCount(0);
});

for (const reducedMotion of ["no-preference", "reduce"] as const)
  test(`draws a sign instead of a busy button's words, in the same width, with ${reducedMotion} for motion`, async ({
    site,
    open,
  }) => {
    const ana = await site.resident("Ana Torres");
    const page = await open(ana, { reducedMotion });
    forgive(page);
    await hold(page, "users.updateProfile");
    await visit(page, "/edit-profile");
    await page.getByRole("textbox", { name: "Bio" }).fill("Owls.");
    const button = page.getByRole("button", { name: "Update Profile" });
    const width = await widthOf(button);
    await button.click();
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect
      .poll(() => sign(button, "::after"))
      .toEqual({ turns: true, opacity: "1", content: reducedMotion === "reduce" ? '"•••"' : '""' });
    await expect(button).toHaveCSS("-webkit-text-fill-color", "rgba(0, 0, 0, 0)");
    expect(await widthOf(button)).toBe(width);
    const duration = await button.evaluate(
      (element) => getComputedStyle(element, "::after").animationDuration,
    );
    if (reducedMotion === "reduce") expect(Number.parseFloat(duration)).toBeLessThan(0.001);
    else expect(Number.parseFloat(duration)).toBe(0.8);
  });
