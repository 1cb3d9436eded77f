import path from "node:path";
import { mailedToken } from "../support/browser.ts";
import { slow } from "../support/until.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { waitForHydration, expect, allowErrors, logIn, password, test } from "./test-site.ts";

test("takes a reported blog down and restores it on every open page", async ({ site, open }) => {
  test.setTimeout(slow);
  const [boss, ana, ben] = [
    await site.createAccount("Boss"),
    await site.createAccount("Ana Torres"),
    await site.createAccount("Ben Kaya"),
  ];
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Cheap owls" }));

  const adminPage = await open(boss);
  await adminPage.goto("/admin");
  await expect(adminPage.getByText("No open reports")).toBeVisible();

  const reader = await open(ben);
  await reader.goto(`/blog/${slug}`);
  await reader.getByRole("button", { name: "More about Ana Torres" }).click();
  await reader.getByRole("menuitem", { name: "Report this blog" }).click();
  const dialog = reader.getByRole("dialog", { name: "Report this blog" });
  await dialog.getByRole("button", { name: "Report" }).click();
  await expect(dialog.getByText("Please choose a reason.")).toBeVisible();
  await dialog.getByRole("radio", { name: "Spam or a scam" }).check();
  await dialog.getByRole("textbox").fill("It sells owls.");
  await dialog.getByRole("button", { name: "Report" }).click();
  await expect(reader.getByText("Thank you. Moderators will review it.")).toBeVisible();

  await expect(adminPage.getByText("It sells owls.")).toBeVisible();
  const author = await open(ana);
  await author.goto(`/blog/${slug}`);
  allowErrors(reader);
  await adminPage.getByRole("button", { name: "Take down" }).click();
  const takedownDialog = adminPage.getByRole("dialog", { name: "Take this blog down?" });
  await takedownDialog.getByRole("textbox").fill("It advertises.");
  await takedownDialog.getByRole("button", { name: "Take down" }).click();
  await expect(adminPage.getByText("No open reports")).toBeVisible();
  await expect(reader.getByRole("heading", { name: "Cheap owls" })).toHaveCount(0);
  const note = author.getByRole("complementary", { name: "Taken down" });
  await expect(note).toContainText("It advertises.");
  await note.getByRole("button", { name: "Ask for a review" }).click();
  const appeal = author.getByRole("dialog", { name: "Ask for a review" });
  await appeal.getByRole("textbox").fill("They are a gift.");
  await appeal.getByRole("button", { name: "Send request" }).click();
  await expect(adminPage.getByText("They are a gift.")).toBeVisible();
  await adminPage.getByRole("button", { name: "Restore" }).click();
  const restoreDialog = adminPage.getByRole("dialog", { name: "Restore this blog?" });
  await restoreDialog.getByRole("textbox").fill("A gift is fine.");
  await restoreDialog.getByRole("button", { name: "Restore" }).click();
  await expect(note).toHaveCount(0);
  await reader.goto(`/blog/${slug}`);
  await expect(reader.getByRole("heading", { name: "Cheap owls" })).toBeVisible();

  await adminPage.getByRole("link", { name: "Log", exact: true }).click();
  await expect(adminPage.getByText(`@${boss.me.username} restored the blog “Cheap owls”`)).toBeVisible();
});

test("signs a suspended person out at once, and Undo lifts the suspension", async ({ site, open }) => {
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana Torres")];
  await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const [adminPage, anaPage] = [await open(boss), await open(ana)];
  await anaPage.goto("/settings");
  await waitForHydration(anaPage.getByRole("button", { name: "Delete Account" }));
  await adminPage.goto("/admin/people");
  const row = adminPage.getByRole("listitem").filter({ hasText: `@${ana.me.username}` });
  allowErrors(anaPage);
  await row.getByRole("button", { name: "Suspend" }).click();
  await adminPage.getByRole("dialog").getByRole("textbox").fill("Spam.");
  await adminPage.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  await expect(row.getByText("Spam.")).toBeVisible();
  await expect(anaPage).toHaveURL(/signin/);
  await adminPage.getByRole("button", { name: "Undo" }).click();
  await expect(row.getByRole("button", { name: "Suspend" })).toBeVisible();
  await adminPage.goto("/home");
  await expect(adminPage.getByRole("link", { name: "Owls" }).first()).toBeVisible();
});

test("hides a limited person's comments at once from all but themselves and their followers @more", async ({
  site,
  open,
}) => {
  test.setTimeout(slow);
  const [boss, ana, ben, fay] = [
    await site.createAccount("Boss"),
    await site.createAccount("Ana Torres"),
    await site.createAccount("Ben Kaya"),
    await site.createAccount("Fay Lund"),
  ];
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const blog = await ben.api.blogs.create.mutate(aBlog({ title: "Night owls" }));
  await ana.api.comments.create.mutate(aComment(blog, { text: "What a silly text." }));
  const [adminPage, benPage, anaPage, fayPage] = [
    await open(boss),
    await open(ben),
    await open(ana),
    await open(fay),
  ];
  for (const page of [benPage, anaPage, fayPage]) {
    await page.goto(`/blog/${blog.slug}?comments=open`);
    await expect(page.getByText("What a silly text.")).toBeVisible();
  }
  await adminPage.goto("/admin/people");
  const row = adminPage.getByRole("listitem").filter({ hasText: `@${ana.me.username}` });
  await row.getByRole("button", { name: "Limit" }).click();
  const dialog = adminPage.getByRole("dialog", { name: "Limit Ana Torres?" });
  await dialog.getByRole("textbox").fill("Rude to everybody.");
  await dialog.getByRole("button", { name: "Limit" }).click();
  await expect(row.getByText("Rude to everybody.")).toBeVisible();
  await expect(benPage.getByText("What a silly text.")).toHaveCount(0);
  await anaPage.getByRole("textbox", { name: "Add your comment" }).fill("Nobody answers?");
  await anaPage.getByRole("button", { name: "Add Comment" }).click();
  await expect(fayPage.getByText("Nobody answers?")).toBeVisible();
  for (const page of [anaPage, fayPage]) await expect(page.getByText("What a silly text.")).toBeVisible();
  await expect(benPage.getByText("Nobody answers?")).toHaveCount(0);
  await row.getByRole("button", { name: "Remove limit" }).click();
  await expect(benPage.getByText("Nobody answers?")).toBeVisible();
});

test("shares staff notes live, and deletes an account after typing its username @more", async ({
  site,
  open,
}) => {
  const [boss, mona, ana] = [
    await site.createAccount("Boss"),
    await site.createAccount("Mona"),
    await site.createAccount("Ana Torres"),
  ];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  const [adminPage, moderatorPage] = [await open(boss), await open(mona)];
  for (const page of [adminPage, moderatorPage]) await page.goto("/admin/people");
  // Open notes about a deleted person are fetched once more, which fails.
  for (const page of [adminPage, moderatorPage]) allowErrors(page);
  const rowOn = (page: typeof adminPage) =>
    page.getByRole("listitem").filter({ hasText: `@${ana.me.username}` });
  for (const page of [adminPage, moderatorPage]) {
    await rowOn(page).getByRole("button", { name: "More about Ana Torres" }).click();
    await page.getByRole("menuitem", { name: "Notes" }).click();
  }
  const [adminDialog, moderatorDialog] = [adminPage, moderatorPage].map((page) =>
    page.getByRole("dialog", { name: "Notes about Ana Torres" }),
  );
  await expect(moderatorDialog!.getByText("There are no notes yet.")).toBeVisible();
  await adminDialog!.getByRole("textbox").fill("Asked to be kinder.");
  await adminDialog!.getByRole("button", { name: "Save note" }).click();
  await expect(moderatorDialog!.getByText("Asked to be kinder.")).toBeVisible();
  await expect(moderatorDialog!.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await adminDialog!.getByRole("button", { name: "Close" }).last().click();
  await expect(rowOn(adminPage).getByText("1 note")).toBeVisible();
  await rowOn(adminPage).getByRole("button", { name: "More about Ana Torres" }).click();
  await adminPage.getByRole("menuitem", { name: "Delete account" }).click();
  const deleteDialog = adminPage.getByRole("alertdialog", { name: "Delete the account of Ana Torres?" });
  await deleteDialog.getByRole("textbox").fill("somebody");
  await deleteDialog.getByRole("button", { name: "Delete account" }).click();
  await expect(deleteDialog.getByText(`Please type ${ana.me.username}.`)).toBeVisible();
  await deleteDialog.getByRole("textbox").fill(ana.me.username);
  await deleteDialog.getByRole("button", { name: "Delete account" }).click();
  await expect(rowOn(adminPage)).toHaveCount(0);
});

test("signs up by invitation or after a moderator's approval of an answer, and blocks a mail domain @more", async ({
  site,
  open,
}) => {
  test.setTimeout(slow);
  const boss = await site.createAccount("Boss");
  const mona = await site.createAccount("Mona");
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  const [adminPage, moderatorPage, guest] = [await open(boss), await open(mona), await open()];
  await adminPage.goto("/admin/sign-up");
  await waitForHydration(adminPage.getByRole("radio", { name: /By invitation/ }));
  await adminPage.getByRole("radio", { name: /By invitation/ }).check();
  await expect(adminPage.getByText("Only people with an invitation can sign up.")).toBeVisible();
  await guest.goto("/signup");
  await expect(guest.getByText("You need an invitation to join.")).toBeVisible();
  const send = guest.getByRole("button", { name: "Sign Up" });
  await expect(send).toHaveCount(0);
  await adminPage.getByRole("button", { name: "Create link" }).click();
  const link = adminPage.getByRole("listitem").locator("code");
  await expect(adminPage.getByText("Used 0 of 1 time")).toBeVisible();
  const { pathname, search } = new URL((await link.textContent()) ?? "");
  const signUp = async (name: string, email: string) => {
    await guest.getByRole("textbox", { name: "Name" }).fill(name);
    await guest.getByRole("textbox", { name: "Email" }).fill(email);
    await guest.getByRole("textbox", { name: "Password" }).fill(password);
    await send.click();
  };
  await guest.goto(pathname + search);
  await signUp("Dora", "dora@example.org");
  await expect(guest).toHaveURL(/signin/);
  const outbox = path.join(site.dataDir, "outbox");
  await guest.goto(`/verify-email/${await mailedToken(outbox, "dora@example.org", "verify-email")}`);
  await expect(guest).toHaveURL(/signin/);
  await adminPage.reload();
  await expect(adminPage.getByText("Used 1 of 1 time")).toBeVisible();
  await guest.goto(pathname + search);
  await expect(
    guest.getByText("This invitation has already been used. Please ask for a new link."),
  ).toBeVisible();
  await expect(send).toHaveCount(0);

  await waitForHydration(adminPage.getByRole("radio", { name: /With approval/ }));
  await adminPage.getByRole("radio", { name: /With approval/ }).check();
  await adminPage.getByRole("textbox", { name: "Question" }).fill("Which owl is yours?");
  await adminPage.getByRole("button", { name: "Save question" }).click();
  await expect(adminPage.getByText("Question saved.")).toBeVisible();
  await moderatorPage.goto("/admin/waiting");
  await expect(moderatorPage.getByText("No sign-up requests")).toBeVisible();
  await guest.goto("/signup");
  await signUp("Cleo", "cleo@example.org");
  await expect(guest.getByText("Please answer this.")).toBeVisible();
  await guest.getByRole("textbox", { name: "Which owl is yours?" }).fill("The barn owl.");
  await send.click();
  await expect(guest).toHaveURL(/signin/);
  await guest.goto(`/verify-email/${await mailedToken(outbox, "cleo@example.org", "verify-email")}`);
  await expect(guest.getByRole("heading", { name: "Almost there" })).toBeVisible();
  const row = moderatorPage.getByRole("listitem").filter({ hasText: "The barn owl." });
  await expect(row).toBeVisible();
  allowErrors(guest);
  await guest.goto("/signin");
  await logIn(guest, "cleo@example.org");
  await expect(guest.getByText("Moderators haven’t approved your account yet.")).toBeVisible();
  await row.getByRole("button", { name: "Approve" }).click();
  await expect(row).toHaveCount(0);
  await guest.getByRole("button", { name: "Log In" }).click();
  await expect(guest).not.toHaveURL(/signin/);

  allowErrors(adminPage);
  const box = adminPage.getByRole("textbox", { name: /Block sign-ups from/ });
  await box.fill("nothing");
  await adminPage.getByRole("button", { name: "Block" }).click();
  await expect(adminPage.getByText(/Enter an email domain like/)).toBeVisible();
  await box.fill("spam.example");
  await adminPage.getByRole("button", { name: "Block" }).click();
  await expect(adminPage.getByText("spam.example", { exact: true })).toBeVisible();
  await adminPage.getByRole("button", { name: "Unblock spam.example" }).click();
  await expect(adminPage.getByText("No blocked domains or networks.")).toBeVisible();
});
