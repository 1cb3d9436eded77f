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
  const talk = await boss.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  await ana.api.comments.create.mutate(aComment(talk, { text: "Such a lovely night" }));
  await ana.api.comments.create.mutate(aComment(talk, { text: "Look at https://pills.example now" }));
  const [desk, other] = [await open(boss), await open(mona)];
  await desk.goto("/admin");
  await desk.getByRole("link", { name: "Blogs", exact: true }).last().click();
  await expect(desk.getByRole("link", { name: "Bread at home" })).toBeVisible();
  await desk.getByRole("searchbox", { name: "Text contains" }).fill("pills");
  await desk.getByRole("button", { name: "Find" }).click();
  await expect(desk.getByRole("link", { name: "Bread at home" })).toHaveCount(0);
  const row = desk.getByRole("listitem").filter({ hasText: "Cheap pills" });
  await other.goto("/admin/blogs?state=taken-down");
  await expect(other.getByText("No blogs")).toBeVisible();
  await row.getByRole("button", { name: "Take down" }).click();
  await desk.getByRole("dialog").getByRole("textbox").fill("It advertises.");
  await desk.getByRole("dialog").getByRole("button", { name: "Take down" }).click();
  await expect(row.getByText("It advertises.")).toBeVisible();
  const theirs = other.getByRole("listitem").filter({ hasText: "Cheap pills" });
  await expect(theirs.getByText("It advertises.")).toBeVisible();
  await desk.getByRole("button", { name: "Undo" }).click();
  await expect(row.getByRole("button", { name: "Take down" })).toBeVisible();
  await expect(other.getByText("No blogs")).toBeVisible();
  await other.goto("/admin/blogs");
  await expect(theirs.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await theirs.getByRole("button", { name: "Read" }).click();
  await expect(other.getByRole("region", { name: "Its text" })).toHaveText("Order today, and tomorrow.");
  // Left open, it would refetch a deleted text.
  await other.getByRole("button", { name: "Close" }).last().click();
  await row.getByRole("button", { name: "Delete" }).click();
  const sure = desk.getByRole("dialog", { name: "Delete “Cheap pills”?" });
  await sure.getByRole("textbox").fill("Sold pills.");
  await sure.getByRole("button", { name: "Delete" }).click();
  await expect(desk.getByText("No results")).toBeVisible();
  await desk.goto("/admin/log");
  await expect(desk.getByText("deleted a blog")).toBeVisible();

  await desk.goto("/admin/comments");
  await expect(desk.getByText("Such a lovely night")).toBeVisible();
  await desk.getByRole("searchbox", { name: "Text contains" }).fill("pills.example");
  await desk.getByRole("searchbox", { name: "Text contains" }).press("Enter");
  await expect(desk.getByText("Such a lovely night")).toHaveCount(0);
  await desk.getByRole("link", { name: "Open comments" }).click();
  await expect(desk.getByRole("article").getByText("Look at")).toBeInViewport();
  await desk.goBack();
  await desk.getByRole("button", { name: "Delete" }).click();
  const why = desk.getByRole("dialog", { name: "Delete this comment?" });
  await why.getByRole("textbox", { name: "Reason (for the log)" }).fill("Spam.");
  await why.getByRole("button", { name: "Delete" }).click();
  await expect(desk.getByText("No results")).toBeVisible();
  await desk.goto("/admin/people");
  const person = desk.getByRole("listitem").filter({ hasText: `@${ana.me.username}` });
  await person.getByRole("button", { name: "More about Ana Torres" }).click();
  await desk.getByRole("menuitem", { name: "Their comments" }).click();
  await expect(desk.getByText("Such a lovely night")).toBeVisible();
});

test("holds a first comment with a link back until a moderator approves it, then shows it at once @more", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana Torres")];
  const blog = await boss.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const [desk, hers] = [await open(boss), await open(ana)];
  await desk.goto("/admin/site");
  const choice = desk.getByRole("radio", { name: "Wait for a moderator or the author" });
  await waitForHydration(choice);
  await choice.click();
  await expect(choice).toBeChecked();
  await expect(desk.getByText("Saved. Open pages change right away.")).toBeVisible();
  await desk.goto("/admin");
  await expect(desk.getByText("No open reports")).toBeVisible();
  await hers.goto(`/blog/${blog.slug}?comments=open`);
  await hers.getByRole("textbox", { name: "Add your comment" }).fill("See https://owls.example");
  await hers.getByRole("button", { name: "Add Comment" }).click();
  const list = desk.getByRole("region", { name: "Pending comments" });
  await expect(list.getByText("See https://owls.example")).toBeVisible();
  await expect(list.getByText("first comment with a link")).toBeVisible();
  await list.getByRole("button", { name: "Approve" }).click();
  await expect(list).toHaveCount(0);
  await expect(hers.locator("li.comment").getByText("owls.example")).toBeVisible();
});
