import { aBlog, aComment } from "../support/sample-content.ts";
import { waitForHydration, expect, sharedTest as test } from "./test-site.ts";

test("shows a pending comment to its writer and the author alone until it is approved or deleted", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const [anaPage, benPage, guestPage] = [await open(ana), await open(ben), await open()];
  const path = `/blog/${blog.slug}?comments=open`;
  await Promise.all([anaPage.goto(path), benPage.goto(path), guestPage.goto(path)]);
  const menu = anaPage.getByRole("button", { name: /^Who can comment/ });
  await waitForHydration(menu);
  await menu.click();
  await anaPage.getByRole("menuitemradio", { name: "Everyone, after your approval" }).click();
  await expect(menu).toHaveText("Everyone, after your approval");

  const postComment = async (text: string) => {
    await benPage.getByRole("textbox", { name: "Add your comment" }).fill(text);
    await benPage.getByRole("button", { name: "Add Comment" }).click();
  };
  await postComment("Is this the village?");
  const pending = benPage.getByRole("region", { name: "Waiting for the author’s approval" });
  await expect(pending.getByText("Is this the village?")).toBeVisible();
  await postComment("It is.");
  const queue = anaPage.getByRole("region", { name: /needs? your approval$/ });
  await expect(queue.getByRole("article")).toHaveCount(2);
  await expect(anaPage.getByRole("button", { name: /^Notifications/ }).first()).toContainText("1");
  await benPage.reload();
  await expect(pending.getByRole("article")).toHaveCount(2);

  await queue.getByRole("button", { name: "Approve" }).first().click();
  for (const page of [anaPage, benPage, guestPage])
    await expect(page.locator("li.comment").getByText("Is this the village?")).toBeVisible();
  await expect(pending.getByRole("article")).toHaveCount(1);
  await queue.getByRole("button", { name: "Delete" }).click();
  await anaPage.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(pending).toHaveCount(0);
  await expect(anaPage.getByText("It is.")).toHaveCount(0);
  await expect(guestPage.locator("li.comment")).toHaveCount(1);
});

test("pins and hides comments in every window; a hidden one can be shown @more", async ({ site, open }) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  for (const text of ["The rules of this talk", "Rude words", "Something kind"])
    await ben.api.comments.create.mutate(aComment(blog, { text }));
  const [anaPage, benPage] = [await open(ana), await open(ben)];
  const path = `/blog/${blog.slug}?comments=open`;
  await Promise.all([anaPage.goto(path), benPage.goto(path)]);
  const row = (page: typeof anaPage, text: string) => page.locator("li.comment").filter({ hasText: text });
  const choose = async (text: string, name: string) => {
    const more = row(anaPage, text).getByRole("button", { name: /^More about/ });
    await waitForHydration(more);
    await more.click();
    await anaPage.getByRole("menuitem", { name }).click();
  };
  await choose("The rules of this talk", "Pin to the top");
  for (const page of [anaPage, benPage]) {
    await expect(page.locator("li.comment").first()).toContainText("The rules of this talk");
    await expect(row(page, "The rules of this talk")).toContainText("Pinned");
  }
  await choose("Rude words", "Hide");
  for (const page of [anaPage, benPage]) await expect(page.getByText("Rude words")).toHaveCount(0);
  await benPage.reload();
  await expect(benPage.locator("li.comment").first()).toContainText("The rules of this talk");
  const hiddenComment = row(benPage, "Hidden by the author of the blog");
  await waitForHydration(hiddenComment.getByRole("button", { name: "Show" }));
  await hiddenComment.getByRole("button", { name: "Show" }).click();
  await expect(benPage.getByText("Rude words")).toBeVisible();
  await row(anaPage, "Hidden by the author").getByRole("button", { name: "Show" }).click();
  await choose("Rude words", "Show to everyone");
  await expect(row(anaPage, "Rude words")).toBeVisible();
  await choose("The rules of this talk", "Unpin");
  for (const page of [anaPage, benPage])
    await expect(page.locator("li.comment").first()).toContainText("Something kind");
});
