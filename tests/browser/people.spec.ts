import type { Page } from "@playwright/test";
import { aBlog, aComment } from "../support/writing.ts";
import { refuse, relent } from "./refusing.ts";
import { expect, sharedTest as test, visit } from "./site.ts";

test("a request appears in the owner's open windows with its badges, and being accepted in the asker's", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const cleo = await site.resident("Cleo Marsh");
  await ana.api.users.updateSettings.mutate({ private: true });
  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const [requests, home, his] = [await open(ana), await open(ana), await open(ben)];
  await Promise.all([requests.goto("/requests"), home.goto("/home"), his.goto(`/${ana.me.username}`)]);
  await expect(requests.getByRole("status").filter({ hasText: "1 person is waiting" })).toBeVisible();
  // The page shows it, so that nothing is left to tell.
  await expect(home.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

  await his.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(his.getByRole("button", { name: "Requested" })).toBeVisible();
  // Who has waited longest stays first: nothing moves under the owner's finger.
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
  await expect(his.getByRole("button", { name: "Following", exact: true })).toBeVisible();
  await expect(home.getByRole("menuitem", { name: "Requests", exact: true })).toHaveAccessibleDescription(
    "1 waiting",
  );

  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  await expect(requests.getByText("No requests")).toBeVisible();
});

test("requests that can't be loaded are said to be, and loaded on Retry @more", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await refuse(page, "social.requests");
  await page.goto("/home");
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Requests", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Failed to load follow requests" })).toBeVisible();
  await relent(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Your account is public")).toBeVisible();
});

test("the bell counts in every window alike, and leads to the very comment", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const cleo = await site.resident("Cleo Marsh");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const [one, two] = [await open(ana), await open(ana)];
  await Promise.all([one.goto("/home"), two.goto("/settings")]);
  await expect(one.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

  await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await cleo.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const comment = aComment({ id }, { text: "Which owls?" });
  await ben.api.comments.create.mutate(comment);
  for (const page of [one, two])
    await expect(page.getByRole("button", { name: "Notifications, 2 new" })).toBeVisible();

  await one.getByRole("button", { name: /^Notifications/ }).click();
  const list = one.getByRole("dialog", { name: "Notifications" });
  await expect(
    list.getByRole("link", { name: "Cleo Marsh and Ben Oke liked “A walk at night”" }),
  ).toBeVisible();
  await list.getByRole("link", { name: "Ben Oke commented on “A walk at night”" }).click();
  await expect(one).toHaveURL(new RegExp(`/blog/${slug}#comment-${comment.id}$`));
  await expect(one.getByText("Which owls?")).toBeVisible();
  for (const page of [one, two])
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

  await two.getByRole("button", { name: /^Notifications/ }).click();
  const unread = two.getByRole("dialog", { name: "Notifications" }).locator("[data-unread]");
  await expect(unread).toHaveCount(1);
  await two.getByRole("button", { name: "Mark all read" }).click();
  await expect(unread).toHaveCount(0);
  await two.keyboard.press("Escape");

  // Taken back, it was never there.
  const another = aComment({ id }, { text: "Tawny ones." });
  await cleo.api.comments.create.mutate(another);
  for (const page of [one, two])
    await expect(page.getByRole("button", { name: "Notifications, 1 new" })).toBeVisible();
  await cleo.api.comments.remove.mutate({ id: another.id });
  for (const page of [one, two])
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
});

test("opening the bell takes its number away in every window without a reload, and a newer notification shows 1", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
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
  // Seen is not read.
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

test("a private account says to a stranger that it is, and what they can do; whoever does not show their followers, that @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
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
  const guests = await open();
  await guests.goto(`/followers/${ben.me.username}`);
  await expect(
    guests.getByText("This user does not want to disclose followers and following."),
  ).toBeVisible();
});

test("what comes while the list is being read waits behind a button, and appears at once where nobody reads", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  const cleo = await site.resident("Cleo Marsh");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const [reading, glancing] = [await open(ana), await open(ana)];
  await Promise.all([reading.goto("/notifications"), glancing.goto("/notifications")]);
  await reading.getByRole("main").getByRole("listitem").first().hover();
  await cleo.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await expect(glancing.getByText("started following you")).toBeVisible();
  await expect(reading.getByRole("button", { name: "New notifications" })).toBeVisible();
  await expect(reading.getByText("started following you")).toHaveCount(0);
  await reading.getByRole("button", { name: "New notifications" }).click();
  await expect(reading.getByText("started following you")).toBeVisible();
});

test("followers stand beside a profile on a wide screen and on their own page on a narrow one; one's own can be removed", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const ben = await site.resident("Ben Oke");
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const wide = await open(ana);
  // Before React has taken the page over, the counts are links to pages of their own.
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
  // Beside her profile are those whom she follows, meanwhile.
  await expect(panel.getByRole("link", { name: "Ben Oke" })).toBeVisible();
  await narrow.getByRole("button", { name: "Remove Ben Oke" }).click();
  await narrow.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(narrow.getByText("Nobody follows you yet.")).toBeVisible();
  await expect(wide.getByRole("link", { name: "0 followers" })).toBeVisible();
});

test("who writes from right to left is read from right to left @more", async ({ site, open }) => {
  const noa = await site.resident("Noa Levi");
  const { username } = noa.me;
  await noa.api.users.updateProfile.mutate({ name: "נועה", username, bio: "כותבת על לילות (ועל ינשופים)." });
  const page = await open();
  await page.goto(`/${username}`);
  await expect(page.getByText("כותבת על לילות")).toHaveCSS("direction", "rtl");
  await expect(page.getByRole("heading", { level: 1 }).getByText("נועה")).toHaveCSS("direction", "rtl");
});
