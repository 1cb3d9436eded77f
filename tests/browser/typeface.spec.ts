import { aBlog } from "../support/sample-content.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

test("sets spaces after commas and full stops as wide as any, in titles and in text", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls, at night. They hear" }));
  const page = await open();
  await visit(page, `/blog/${slug}`);
  for (const part of [".article-title", ".prose p"]) {
    const narrowed = await page
      .locator(part)
      .first()
      .evaluate((element) => {
        const width = (text: string) => {
          const probe = element.ownerDocument.createElement("span");
          Object.assign(probe.style, {
            position: "absolute",
            whiteSpace: "pre",
            fontSize: "200px",
            letterSpacing: "0",
          });
          probe.textContent = text;
          element.append(probe);
          const { width: measuredWidth } = probe.getBoundingClientRect();
          probe.remove();
          return measuredWidth;
        };
        const space = width(" ");
        return [", a", ". T", ". A", "w t", "V o"].map((text) => {
          const sum = [...text].reduce((total, character) => total + width(character), 0);
          return Math.abs(sum - width(text)) / space;
        });
      });
    // One pixel of rounding is 2 % of a space.
    for (const share of narrowed) expect(share).toBeLessThan(0.05);
  }
});
