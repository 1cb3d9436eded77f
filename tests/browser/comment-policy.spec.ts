import { aBlog, aComment } from "../support/sample-content.ts";
import { waitForHydration, expect, sharedTest as test } from "./test-site.ts";

test("turns comments off or opens them to followers on open pages, and keeps earlier comments", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment(blog, { text: "Said before" }));
  const [anaPage, benPage] = [await open(ana), await open(ben)];
  const path = `/blog/${blog.slug}?comments=open`;
  await Promise.all([anaPage.goto(path), benPage.goto(path)]);
  const box = benPage.getByRole("textbox", { name: "Add your comment" });
  await expect(box).toBeVisible();
  const menu = anaPage.getByRole("button", { name: /^Who can comment/ });
  const choose = async (name: string) => {
    await waitForHydration(menu);
    await menu.click();
    await anaPage.getByRole("menuitemradio", { name }).click();
  };
  await choose("Turn off comments");
  await expect(menu).toHaveText("Comments are off");
  await expect(benPage.getByText("The author turned off comments.")).toBeVisible();
  await expect(box).toHaveCount(0);
  await expect(benPage.getByText("Said before")).toBeVisible();
  await expect(benPage.getByRole("button", { name: "Reply" })).toHaveCount(0);
  await expect(anaPage.getByRole("textbox", { name: "Add your comment" })).toBeVisible();
  await choose("Followers can comment");
  await expect(benPage.getByText("Only followers can comment.")).toBeVisible();
  // The box appears only once the server has the follow: it would refuse the comment before.
  const gate = Promise.withResolvers<void>();
  await benPage.route("**/social.follow*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await benPage.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(benPage.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await expect(box).toHaveCount(0);
  gate.resolve();
  await expect(box).toBeVisible();
  await box.fill("As a follower");
  await benPage.getByRole("button", { name: "Add Comment" }).click();
  await expect(anaPage.getByText("As a follower")).toBeVisible();
  for (const [width, colorScheme] of [
    [390, "dark"],
    [1440, "light"],
  ] as const) {
    await anaPage.setViewportSize({ width, height: 800 });
    await anaPage.emulateMedia({ colorScheme });
    await expect(menu).toBeVisible();
    expect(await anaPage.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
});
