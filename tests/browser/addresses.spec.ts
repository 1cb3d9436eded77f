import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, allowErrors, sharedTest as test, type TestSite } from "./test-site.ts";
import { reprise } from "../support/command.ts";
import { aBlog } from "../support/sample-content.ts";

/* Links within the site to addresses that the client does not route: the first click asks the server. */

const linkTo = (origin: string, address: string) => ({
  type: "paragraph",
  content: [{ type: "text", text: address, marks: [{ type: "link", attrs: { href: origin + address } }] }],
});

/** Imports a text with these aliases. */
async function importWithAliases(site: TestSite, author: string, ...aliases: string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-moved-"));
  const head = ["title: Came from elsewhere", "date: 2019-03-01", `aliases: ${JSON.stringify(aliases)}`];
  await writeFile(path.join(folder, "moved.md"), `---\n${head.join("\n")}\n---\n\nIt stood elsewhere.\n`);
  const { code, error } = await reprise(site.dataDir, ["import", "markdown", folder, "--author", author]);
  expect(code, error).toBe(0);
}

test("follows links to a text's old addresses and to files, and shows “Page not found” for unknown paths @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { username } = ana.me;
  await importWithAliases(site, username, "/owls-of-old", "/?p=123", "/2019/owls");
  const paths = [
    "/owls-of-old",
    "/?p=123",
    "/2019/owls",
    `/${username}/feed.json`,
    "/feed.json",
    "/nobody-here",
  ];
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Links",
      document: { type: "doc", content: paths.map((address) => linkTo(site.url, address)) },
    }),
  );
  const page = await open();
  // The browser logs the 404.
  allowErrors(page);
  await page.goto(`/blog/${slug}`);
  const click = async (name: string) => {
    await expect(page.getByRole("heading", { name: "Links" })).toBeVisible();
    await page.getByRole("link", { name, exact: true }).click();
  };
  for (const href of ["/owls-of-old", "/?p=123", "/2019/owls"]) {
    await click(href);
    await expect(page.getByRole("heading", { name: "Came from elsewhere" })).toBeVisible();
    await expect(page).toHaveURL(/\/blog\/moved/);
    await page.goBack();
  }
  for (const href of [`/${username}/feed.json`, "/feed.json"]) {
    await click(href);
    await expect(page.getByText("https://jsonfeed.org/version/1.1")).toBeVisible();
    await expect(page).toHaveURL(href);
    await page.goBack();
  }

  // The server is asked once; going back reuses the answer.
  const documents: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  await click("/nobody-here");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page).toHaveURL("/nobody-here");
  await page.keyboard.press("/");
  await expect(page.getByRole("textbox", { name: "Search" })).toBeFocused();
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await expect(page).toHaveURL("/home");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  expect(documents).toEqual(["/nobody-here"]);
});

test("links the site's feed on every page, and a person's and a tag's on theirs, but no private account's @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog({ title: "Owls", tags: ["c++"] }));
  const page = await open();
  const feeds: [from: string, part: string, to: string][] = [
    ["/home", ".footer", "/feed.xml"],
    [`/${ana.me.username}`, ".profile-head", `/${ana.me.username}/feed.xml`],
    ["/tag/c%2B%2B", ".page-head", "/tag/c%2B%2B/feed.xml"],
  ];
  for (const [from, part, address] of feeds) {
    await page.goto(from);
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === address);
    await page.locator(part).getByRole("link", { name: "Feed", exact: true }).click();
    expect((await answer).headers()["content-type"]).toContain("application/rss+xml");
    await page.waitForURL(address);
  }
  const [, icon = ""] =
    /<image>\s*<url>([^<]+)</.exec(await (await page.request.get("/feed.xml")).text()) ?? [];
  const picture = await page.request.get(new URL(icon).pathname);
  expect([picture.status(), picture.headers()["content-type"]]).toEqual([200, "image/png"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  await page.goto(`/${ana.me.username}`);
  await expect(page.getByRole("heading", { name: "Ana Torres" })).toBeVisible();
  await expect(page.locator(".profile-head").getByRole("link", { name: "Feed" })).toHaveCount(0);
});
