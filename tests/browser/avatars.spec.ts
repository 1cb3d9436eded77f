import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

test("draws no underline beneath initials in links", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const blog = aBlog({ title: "Initials without a line" });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await ana.api.comments.create.mutate(aComment(blog, { text: "Mine." }));
  const page = await open(ana, { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  for (const path of [`/blog/${slug}?comments=open`, "/home"]) {
    await visit(page, path);
    const avatars = page.locator("a .avatar:visible");
    await expect(avatars.first()).toBeVisible();
    for (const avatar of await avatars.all()) {
      await avatar.scrollIntoViewIfNeeded();
      const screenshot = await avatar.screenshot();
      await avatar.evaluate((element) => {
        const { style } = element.closest("a")!;
        style.textDecoration = "none";
      });
      expect((await avatar.screenshot()).equals(screenshot)).toBe(true);
    }
  }
});
