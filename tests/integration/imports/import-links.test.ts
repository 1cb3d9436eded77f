import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { reprise } from "../../support/command.ts";
import { createFolder } from "../../support/import-folder.ts";
import { startTestSite } from "../../support/test-site.ts";

test("stores links between imported blogs as paths, which leave the site as whole addresses", async () => {
  await using source = await createFolder({
    "owls.md": "---\ntitle: Owls\nslug: owls\ndate: 2020-01-02\n---\n# Night\n\nHoo.\n",
    "moss.md":
      "---\ntitle: Moss\ndate: 2020-01-03\n---\n[Owls](owls.md#night), [there](https://blog.example/blog/ferns) and [elsewhere](https://example.org/).\n",
  });
  const PUBLIC_URL = "https://blog.example";
  await using site = await startTestSite({ PUBLIC_URL });
  const ana = await site.createAccount("Ana");
  const args = ["import", "markdown", source.folder, "--author", ana.me.username];
  expect((await reprise(site.config.dataDir, args)).code).toBe(0);

  const [stored] = site.rows<{ id: string; document: string; html: string; slug: string }>(
    "select id, document, html, slug from blogs where title = 'Moss'",
  );
  const hrefs = [...stored!.document.matchAll(/"href":"([^"]*)"/g)].map(([, href]) => href);
  expect(hrefs).toEqual(["/blog/owls#h-night", "/blog/ferns", "https://example.org/"]);
  expect(stored!.html).toContain('<a href="/blog/owls#h-night">Owls</a>');

  const client = await ApiClient.of(site, ana);
  const fetched = async (address: string) => (await fetch(site.url + address)).text();
  const outside = [
    await fetched("/feed.xml"),
    await fetched("/feed.json"),
    await fetched(`/blog/${stored!.slug}.md`),
    await fetched(`/blog/${stored!.slug}.html`),
    JSON.stringify((await client.call("GET", `/blogs/${stored!.id}`)).body),
  ];
  for (const text of outside) {
    expect(text).toContain(`${PUBLIC_URL}/blog/owls#h-night`);
    expect(text).toContain(`${PUBLIC_URL}/blog/ferns`);
  }
});
