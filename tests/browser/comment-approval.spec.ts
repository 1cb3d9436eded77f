import { aBlog, aComment } from "../support/sample-content.ts";
import { waitForHydration, expect, sharedTest as test } from "./test-site.ts";

test("shows a pending comment to its writer and the author alone until it is approved or deleted", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.createAccount("Ana Torres"), await site.createAccount("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const [hers, his, guests] = [await open(ana), await open(ben), await open()];
  const path = `/blog/${blog.slug}?comments=open`;
  await Promise.all([hers.goto(path), his.goto(path), guests.goto(path)]);
  const menu = hers.getByRole("button", { name: /^Who can comment/ });
  await waitForHydration(menu);
  await menu.click();
  await hers.getByRole("menuitemradio", { name: "Everyone, after your approval" }).click();
  await expect(menu).toHaveText("Everyone, after your approval");

  const say = async (text: string) => {
    await his.getByRole("textbox", { name: "Add your comment" }).fill(text);
    await his.getByRole("button", { name: "Add Comment" }).click();
  };
  await say("Is this the village?");
  const waits = his.getByRole("region", { name: "Waiting for the author’s approval" });
  await expect(waits.getByText("Is this the village?")).toBeVisible();
  await say("It is.");
  const queue = hers.getByRole("region", { name: /needs? your approval$/ });
  await expect(queue.getByRole("article")).toHaveCount(2);
  await expect(hers.getByRole("button", { name: /^Notifications/ }).first()).toContainText("1");
  await his.reload();
  await expect(waits.getByRole("article")).toHaveCount(2);

  await queue.getByRole("button", { name: "Approve" }).first().click();
  for (const page of [hers, his, guests])
    await expect(page.locator("li.comment").getByText("Is this the village?")).toBeVisible();
  await expect(waits.getByRole("article")).toHaveCount(1);
  await queue.getByRole("button", { name: "Delete" }).click();
  await hers.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(waits).toHaveCount(0);
  await expect(hers.getByText("It is.")).toHaveCount(0);
  await expect(guests.locator("li.comment")).toHaveCount(1);
});

test("pins and hides comments in every window; a hidden one can be shown @more", async ({ site, open }) => {
  const [ana, ben] = [await site.createAccount("Ana Torres"), await site.createAccount("Ben Oke")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  for (const text of ["The rules of this talk", "Rude words", "Something kind"])
    await ben.api.comments.create.mutate(aComment(blog, { text }));
  const [hers, his] = [await open(ana), await open(ben)];
  const path = `/blog/${blog.slug}?comments=open`;
  await Promise.all([hers.goto(path), his.goto(path)]);
  const row = (page: typeof hers, text: string) => page.locator("li.comment").filter({ hasText: text });
  const choose = async (text: string, name: string) => {
    const more = row(hers, text).getByRole("button", { name: /^More about/ });
    await waitForHydration(more);
    await more.click();
    await hers.getByRole("menuitem", { name }).click();
  };
  await choose("The rules of this talk", "Pin to the top");
  for (const page of [hers, his]) {
    await expect(page.locator("li.comment").first()).toContainText("The rules of this talk");
    await expect(row(page, "The rules of this talk")).toContainText("Pinned");
  }
  await choose("Rude words", "Hide");
  for (const page of [hers, his]) await expect(page.getByText("Rude words")).toHaveCount(0);
  await his.reload();
  await expect(his.locator("li.comment").first()).toContainText("The rules of this talk");
  const folded = row(his, "Hidden by the author of the blog");
  await waitForHydration(folded.getByRole("button", { name: "Show" }));
  await folded.getByRole("button", { name: "Show" }).click();
  await expect(his.getByText("Rude words")).toBeVisible();
  await row(hers, "Hidden by the author").getByRole("button", { name: "Show" }).click();
  await choose("Rude words", "Show to everybody");
  await expect(row(hers, "Rude words")).toBeVisible();
  await choose("The rules of this talk", "Unpin");
  for (const page of [hers, his])
    await expect(page.locator("li.comment").first()).toContainText("Something kind");
});
