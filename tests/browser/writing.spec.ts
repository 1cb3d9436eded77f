import path from "node:path";
import type { Page } from "@playwright/test";
import { mailedToken } from "../support/browser.ts";
import { paint } from "../support/pictures.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { content, openPublishSheet, expectSaved, openToolbar } from "./editor-helpers.ts";
import { expect, allowErrors, password, sharedTest as test, test as alone } from "./test-site.ts";

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const article = (page: Page) => page.getByRole("main").getByRole("article").first();
const connectionError = "check your internet connection dude.";

alone("signs up, confirms the mailed link, signs in and chooses interests", async ({ site, open }) => {
  const page = await open();
  const email = "dora@example.org";
  await page.goto("/");
  await page.getByRole("link", { name: "Sign Up" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Dora Vale");
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill("short");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page).toHaveURL(/\/signin$/);
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await expect(page.getByText(`The email to ${email} is`)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
  await page.getByRole("button", { name: "Send the email again" }).click();
  await expect(page.getByRole("status").filter({ hasText: /mail/ }).last()).not.toBeEmpty();

  await page.goto(
    `/verify-email/${await mailedToken(path.join(site.dataDir, "outbox"), email, "verify-email")}`,
  );
  await expect(page).toHaveURL(/\/signin$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Show password" }).click();
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL(/\/select-interests$/);
  await page.getByText("Chess", { exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole("button", { name: "Menu of Dora Vale" })).toBeVisible();
  await expect(page.getByText("No blogs yet")).toBeVisible();
});

test("publishes a blog as it was written in the editor", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await title(page).fill("Owls of the valley");
  await openPublishSheet(page);
  await page.getByRole("textbox", { name: "Description" }).fill("Five of them, by ear.");
  const tags = page.getByRole("textbox", { name: "Tags" });
  await tags.pressSequentially("owl1,owl2, ");
  await expect(page.getByRole("button", { name: /^Remove owl/ })).toHaveCount(2);
  await expect(tags).toHaveValue("");
  for (let number = 3; number <= 10; number++) {
    await tags.fill(`owl${number}`);
    await tags.press("Enter");
  }
  await expect(page.getByText("Tags remaining: 0")).toBeVisible();
  await tags.fill("owl11");
  await tags.press("Enter");
  await expect(tags).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("button", { name: /^Remove owl/ })).toHaveCount(10);
  await tags.fill("");

  await content(page).click();
  for (const line of ["## At dusk", "They **call** and _answer_, ", "- Tawny", "Barn"]) {
    await page.keyboard.type(line);
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+B");
  await page.keyboard.type("Listen.");
  await page.keyboard.press("Control+B");
  await page.keyboard.type(" No more.");
  await page.keyboard.press("Enter");

  const chooser = page.waitForEvent("filechooser");
  await (await openToolbar(page)).getByRole("button", { name: "Image", exact: true }).click();
  await (await chooser).setFiles({ name: "owl.png", mimeType: "image/png", buffer: await paint() });
  await expect(content(page).locator("img[src^='/media/']")).toBeVisible();
  await page.getByRole("button", { name: "Add alt text" }).click();
  await page.getByRole("textbox", { name: "What does the picture show?" }).fill("An owl on a beam");
  await page.getByRole("button", { name: "Done" }).click();
  await page
    .getByLabel("Cover image")
    .setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: await paint(600, 400) });
  await expect(page.getByRole("button", { name: "Remove cover" })).toBeVisible();
  await expect(page.locator(".cover-picture[src^='/media/']")).toBeVisible();

  await page.getByRole("button", { name: "Publish Blog" }).click();
  await expect(page).toHaveURL(/\/blog\/owls-of-the-valley/);
  const read = article(page);
  await expect(read.getByRole("heading", { name: "At dusk" })).toBeVisible();
  await expect(read.locator("strong")).toHaveText(["call", "Listen."]);
  await expect(read.locator("em")).toHaveText("answer");
  await expect(read.locator(".prose li, ul li").filter({ hasText: /^(Tawny|Barn)$/ })).toHaveCount(2);
  await expect(read.getByRole("img", { name: "An owl on a beam" })).toBeVisible();
  await expect(read.getByText("Five of them, by ear.")).toBeVisible();
  await expect(read.getByText("owl10")).toBeVisible();
  await expect(read.getByText("owl11")).toHaveCount(0);
});

test("labels the button by draft and private, and hides a draft from others until it is published", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.goto("/add-blog");
  await openPublishSheet(page);
  const draft = page.getByRole("checkbox", { name: "Save as draft" });
  const closed = page.getByRole("checkbox", { name: "Private" });
  const expectButton = (name: string) =>
    expect(page.getByRole("button", { name, exact: true })).toBeEnabled();
  await expectButton("Publish Blog");
  await closed.check();
  await expectButton("Publish Privately");
  // A choice that is taken back leaves no other.
  const later = page.getByRole("checkbox", { name: "Publish later" });
  await later.check();
  await expectButton("Schedule");
  await later.uncheck();
  await expectButton("Publish Privately");
  await draft.check();
  await expectButton("Save as draft");
  await expect(closed).toBeDisabled();
  await title(page).fill("Half a thought");
  await content(page).fill("More tomorrow.");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page).toHaveURL(/\/blog\/half-a-thought/);
  const address = page.url();

  const guest = await open();
  allowErrors(guest);
  expect((await guest.goto(address))?.status()).toBe(404);
  await page.getByRole("button", { name: "Edit Blog" }).click();
  await expect(title(page)).toHaveValue("Half a thought");
  await openPublishSheet(page);
  await draft.uncheck();
  await closed.uncheck();
  await page.getByRole("button", { name: "Update Blog", exact: true }).click();
  await expect(page).toHaveURL(/\/blog\/half-a-thought/);
  await guest.goto(page.url());
  await expect(guest.getByText("More tomorrow.")).toBeVisible();
});

test("restores typed text after the tab was closed, until it is published or discarded", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const first = await open(ana);
  await first.goto("/add-blog");
  await title(first).fill("Not finished");
  await content(first).click();
  await first.keyboard.type("Kept without a button.");
  await expectSaved(first);
  await openPublishSheet(first);
  await first.getByRole("textbox", { name: "Tags" }).fill("Half-said");
  // An unfinished tag is stored on this device only.
  await expect(first.getByText("Saved on this device", { exact: true })).toBeVisible();
  const context = first.context();
  await first.close();

  const second = await context.newPage();
  await second.goto("/add-blog");
  await expect(second.getByText("Restored your unsaved changes.")).toBeVisible();
  await expect(title(second)).toHaveValue("Not finished");
  await expect(content(second)).toContainText("Kept without a button.");
  await openPublishSheet(second);
  await expect(second.getByRole("button", { name: "Remove half-said" })).toBeVisible();
  await second.getByRole("textbox", { name: "Tags" }).fill("another");
  await second.getByRole("button", { name: "Discard" }).click();
  await expect(title(second)).toHaveValue("");
  await expect(second.getByRole("textbox", { name: "Tags" })).toHaveValue("");
  await second
    .getByRole("status")
    .filter({ hasText: "Discarded your unsaved changes." })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(content(second)).toContainText("Kept without a button.");
  for (const tag of ["half-said", "another"])
    await expect(second.getByRole("button", { name: `Remove ${tag}` })).toBeVisible();
  await second.getByRole("button", { name: "Publish Blog" }).click();
  await expect(second).toHaveURL(/\/blog\/not-finished/);
  await second.goto("/add-blog");
  await expect(title(second)).toHaveValue("");
  await expect(second.getByText("Restored your unsaved changes.")).toHaveCount(0);
});

alone(
  "says when publishing fails while the server is down, loses nothing, and publishes once it is back",
  async ({ site, open }) => {
    const ana = await site.createAccount("Ana Torres");
    const page = await open(ana);
    await page.goto("/add-blog");
    await title(page).fill("Through the storm");
    await content(page).click();
    await page.keyboard.type("Every word of it.");
    await expectSaved(page);
    allowErrors(page);
    await site.kill("SIGKILL");
    await openPublishSheet(page);
    await page.getByRole("button", { name: "Publish Blog" }).click();
    await expect(page.getByText(connectionError)).toBeVisible();
    await expect(title(page)).toHaveValue("Through the storm");
    await expect(content(page)).toHaveText("Every word of it.");
    await site.start();
    await page.getByRole("button", { name: "Publish Blog" }).click();
    await expect(page).toHaveURL(/\/blog\/through-the-storm/);
    await expect(article(page)).toContainText("Every word of it.");
    expect((await ana.api.blogs.mine.query({})).blogs).toHaveLength(1);
  },
);

test("edits a blog, and deletes it after a confirmation @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.comments.create.mutate(aComment({ id }));
  const page = await open(ana);
  await page.goto(`/blog/${slug}`);
  await page.getByRole("button", { name: "Edit Blog" }).click();
  await title(page).fill("A walk at noon");
  await content(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" And a hare.");
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page.getByRole("heading", { name: "A walk at noon" })).toBeVisible();
  await expect(article(page)).toContainText("Owls, mostly. And a hare.");

  await page.getByRole("button", { name: "Delete Blog" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Its comment goes with it.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "A walk at noon" })).toBeVisible();
  await page.getByRole("button", { name: "Delete Blog" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole("link", { name: "A walk at noon" })).toHaveCount(0);
});
