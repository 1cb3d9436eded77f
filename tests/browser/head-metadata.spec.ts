import { aBlog } from "../support/sample-content.ts";
import { expect, sharedTest } from "./test-site.ts";

sharedTest(
  "puts valid JSON-LD into the page's head that runs no script and violates no content security policy",
  async ({ site, open }) => {
    const ana = await site.createAccount("Ana");
    const { slug } = await ana.api.blogs.create.mutate(
      aBlog({ title: "</script><script>document.title='1'</script>" }),
    );
    const page = await open();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));
    for (const path of [`/blog/${slug}`, `/${ana.me.username}`, "/home", "/home?page=99999999", "/"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const data = page.locator('script[type="application/ld+json"]');
      expect(await data.count()).toBe(1);
      expect(JSON.parse((await data.textContent()) ?? "")).toMatchObject({
        "@context": "https://schema.org",
      });
    }
    const card = await page.locator('meta[property="og:image"]').getAttribute("content");
    const image = await page.request.get(new URL(card ?? "", page.url()).pathname);
    expect([image.status(), image.headers()["content-type"]]).toEqual([200, "image/png"]);
    expect(messages).toEqual([]);
  },
);
