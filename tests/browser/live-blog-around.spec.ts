import { expect, sharedTest as test, visit, waitUntilUsable } from "./test-site.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { expectAccessible, startLiveBlog } from "./live-blog-page.ts";

test("an entry has an address, with its own title, which shows it before all others", async ({
  site,
  open,
}) => {
  const [ana, eve] = await site.createAccounts("Ana Torres", "Eve Lund");
  const { slug, post } = await startLiveBlog(ana, 35);
  const goal = await post("GOAL! 3–0", { isKey: true });
  const reader = await open(eve);
  await visit(reader, `/blog/${slug}`);
  const row = reader.getByRole("listitem").getByRole("article", { name: "GOAL! 3–0" });
  await row.getByRole("link").first().click();
  await expect(reader).toHaveURL(new RegExp(`/blog/${slug}/${goal.id}$`));
  await expect(reader).toHaveTitle(/^GOAL! 3–0 · The cup final/);
  const linked = reader.getByRole("region", { name: "The entry you followed a link to" });
  await expect(linked.getByRole("heading", { name: "GOAL! 3–0" })).toBeInViewport();
  await reader.reload();
  await waitUntilUsable(reader);
  await expect(linked.getByRole("heading", { name: "GOAL! 3–0" })).toBeInViewport();
  await expectAccessible(reader, "linked");
  await linked.getByRole("link", { name: "Show it among the other entries" }).click();
  await expect(row).toBeInViewport();

  // A reply begins with a quote.
  await row.getByRole("button", { name: "Reply" }).click();
  const field = reader.getByRole("textbox", { name: "Add your comment" });
  await expect(field).toHaveValue("> GOAL! 3–0\n\n");

  await ana.api.blogs.withdrawEntry.mutate({ id: goal.id, withdrawn: true });
  await expect(linked.getByText("was withdrawn")).toBeVisible();
  const answer = await reader.request.get(`/blog/${slug}/${goal.id}`);
  expect(answer.status()).toBe(404);
  expect((await reader.request.get(`/blog/${slug}/nonsense`)).status()).toBe(404);
});

test("a search finds an entry, leads to it, and forgets it when it is withdrawn", async ({ site, open }) => {
  const [ana] = await site.createAccounts("Ana Torres");
  const { slug, post } = await startLiveBlog(ana, 2);
  const reader = await open();
  await visit(reader, "/search?q=zeppelin");
  await expect(reader.getByText("Try other words")).toBeVisible();
  const entry = await post("A zeppelin over the stadium");
  const found = reader.getByRole("article").filter({ hasText: "The cup final" });
  const link = found.getByRole("link", { name: /^A zeppelin over/ });
  await expect(link.locator("mark").first()).toHaveText("zeppelin");
  await expectAccessible(reader, "found");
  await link.click();
  await expect(reader).toHaveURL(new RegExp(`/blog/${slug}/${entry.id}$`));
  await expect(
    reader
      .getByRole("region", { name: "The entry you followed a link to" })
      .getByRole("heading", { name: /zeppelin/ }),
  ).toBeInViewport();
  await reader.goBack();
  await expect(link).toBeVisible();
  await ana.api.blogs.withdrawEntry.mutate({ id: entry.id, withdrawn: true });
  await expect(found).toHaveCount(0);
});

test("followers and the home page hear of a live blog, and its writers see on every page that it is on air", async ({
  site,
  open,
}) => {
  const [ana, eve] = await site.createAccounts("Ana Torres", "Eve Lund");
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const reader = await open(eve);
  await visit(reader, "/home");
  const guest = await open();
  await visit(guest, "/");
  const writer = await open(ana);
  await visit(writer, "/settings");

  const { id, slug } = await startLiveBlog(ana, 1);
  for (const page of [reader, guest])
    await expect(
      page.getByRole("region", { name: "Live now" }).locator(`a[href="/blog/${slug}"]`),
    ).toBeVisible();
  await expect(
    reader.getByRole("article").filter({ hasText: "The cup final" }).getByText("Live").first(),
  ).toBeVisible();
  await expect
    .poll(async () => (await eve.api.social.notifications.query()).notifications.map(({ kind }) => kind))
    .toContain("live");
  await reader.goto("/notifications");
  await expect(reader.getByRole("main")).toContainText("is live: “The cup final”");

  const bar = writer.getByRole("complementary", { name: "On air" });
  await expect(bar).toContainText("0 comments");
  await eve.api.comments.create.mutate({ id: newId(), blogId: id, parentId: null, text: "Go!" });
  await expect(bar).toContainText("1 comment");
  await expectAccessible(writer, "bar");
  await bar.getByRole("button", { name: "End…" }).click();
  await writer.getByRole("button", { name: "End", exact: true }).click();
  await expect(bar).toHaveCount(0);
  await reader.goto("/home");
  for (const page of [reader, guest])
    await expect(
      page.getByRole("region", { name: "Live now" }).locator(`a[href="/blog/${slug}"]`),
    ).toHaveCount(0);
});
