import type { Page } from "@playwright/test";
import { aBlog, aComment } from "../support/sample-content.ts";
import { failRequests, stopFailing } from "./failing-requests.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

test("shows a follow request in the owner's open windows, and its acceptance in the asker's", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  await ana.api.users.updateSettings.mutate({ private: true });
  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const [requests, home, benPage] = [await open(ana), await open(ana), await open(ben)];
  await Promise.all([requests.goto("/requests"), home.goto("/home"), benPage.goto(`/${ana.me.username}`)]);
  await expect(requests.getByRole("status").filter({ hasText: "1 person is waiting" })).toBeVisible();
  // The open page shows it, so it is not new.
  await expect(home.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

  await benPage.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(benPage.getByRole("button", { name: "Requested" })).toBeVisible();
  // The oldest request stays first, so that nothing moves under the pointer.
  await expect(requests.getByRole("main").getByRole("listitem").nth(1)).toContainText("Ben Oke");
  await home.getByRole("button", { name: /^Menu of/ }).click();
  await expect(home.getByRole("menuitem", { name: "Requests", exact: true })).toHaveAccessibleDescription(
    "2 waiting",
  );

  await requests
    .getByRole("listitem")
    .filter({ hasText: "Ben Oke" })
    .getByRole("button", { name: "Accept" })
    .click();
  await expect(requests.getByText("Request accepted.")).toBeVisible();
  await expect(benPage.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await expect(home.getByRole("menuitem", { name: "Requests", exact: true })).toHaveAccessibleDescription(
    "1 waiting",
  );

  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  await expect(requests.getByText("No requests")).toBeVisible();
});

test("says when follow requests can't be loaded, and loads them on Retry @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await failRequests(page, "social.requests");
  await page.goto("/home");
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Requests", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Failed to load follow requests" })).toBeVisible();
  await stopFailing(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Your account is public")).toBeVisible();
});

test("counts notifications alike in every window, and leads to the very comment", async ({ site, open }) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const [firstPage, secondPage] = [await open(ana), await open(ana)];
  await Promise.all([firstPage.goto("/home"), secondPage.goto("/settings")]);
  await expect(firstPage.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

  await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await cleo.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const comment = aComment({ id }, { text: "Which owls?" });
  await ben.api.comments.create.mutate(comment);
  for (const page of [firstPage, secondPage])
    await expect(page.getByRole("button", { name: "Notifications, 2 new" })).toBeVisible();

  await firstPage.getByRole("button", { name: /^Notifications/ }).click();
  const list = firstPage.getByRole("dialog", { name: "Notifications" });
  await expect(
    list.getByRole("link", { name: "Cleo Marsh and Ben Oke liked “A walk at night”" }),
  ).toBeVisible();
  await list.getByRole("link", { name: "Ben Oke commented on “A walk at night”" }).click();
  await expect(firstPage).toHaveURL(new RegExp(`/blog/${slug}#comment-${comment.id}$`));
  await expect(firstPage.getByText("Which owls?")).toBeVisible();
  for (const page of [firstPage, secondPage])
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

  await secondPage.getByRole("button", { name: /^Notifications/ }).click();
  const unreadEntries = secondPage.getByRole("dialog", { name: "Notifications" }).locator("[data-unread]");
  await expect(unreadEntries).toHaveCount(1);
  await secondPage.getByRole("button", { name: "Mark all read" }).click();
  await expect(unreadEntries).toHaveCount(0);
  await secondPage.keyboard.press("Escape");

  // A deleted comment leaves no notification.
  const another = aComment({ id }, { text: "Tawny ones." });
  await cleo.api.comments.create.mutate(another);
  for (const page of [firstPage, secondPage])
    await expect(page.getByRole("button", { name: "Notifications, 1 new" })).toBeVisible();
  await cleo.api.comments.remove.mutate({ id: another.id });
  for (const page of [firstPage, secondPage])
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
});

test("clears the bell's number in every window when the list is opened; a newer notification shows 1", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const [wide, narrow] = [await open(ana), await open(ana, { viewport: { width: 390, height: 800 } })];
  await Promise.all([wide.goto("/home"), narrow.goto("/home")]);
  const bell = (page: Page, name: string) =>
    expect(page.getByRole("button", { name, exact: true }).locator("visible=true")).toBeVisible();
  await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  for (const page of [wide, narrow]) await bell(page, "Notifications, 2 new");
  await wide.getByRole("button", { name: /^Notifications/ }).click();
  const list = wide.getByRole("dialog", { name: "Notifications" });
  await expect(list.getByRole("link", { name: "Ben Oke liked" })).toBeVisible();
  for (const page of [wide, narrow]) await bell(page, "Notifications");
  // Seen notifications stay unread.
  await expect(list.locator("[data-unread]")).toHaveCount(2);
  await wide.keyboard.press("Escape");
  await expect(list).toBeHidden();

  await ben.api.comments.create.mutate(aComment({ id }));
  for (const page of [wide, narrow]) await bell(page, "Notifications, 1 new");
  await narrow
    .getByRole("button", { name: /^Notifications/ })
    .locator("visible=true")
    .click();
  const main = narrow.getByRole("main");
  await expect(main.getByRole("link", { name: /^Unread: Ben Oke commented/ })).toBeVisible();
  for (const page of [wide, narrow]) await bell(page, "Notifications");
  await narrow.reload();
  await bell(narrow, "Notifications");
  await expect(main.locator("[data-unread]")).toHaveCount(3);
});

test("says that an account is private and offers to ask, and that followers are hidden @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  await ana.api.users.updateSettings.mutate({ private: true });
  const page = await open(ben);
  await page.goto(`/followers/${ana.me.username}`);
  await expect(page.getByText("This account is private.")).toBeVisible();
  await expect(page.getByText("does not want to disclose")).toHaveCount(0);
  await page.goto(`/${ana.me.username}`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Ask to follow" }).click();
  await expect(main.getByText("You asked to follow Ana Torres")).toBeVisible();
  await expect(main.getByRole("button", { name: "Requested" })).toBeVisible();
  await main.getByRole("button", { name: "Cancel request" }).click();
  await expect(main.getByRole("button", { name: "Ask to follow" })).toBeVisible();
  await ben.api.users.updateSettings.mutate({ showFollowers: false });
  const guestPage = await open();
  await guestPage.goto(`/followers/${ben.me.username}`);
  await expect(
    guestPage.getByText("This user does not want to disclose followers and following."),
  ).toBeVisible();
});

test("clears the bell on a list opened by address, holds new notifications back while it is read, and shows them at once otherwise", async ({
  site,
  open,
}) => {
  const [ana, ben, cleo] = await site.createAccounts("Ana Torres", "Ben Oke", "Cleo Marsh");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const [readingPage, listPage] = [await open(ana), await open(ana)];
  await Promise.all([readingPage.goto("/notifications"), listPage.goto("/notifications")]);
  for (const page of [readingPage, listPage])
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
  await readingPage.getByRole("main").getByRole("listitem").first().hover();
  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await expect(listPage.getByText("started following you")).toBeVisible();
  await expect(readingPage.getByRole("button", { name: "New notifications" })).toBeVisible();
  await expect(readingPage.getByText("started following you")).toHaveCount(0);
  await readingPage.getByRole("button", { name: "New notifications" }).click();
  await expect(readingPage.getByText("started following you")).toBeVisible();
});

test("lists followers beside a profile in a wide window and on their own page on a phone, and removes one", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const wide = await open(ana);
  // Before hydration the counts are links to pages of their own.
  await visit(wide, `/${ana.me.username}`);
  const panel = wide.getByRole("complementary", { name: "Followers and following" });
  await expect(panel.getByRole("link", { name: "Ben Oke" })).toBeVisible();
  await wide.getByRole("link", { name: "0 following" }).click();
  await expect(panel.getByText("You don’t follow anyone yet.")).toBeVisible();
  await expect(wide).toHaveURL(new RegExp(`/${ana.me.username}$`));

  const narrow = await open(ana, { viewport: { width: 390, height: 800 } });
  await narrow.goto(`/${ana.me.username}`);
  await expect(narrow.getByRole("complementary", { name: "Followers and following" })).toBeHidden();
  await narrow.getByRole("link", { name: "1 follower" }).click();
  await expect(narrow).toHaveURL(new RegExp(`/followers/${ana.me.username}$`));
  await narrow.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(narrow.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  // The panel beside her profile still shows whom she follows.
  await expect(panel.getByRole("link", { name: "Ben Oke" })).toBeVisible();
  await narrow.getByRole("button", { name: "Remove Ben Oke" }).click();
  await narrow.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(narrow.getByText("Nobody follows you yet.")).toBeVisible();
  await expect(wide.getByRole("link", { name: "0 followers" })).toBeVisible();
});

test("renders a right-to-left name and bio from right to left @more", async ({ site, open }) => {
  const noa = await site.createAccount("Noa Levi");
  const { username } = noa.me;
  await noa.api.users.updateProfile.mutate({ name: "נועה", username, bio: "כותבת על לילות (ועל ינשופים)." });
  const page = await open();
  await page.goto(`/${username}`);
  await expect(page.getByText("כותבת על לילות")).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("heading", { level: 1 }).getByText("נועה")).toHaveCSS("direction", "rtl");
});
