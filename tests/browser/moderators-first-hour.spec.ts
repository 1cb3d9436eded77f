import { slow } from "../support/until.ts";
import { aBlog } from "../support/sample-content.ts";
import { allowErrors, expect, test } from "./test-site.ts";

test("walks a report, a takedown and its appeal through the browsers of reporter, author and moderator", async ({
  site,
  open,
}) => {
  test.setTimeout(slow);
  const [boss, mona, ana, ben] = [
    await site.createAccount("Boss"),
    await site.createAccount("Mona"),
    await site.createAccount("Ana Torres"),
    await site.createAccount("Ben Kaya"),
  ];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Cheap owls" }));
  const [moderator, author, reporter] = [await open(mona), await open(ana), await open(ben)];
  await moderator.goto("/home");
  await author.goto("/notifications");

  // The moderator hears of the report wherever they are.
  await reporter.goto(`/blog/${slug}`);
  await reporter.getByRole("button", { name: "More about Ana Torres" }).click();
  await reporter.getByRole("menuitem", { name: "Report this blog" }).click();
  const report = reporter.getByRole("dialog", { name: "Report this blog" });
  await report.getByRole("radio", { name: "Spam or a scam" }).check();
  await report.getByRole("button", { name: "Report" }).click();
  await moderator.getByRole("button", { name: "Notifications, 1 new" }).click();
  const notice = moderator.getByRole("link", { name: /New reports are waiting for a decision/ });
  await expect(notice).toBeVisible();
  await moderator.keyboard.press("Escape");
  await moderator.getByRole("button", { name: "Menu of Mona" }).click();
  const entry = moderator.getByRole("menuitem", { name: "Moderation" });
  await expect(entry).toContainText("1");
  await entry.click();
  const reportsTab = moderator
    .getByRole("navigation", { name: "Moderation" })
    .getByRole("link", { name: "Reports" });
  await expect(reportsTab).toContainText("1");

  const item = moderator.getByRole("main").getByRole("listitem").filter({ hasText: "Cheap owls" });

  // A dismissal can be undone; a takedown needs a reason, which the report proposes.
  await item.getByRole("button", { name: "Dismiss" }).click();
  await expect(moderator.getByText("No open reports")).toBeVisible();
  await expect(reportsTab).toHaveText("Reports");
  await moderator.getByRole("button", { name: "Undo" }).click();
  allowErrors(reporter);
  await moderator.getByRole("button", { name: "Take down" }).click();
  const takedown = moderator.getByRole("dialog", { name: "Take this blog down?" });
  const reason = takedown.getByRole("textbox");
  await expect(reason).toHaveValue("Spam or a scam");
  await reason.fill(" ");
  await takedown.getByRole("button", { name: "Take down" }).click();
  await expect(takedown.getByText("Please give a reason.")).toBeVisible();
  await reason.fill("It advertises.");
  await takedown.getByRole("button", { name: "Take down" }).click();
  await expect(moderator.getByText("No open reports")).toBeVisible();

  // The author is told why, and asks once for a review.
  const told = author.getByRole("link", { name: /Moderators took down “Cheap owls”/ });
  await expect(told).toContainText("It advertises.");
  await told.click();
  const note = author.getByRole("complementary", { name: "Taken down" });
  await note.getByRole("button", { name: "Ask for a review" }).click();
  const appeal = author.getByRole("dialog", { name: "Ask for a review" });
  await appeal.getByRole("button", { name: "Send request" }).click();
  await expect(appeal.getByText("Please say why it should be restored.")).toBeVisible();
  await appeal.getByRole("textbox").fill("They are a gift.");
  await appeal.getByRole("button", { name: "Send request" }).click();
  await expect(note.getByText(/You asked for a review on/)).toBeVisible();
  await expect(note.getByRole("button")).toHaveCount(0);

  await expect(moderator.getByText("Asks for a review")).toBeVisible();
  await item.getByRole("button", { name: "Dismiss" }).click();
  const dismissal = moderator.getByRole("dialog", { name: "Dismiss this request?" });
  await dismissal.getByRole("textbox").fill("It still does.");
  await dismissal.getByRole("button", { name: "Dismiss" }).click();
  await expect(note.getByText(/Moderators answered on .* and didn’t restore it/)).toBeVisible();
  await expect(note.getByText("It still does.")).toBeVisible();

  // Each reads what concerns them, once.
  await author.goto("/notifications");
  const entriesOf = (page: typeof author) => page.getByRole("link", { name: /Moderators/ });
  await expect(entriesOf(author)).toHaveText([
    /Moderators reviewed “Cheap owls” again and didn’t restore it.*It still does\./,
    /Moderators took down/,
  ]);
  await reporter.goto("/notifications");
  await expect(entriesOf(reporter)).toHaveText([/Moderators reviewed your report and took action/]);

  // The role is lost on the open page.
  allowErrors(moderator);
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: false });
  await expect(moderator.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await ben.api.moderation.report.mutate({ kind: "profile", id: ana.me.id, reason: "spam" });
  await moderator.goto("/notifications");
  await expect(moderator.getByText(/New reports/)).toHaveCount(0);
});
