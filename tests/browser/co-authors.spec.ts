import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { content, openPublishSheet, openBlogForm, expectSaved, moveCaretToEnd } from "./editor-helpers.ts";
import { expect, allowErrors, sharedTest as test, type TestSite, visit } from "./test-site.ts";

/* Co-authors: invitation, acceptance, writing together, bylines and removal. */

const authors = (page: Page) => page.locator("details.authors");
const rows = (page: Page) => authors(page).getByRole("list", { name: "Authors" }).getByRole("listitem");
const openAuthors = (page: Page) => authors(page).getByText("Authors", { exact: false }).first().click();

/** Types at the end of the text. */
async function add(page: Page, text: string): Promise<void> {
  await moveCaretToEnd(page);
  await page.keyboard.type(text);
}

/** Creates Ana's blog, with Ben as its co-author if `shared`. */
async function createBlog(site: TestSite, { shared = false, draft = true } = {}) {
  const [ana, ben] = [await site.createAccount("Ana Torres"), await site.createAccount("Ben Oke")];
  const blog = aBlog({ title: "Owls", draft, document: paragraphs("Owls, mostly.") });
  const { id, slug } = await ana.api.blogs.create.mutate(blog);
  if (shared) {
    await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
    await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  }
  return { ana, ben, id, slug };
}

/** Checks axe and the page's width, light on a desktop and dark on a phone. */
async function expectAccessible(page: Page, within: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page, { within })).toEqual([]);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(await overflow(), `${within} at ${width}`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test("invites a co-author found by typing, who accepts from the bell, writes along and is named as author", async ({
  site,
  open,
}) => {
  const { ana, ben, slug } = await createBlog(site);
  // A long name: the list of suggestions is short.
  const username = "kestrel-of-the-marsh";
  await ben.api.users.updateProfile.mutate({ username });
  const [anaPage, benPage, guestPage] = [await open(ana), await open(ben), await open()];
  await visit(benPage, "/home");
  await openBlogForm(anaPage, slug);
  await openPublishSheet(anaPage);
  await expect(anaPage.getByText("Only you can see it.")).toBeVisible();
  await openAuthors(anaPage);
  const field = anaPage.getByRole("combobox", { name: "Invite by username" });
  allowErrors(anaPage);
  await field.fill("nobody-of-that-name");
  await field.press("Enter");
  await expect(anaPage.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  await field.fill(ana.me.username);
  await field.press("Enter");
  await expect(anaPage.getByText("You’re already an author of this blog.")).toBeVisible();

  await field.fill("");
  await field.pressSequentially(username.slice(0, -1));
  await expect(anaPage.getByRole("option", { name: `@${username}` })).toBeVisible();
  // The first Enter chooses the suggestion, and invites nobody.
  await field.press("ArrowDown");
  await field.press("Enter");
  await expect(field).toHaveValue(username);
  await expect(field).not.toHaveAttribute("aria-invalid");
  await expectAccessible(anaPage, ".authors");
  await field.press("Enter");
  await expect(rows(anaPage)).toHaveCount(2);
  await expect(rows(anaPage).nth(1)).toContainText("invited");
  await expect(field).toHaveValue("");

  await benPage.getByRole("button", { name: "Notifications, 1 new" }).click();
  const bell = benPage.getByRole("dialog", { name: "Notifications" });
  await expect(bell).toContainText("Ana Torres invites you to write “Owls” with them");
  await expectAccessible(benPage, ".notifications-popover");
  await bell.getByRole("button", { name: "Accept" }).press("Enter");
  await benPage
    .getByRole("link", { name: "Open the text" })
    .or(benPage.getByRole("button", { name: "Open the text" }))
    .first()
    .click();
  await expect(benPage).toHaveURL(`/edit/${slug}`);
  await expect(content(benPage)).toHaveText("Owls, mostly.");
  await expect(rows(anaPage).nth(1)).toContainText("co-author");
  await expect(anaPage.getByText("Only its authors can see it.")).toBeVisible();
  await openPublishSheet(benPage);
  await expect(rows(benPage).nth(1).getByRole("button", { name: "Leave" })).toBeVisible();
  await expect(benPage.getByRole("combobox", { name: "Invite by username" })).toBeHidden();

  await add(benPage, " And bats.");
  await expect(content(anaPage)).toHaveText("Owls, mostly. And bats.");
  await add(anaPage, " And moths.");
  await expectSaved(anaPage);
  await expect(content(benPage)).toHaveText("Owls, mostly. And bats. And moths.");

  await benPage.getByRole("checkbox", { name: "Save as draft" }).uncheck();
  await benPage
    .getByRole("button", { name: "Publish Blog" })
    .or(benPage.getByRole("button", { name: "Update Blog" }))
    .click();
  await expect(benPage).toHaveURL(`/blog/${slug}`);
  await expect(benPage.getByRole("button", { name: "Edit Blog" })).toBeVisible();
  await expect(benPage.getByRole("button", { name: "Delete Blog" })).toBeHidden();
  await expect(benPage.locator(".article-author")).toHaveText("Ana Torres and Ben Oke");

  // The server renders both names, for readers without scripts.
  const html = await (await fetch(`${site.url}/blog/${slug}`)).text();
  expect(html).toMatch(/Ana Torres<\/bdi><\/a>(<!-- -->)? and (<!-- -->)?<a[^>]*><bdi>Ben Oke/);
  await visit(guestPage, `/blog/${slug}`);
  await guestPage.locator(".article-author").getByRole("link", { name: "Ben Oke" }).click();
  await expect(guestPage).toHaveURL(`/${username}`);
  await expect(guestPage.locator(".card-names")).toHaveText("Ana Torres and Ben Oke");
  await guestPage.goto(`/${ana.me.username}`);
  await expect(guestPage.locator(".card-names")).toHaveText("Ana Torres and Ben Oke");
  await guestPage.goto("/home");
  await expect(guestPage.locator(".card").first()).toContainText("Ana Torres and Ben Oke");
  await expectAccessible(guestPage, "main");
});

test("invites nobody by the Enter that chooses a suggestion, however late the page is drawn", async ({
  site,
  open,
}) => {
  const { ana, ben, slug } = await createBlog(site);
  const username = "kestrel-of-the-fen";
  await ben.api.users.updateProfile.mutate({ username });
  const page = await open(ana);
  await openBlogForm(page, slug);
  await openPublishSheet(page);
  await openAuthors(page);
  let invitationsCount = 0;
  page.on("request", (request) => void (request.url().includes("inviteAuthor") && invitationsCount++));
  const field = page.getByRole("combobox", { name: "Invite by username" });
  await field.fill(username.slice(0, -1));
  await expect(page.getByRole("option", { name: `@${username}` })).toBeVisible();
  // In one task: nothing is drawn between the keys.
  await field.evaluate((box) => {
    for (const key of ["ArrowDown", "Enter"])
      box.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
  await expect(field).toHaveValue(username);
  await field.press("Enter");
  await expect(rows(page)).toHaveCount(2);
  expect(invitationsCount).toBe(1);
});

test("withdraws, declines and accepts invitations, and removes a co-author who leaves from open pages @more", async ({
  site,
  open,
}) => {
  const { ana, ben, id, slug } = await createBlog(site, { draft: false });
  const cleo = await site.createAccount("Cleo Park");
  const [anaPage, benPage, guestPage] = [await open(ana), await open(ben), await open()];
  for (const { me } of [ben, cleo]) await ana.api.blogs.inviteAuthor.mutate({ id, username: me.username });
  await visit(guestPage, `/blog/${slug}`);
  await visit(benPage, "/my-blogs");
  await openBlogForm(anaPage, slug);
  await openPublishSheet(anaPage);
  await rows(anaPage).filter({ hasText: "Cleo Park" }).getByRole("button", { name: "Withdraw" }).click();
  await expect(rows(anaPage)).toHaveCount(2);
  expect((await cleo.api.blogs.invitations.query()).invitations).toEqual([]);

  const invitations = benPage.getByRole("region", { name: "Invitations" });
  await expect(invitations).toContainText("Ana Torres invites you to write “Owls” with them");
  await invitations.getByRole("button", { name: "Decline" }).click();
  await expect(invitations).toBeHidden();
  await expect(rows(anaPage)).toHaveCount(1);

  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await invitations.getByRole("button", { name: "Accept" }).click();
  const card = benPage.locator(".own-blog").filter({ hasText: "Owls" });
  await expect(card).toContainText("Ana Torres and Ben Oke");
  await expect(guestPage.locator(".article-author")).toHaveText("Ana Torres and Ben Oke");
  await card.getByRole("button", { name: "More about “Owls”" }).press("Enter");
  await expect(benPage.getByRole("menuitem", { name: "Edit Blog" })).toBeVisible();
  await expect(benPage.getByRole("menuitem", { name: "Delete Blog" })).toHaveCount(0);
  await benPage.getByRole("menuitem", { name: "Leave" }).press("Enter");
  const dialog = benPage.getByRole("alertdialog", { name: "Leave this blog?" });
  await expect(dialog).toContainText("Only Ana Torres can invite you again.");
  await dialog.getByRole("button", { name: "Leave" }).press("Enter");
  await expect(card).toBeHidden();
  await expect(guestPage.locator(".article-author")).toHaveText("Ana Torres");
  await expect(rows(anaPage)).toHaveCount(1);
});

for (const draft of [true, false])
  test(`stops a removed co-author of a ${draft ? "draft" : "published blog"} in mid-sentence, and keeps the unsent text @more`, async ({
    site,
    open,
  }) => {
    const { ana, ben, id, slug } = await createBlog(site, { shared: true, draft });
    const [anaPage, benPage] = [await open(ana), await open(ben)];
    await openBlogForm(benPage, slug);
    await add(benPage, " And bats.");
    await expectSaved(benPage);
    await openBlogForm(anaPage, slug);
    await expect(content(anaPage)).toHaveText("Owls, mostly. And bats.");
    allowErrors(benPage);
    await benPage.route("**/blogs.pushCommit*", (route) => route.abort());
    await benPage.keyboard.press("Enter");
    await benPage.keyboard.type("Half a senten");
    await openPublishSheet(anaPage);
    await rows(anaPage).nth(1).getByRole("button", { name: "Remove" }).click();
    const dialog = anaPage.getByRole("alertdialog", { name: "Remove Ben Oke?" });
    await expect(dialog).toContainText("What they wrote stays in it.");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(rows(anaPage)).toHaveCount(1);

    const notice = benPage
      .getByRole("alert")
      .filter({ hasText: "You are not an author of this blog any more" });
    await expect(notice).toBeVisible();
    await expect(notice).toContainText("What wasn’t saved is kept as a new draft.");
    // Typing on triggers no shortcuts: "n" would begin another blog, and "/" search.
    await benPage.keyboard.type("ce, and now what / nothing");
    await expect(notice).toBeVisible();
    await expect(content(benPage)).toHaveText("Owls, mostly. And bats.Half a senten");
    await expect(content(benPage)).toHaveAttribute("contenteditable", "false");
    await expect(benPage.getByRole("textbox", { name: "Title" })).toHaveAttribute("readonly");
    await expect(benPage.getByRole("button", { name: /Update Blog|Save as draft/ })).toBeHidden();
    await expectAccessible(benPage, "main");
    expect((await ana.api.blogs.authors.query({ id })).authors).toHaveLength(1);

    await benPage.unroute("**/blogs.pushCommit*");
    await notice.getByRole("link", { name: "Open the draft" }).click();
    await expect(benPage).toHaveURL(/\/edit\//);
    await expect(content(benPage)).toHaveText("Half a senten");
    await expect(content(anaPage)).toHaveText("Owls, mostly. And bats.");
  });
