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
async function add(page: Page, words: string): Promise<void> {
  await moveCaretToEnd(page);
  await page.keyboard.type(words);
}

/** Creates Ana's blog, with Ben as its co-author if `shared`. */
async function owls(site: TestSite, { shared = false, draft = true } = {}) {
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
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(await over(), `${within} at ${width}`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test("invites a co-author found by typing, who accepts from the bell, writes along and is named as author", async ({
  site,
  open,
}) => {
  const { ana, ben, slug } = await owls(site);
  // A long name: the list of suggestions is short.
  const username = "kestrel-of-the-marsh";
  await ben.api.users.updateProfile.mutate({ username });
  const [anas, bens, guests] = [await open(ana), await open(ben), await open()];
  await visit(bens, "/home");
  await openBlogForm(anas, slug);
  await openPublishSheet(anas);
  await expect(anas.getByText("Only you can see it.")).toBeVisible();
  await openAuthors(anas);
  const field = anas.getByRole("combobox", { name: "Invite by username" });
  allowErrors(anas);
  await field.fill("nobody-of-that-name");
  await field.press("Enter");
  await expect(anas.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  await field.fill(ana.me.username);
  await field.press("Enter");
  await expect(anas.getByText("You’re already an author of this blog.")).toBeVisible();

  await field.fill("");
  await field.pressSequentially(username.slice(0, -1));
  await anas.getByRole("option", { name: `@${username}` }).click();
  await expect(field).toHaveValue(username);
  await expectAccessible(anas, ".authors");
  await field.press("Enter");
  await expect(rows(anas)).toHaveCount(2);
  await expect(rows(anas).nth(1)).toContainText("invited");
  await expect(field).toHaveValue("");

  await bens.getByRole("button", { name: "Notifications, 1 new" }).click();
  const bell = bens.getByRole("dialog", { name: "Notifications" });
  await expect(bell).toContainText("Ana Torres invites you to write “Owls” with them");
  await expectAccessible(bens, ".notifications-popover");
  await bell.getByRole("button", { name: "Accept" }).press("Enter");
  await bens
    .getByRole("link", { name: "Open the text" })
    .or(bens.getByRole("button", { name: "Open the text" }))
    .first()
    .click();
  await expect(bens).toHaveURL(`/edit/${slug}`);
  await expect(content(bens)).toHaveText("Owls, mostly.");
  await expect(rows(anas).nth(1)).toContainText("co-author");
  await expect(anas.getByText("Only its authors can see it.")).toBeVisible();
  await openPublishSheet(bens);
  await expect(rows(bens).nth(1).getByRole("button", { name: "Leave" })).toBeVisible();
  await expect(bens.getByRole("combobox", { name: "Invite by username" })).toBeHidden();

  await add(bens, " And bats.");
  await expect(content(anas)).toHaveText("Owls, mostly. And bats.");
  await add(anas, " And moths.");
  await expectSaved(anas);
  await expect(content(bens)).toHaveText("Owls, mostly. And bats. And moths.");

  await bens.getByRole("checkbox", { name: "Save as draft" }).uncheck();
  await bens
    .getByRole("button", { name: "Publish Blog" })
    .or(bens.getByRole("button", { name: "Update Blog" }))
    .click();
  await expect(bens).toHaveURL(`/blog/${slug}`);
  await expect(bens.getByRole("button", { name: "Edit Blog" })).toBeVisible();
  await expect(bens.getByRole("button", { name: "Delete Blog" })).toBeHidden();
  await expect(bens.locator(".article-author")).toHaveText("Ana Torres and Ben Oke");

  // The server renders both names, for readers without scripts.
  const html = await (await fetch(`${site.url}/blog/${slug}`)).text();
  expect(html).toMatch(/Ana Torres<\/bdi><\/a>(<!-- -->)? and (<!-- -->)?<a[^>]*><bdi>Ben Oke/);
  await visit(guests, `/blog/${slug}`);
  await guests.locator(".article-author").getByRole("link", { name: "Ben Oke" }).click();
  await expect(guests).toHaveURL(`/${username}`);
  await expect(guests.locator(".card-names")).toHaveText("Ana Torres and Ben Oke");
  await guests.goto(`/${ana.me.username}`);
  await expect(guests.locator(".card-names")).toHaveText("Ana Torres and Ben Oke");
  await guests.goto("/home");
  await expect(guests.locator(".card").first()).toContainText("Ana Torres and Ben Oke");
  await expectAccessible(guests, "main");
});

test("withdraws, declines and accepts invitations, and removes a co-author who leaves from open pages @more", async ({
  site,
  open,
}) => {
  const { ana, ben, id, slug } = await owls(site, { draft: false });
  const cleo = await site.createAccount("Cleo Park");
  const [anas, bens, guests] = [await open(ana), await open(ben), await open()];
  for (const { me } of [ben, cleo]) await ana.api.blogs.inviteAuthor.mutate({ id, username: me.username });
  await visit(guests, `/blog/${slug}`);
  await visit(bens, "/my-blogs");
  await openBlogForm(anas, slug);
  await openPublishSheet(anas);
  await rows(anas).filter({ hasText: "Cleo Park" }).getByRole("button", { name: "Withdraw" }).click();
  await expect(rows(anas)).toHaveCount(2);
  expect((await cleo.api.blogs.invitations.query()).invitations).toEqual([]);

  const invitations = bens.getByRole("region", { name: "Invitations" });
  await expect(invitations).toContainText("Ana Torres invites you to write “Owls” with them");
  await invitations.getByRole("button", { name: "Decline" }).click();
  await expect(invitations).toBeHidden();
  await expect(rows(anas)).toHaveCount(1);

  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await invitations.getByRole("button", { name: "Accept" }).click();
  const card = bens.locator(".own-blog").filter({ hasText: "Owls" });
  await expect(card).toContainText("Ana Torres and Ben Oke");
  await expect(guests.locator(".article-author")).toHaveText("Ana Torres and Ben Oke");
  await card.getByRole("button", { name: "More about “Owls”" }).press("Enter");
  await expect(bens.getByRole("menuitem", { name: "Edit Blog" })).toBeVisible();
  await expect(bens.getByRole("menuitem", { name: "Delete Blog" })).toHaveCount(0);
  await bens.getByRole("menuitem", { name: "Leave" }).press("Enter");
  const question = bens.getByRole("alertdialog", { name: "Leave this blog?" });
  await expect(question).toContainText("Only Ana Torres can invite you again.");
  await question.getByRole("button", { name: "Leave" }).press("Enter");
  await expect(card).toBeHidden();
  await expect(guests.locator(".article-author")).toHaveText("Ana Torres");
  await expect(rows(anas)).toHaveCount(1);
});

for (const draft of [true, false])
  test(`stops a removed co-author of a ${draft ? "draft" : "published blog"} in mid-sentence, and keeps the unsent text @more`, async ({
    site,
    open,
  }) => {
    const { ana, ben, id, slug } = await owls(site, { shared: true, draft });
    const [anas, bens] = [await open(ana), await open(ben)];
    await openBlogForm(bens, slug);
    await add(bens, " And bats.");
    await expectSaved(bens);
    await openBlogForm(anas, slug);
    await expect(content(anas)).toHaveText("Owls, mostly. And bats.");
    allowErrors(bens);
    await bens.route("**/blogs.pushCommit*", (route) => route.abort());
    await bens.keyboard.press("Enter");
    await bens.keyboard.type("Half a senten");
    await openPublishSheet(anas);
    await rows(anas).nth(1).getByRole("button", { name: "Remove" }).click();
    const question = anas.getByRole("alertdialog", { name: "Remove Ben Oke?" });
    await expect(question).toContainText("What they wrote stays in it.");
    await question.getByRole("button", { name: "Remove" }).click();
    await expect(rows(anas)).toHaveCount(1);

    const told = bens.getByRole("alert").filter({ hasText: "You are not an author of this blog any more" });
    await expect(told).toBeVisible();
    await expect(told.getByRole("textbox", { name: "What you wrote" })).toHaveValue("Half a senten");
    // Typing on triggers no shortcuts: "n" would begin another blog, and "/" search.
    await bens.keyboard.type("ce, and now what / nothing");
    await expect(told).toBeVisible();
    await expect(content(bens)).toHaveText("Owls, mostly. And bats.Half a senten");
    await expect(content(bens)).toHaveAttribute("contenteditable", "false");
    await expect(bens.getByRole("textbox", { name: "Title" })).toHaveAttribute("readonly");
    await expect(bens.getByRole("button", { name: /Update Blog|Save as draft/ })).toBeHidden();
    await expectAccessible(bens, "main");
    await bens.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await told.getByRole("button", { name: "Copy what you wrote" }).click();
    expect(await bens.evaluate(() => navigator.clipboard.readText())).toBe("Half a senten");
    expect((await ana.api.blogs.authors.query({ id })).authors).toHaveLength(1);

    await bens.unroute("**/blogs.pushCommit*");
    await told.getByRole("link", { name: "Continue in a draft" }).click();
    await expect(bens).toHaveURL("/add-blog");
    await bens.getByText("Another unfinished blog").click();
    await bens.getByRole("button", { name: "Open" }).click();
    await expect(content(bens)).toHaveText("Half a senten");
    await expect(content(anas)).toHaveText("Owls, mostly. And bats.");
  });
