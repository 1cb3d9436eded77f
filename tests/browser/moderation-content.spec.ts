import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { waitForHydration, expect, test } from "./test-site.ts";

test("shows on other moderators' pages what one takes down, restores and deletes without a report @more", async ({
  site,
  open,
}) => {
  const [boss, mona, ana] = [
    await site.createAccount("Boss"),
    await site.createAccount("Mona Reyes"),
    await site.createAccount("Ana Torres"),
  ];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  await ana.api.blogs.create.mutate(aBlog({ title: "Bread at home" }));
  await ana.api.blogs.create.mutate(
    aBlog({ title: "Cheap pills", document: paragraphs("Order today, and tomorrow.") }),
  );
  const blog = await boss.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  await ana.api.comments.create.mutate(aComment(blog, { text: "Such a lovely night" }));
  await ana.api.comments.create.mutate(aComment(blog, { text: "Look at https://pills.example now" }));
  const [adminPage, moderatorPage] = [await open(boss), await open(mona)];
  await adminPage.goto("/admin");
  await adminPage.getByRole("link", { name: "Blogs", exact: true }).last().click();
  await expect(adminPage.getByRole("link", { name: "Bread at home" })).toBeVisible();
  await adminPage.getByRole("searchbox", { name: "Written by" }).fill("@part");
  await adminPage.getByRole("button", { name: "Show" }).click();
  await expect(adminPage.getByText("Enter a whole username.")).toBeVisible();
  await adminPage.getByRole("searchbox", { name: "Written by" }).fill(`@${ana.me.username}`);
  await adminPage.getByRole("button", { name: "Show" }).click();
  await expect(adminPage.getByRole("link", { name: "Owls" })).toHaveCount(0);
  const row = adminPage.getByRole("listitem").filter({ hasText: "Cheap pills" });
  await moderatorPage.goto("/admin/blogs?state=taken-down");
  await expect(moderatorPage.getByText("No blogs")).toBeVisible();
  await row.getByRole("button", { name: "Take down" }).click();
  await adminPage.getByRole("dialog").getByRole("textbox").fill("It advertises.");
  await adminPage.getByRole("dialog").getByRole("button", { name: "Take down" }).click();
  await expect(row.getByText("It advertises.")).toBeVisible();
  const moderatorRow = moderatorPage.getByRole("listitem").filter({ hasText: "Cheap pills" });
  await expect(moderatorRow.getByText("It advertises.")).toBeVisible();
  await adminPage.getByRole("button", { name: "Undo" }).click();
  await expect(row.getByRole("button", { name: "Take down" })).toBeVisible();
  await expect(moderatorPage.getByText("No blogs")).toBeVisible();
  await moderatorPage.goto("/admin/blogs");
  await expect(moderatorRow.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await moderatorRow.getByRole("button", { name: "Read" }).click();
  await expect(moderatorPage.getByRole("region", { name: "Its text" })).toHaveText(
    "Order today, and tomorrow.",
  );
  // Left open, it would refetch a deleted text.
  await moderatorPage.getByRole("button", { name: "Close" }).last().click();
  await row.getByRole("button", { name: "Delete" }).click();
  const dialog = adminPage.getByRole("dialog", { name: "Delete “Cheap pills”?" });
  await dialog.getByRole("textbox").fill("Sold pills.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);
  await adminPage.goto("/admin/log");
  await expect(adminPage.getByText("deleted a blog")).toBeVisible();

  await adminPage.goto("/admin/comments");
  await expect(adminPage.getByText("Such a lovely night")).toBeVisible();
  const link = adminPage.getByRole("link", { name: "Open comments" });
  const comment = adminPage.getByRole("listitem").filter({ hasText: "pills.example", has: link });
  await comment.getByRole("link", { name: "Open comments" }).click();
  await expect(adminPage.getByRole("article").getByText("Look at")).toBeInViewport();
  await adminPage.goBack();
  await comment.getByRole("button", { name: "Delete" }).click();
  const reasonDialog = adminPage.getByRole("dialog", { name: "Delete this comment?" });
  await reasonDialog.getByRole("textbox", { name: "Reason (optional, for the log)" }).fill("Spam.");
  await reasonDialog.getByRole("button", { name: "Delete" }).click();
  await expect(comment).toHaveCount(0);
  await adminPage.goto("/admin/people");
  const person = adminPage.getByRole("listitem").filter({ hasText: `@${ana.me.username}` });
  await person.getByRole("button", { name: "More about Ana Torres" }).click();
  await adminPage.getByRole("menuitem", { name: "Their comments" }).click();
  await expect(adminPage.getByText("Such a lovely night")).toBeVisible();
});

test("holds a first comment with a link back until a moderator approves it, then shows it at once @more", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana Torres")];
  const blog = await boss.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const [adminPage, anaPage] = [await open(boss), await open(ana)];
  await adminPage.goto("/admin/site");
  const choice = adminPage.getByRole("radio", { name: "Wait for a moderator or the author" });
  await waitForHydration(choice);
  await choice.click();
  await expect(choice).toBeChecked();
  await expect(adminPage.getByText("Saved. Open pages change right away.")).toBeVisible();
  await adminPage.goto("/admin");
  await expect(adminPage.getByText("No open reports")).toBeVisible();
  await anaPage.goto(`/blog/${blog.slug}?comments=open`);
  await anaPage.getByRole("textbox", { name: "Add your comment" }).fill("See https://owls.example");
  await anaPage.getByRole("button", { name: "Add Comment" }).click();
  const list = adminPage.getByRole("region", { name: "Pending comments" });
  await expect(list.getByText("See https://owls.example")).toBeVisible();
  await expect(list.getByText("first comment with a link")).toBeVisible();
  await list.getByRole("button", { name: "Approve" }).click();
  await expect(list).toHaveCount(0);
  await expect(anaPage.locator("li.comment").getByText("owls.example")).toBeVisible();
});
