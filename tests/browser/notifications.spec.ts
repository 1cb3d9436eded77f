import path from "node:path";
import { mailsTo } from "../support/browser.ts";
import { aBlog, aComment } from "../support/sample-content.ts";
import { expect, allowErrors, sharedTest as test, visit } from "./test-site.ts";

test("saves notification channels at once in every window; “on site” off turns the others off and back on", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const [firstPage, secondPage] = [await open(ana), await open(ana)];
  await Promise.all([firstPage, secondPage].map((page) => visit(page, "/settings")));
  const emailSelect = (page: typeof firstPage) =>
    page.getByRole("combobox", { name: "Comments on my blogs: email" });
  const push = (page: typeof firstPage) => page.getByRole("switch", { name: "Comments on my blogs: push" });
  await emailSelect(firstPage).selectOption("Daily");
  await expect(emailSelect(secondPage)).toHaveValue("daily");
  const siteSwitch = firstPage.getByRole("switch", { name: "Comments on my blogs: on site" });
  await expect(push(secondPage)).toBeChecked();
  await siteSwitch.focus();
  await firstPage.keyboard.press("Space");
  await expect(push(firstPage)).toBeDisabled();
  await expect(push(secondPage)).toBeDisabled();
  await expect(emailSelect(secondPage)).toHaveValue("never");
  await firstPage.reload();
  await expect(siteSwitch).not.toBeChecked();
  await firstPage.getByText("Comments on my blogs").scrollIntoViewIfNeeded();
  await siteSwitch.click();
  await expect(emailSelect(secondPage)).toHaveValue("daily");
  await expect(push(secondPage)).toBeChecked();
  await expect(firstPage.getByRole("switch", { name: "Moderation decisions: on site" })).toBeDisabled();
});

test("unsubscribes from emails by an email's link after a confirmation, without a script too @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "now" });
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment(blog));
  let link = "";
  await expect
    .poll(async () => {
      const emails = (await mailsTo(path.join(site.dataDir, "outbox"), ana.email)).join("\n");
      return (link = /\/unsubscribe\/[\w.-]+/.exec(emails)?.[0] ?? "");
    })
    .not.toBe("");
  const emailFrequency = async () =>
    (await ana.api.social.notificationSettings.query()).settings.comments.mail;
  const page = await open();
  await visit(page, link);
  await expect(page.getByRole("heading", { name: "Unsubscribe from emails?" })).toBeVisible();
  await page.getByRole("button", { name: "Unsubscribe" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".auth .lead")).toContainText("You’re unsubscribed from emails");
  await expect(page.getByRole("link", { name: "Settings" })).toBeVisible();
  expect(await emailFrequency()).toBe("never");

  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "now" });
  const plain = await page.context().browser()!.newPage({ javaScriptEnabled: false });
  await plain.goto(site.url + link);
  await plain.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(plain.locator("body")).toContainText("You’re unsubscribed from emails");
  expect(await emailFrequency()).toBe("never");
  await plain.context().close();

  allowErrors(page);
  await visit(page, `${link.slice(0, -3)}xyz`);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByRole("alert")).toContainText("This link is incomplete");
});

test("subscribes to a blog's comments and mutes the blog from its menu, undoes both, and updates every tab @more", async ({
  site,
  open,
}) => {
  const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const [firstPage, secondPage] = [await open(ben), await open(ben)];
  const more = (page: typeof firstPage) => page.getByRole("button", { name: "More about Ana Torres" });
  const entry = (page: typeof firstPage, name: string) => page.getByRole("menuitem", { name, exact: true });
  for (const page of [firstPage, secondPage]) await visit(page, `/blog/${blog.slug}`);
  await more(firstPage).focus();
  await firstPage.keyboard.press("Enter");
  await expect(entry(firstPage, "Notify me of new comments")).toBeFocused();
  await firstPage.keyboard.press("Enter");
  await expect(firstPage.getByText("You’ll be notified of every new comment.")).toBeVisible();
  await more(secondPage).click();
  await expect(entry(secondPage, "Don’t notify me of new comments")).toBeVisible();
  await secondPage.keyboard.press("Escape");
  await ana.api.comments.create.mutate(aComment(blog, { text: "Something new." }));
  await expect(secondPage.getByRole("button", { name: "Notifications, 1 new" })).toBeVisible();
  await more(secondPage).click();
  await entry(secondPage, "Mute this blog").click();
  await expect(secondPage.getByText("Muted. You won’t get notifications about this blog.")).toBeVisible();
  for (const page of [firstPage, secondPage])
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
  await secondPage.getByRole("button", { name: "Undo" }).click();
  await expect(firstPage.getByRole("button", { name: "Notifications, 1 new" })).toBeVisible();
  expect((await ben.api.social.subscription.query({ blogId: blog.id })).level).toBe("follow");
  await visit(secondPage, "/settings");
  const list = secondPage.getByRole("list", { name: "Subscribed and muted blogs" });
  await expect(list.getByRole("listitem")).toContainText("You’ll be notified of every new comment");
  await list.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(list).toHaveCount(0);
  await more(firstPage).click();
  await entry(firstPage, "Notify me of new comments").click();
  await expect(list.getByRole("listitem")).toContainText("A walk at night");

  const anaPage = await open(ana);
  await visit(anaPage, `/blog/${blog.slug}`);
  await anaPage.getByRole("button", { name: "More about this blog" }).click();
  await expect(anaPage.getByRole("menuitem")).toHaveText(["Mute this blog"]);
});

test("shows when emails are sent in the viewer's time zone, and follows the browser to another zone @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana, { timezoneId: "Europe/Lisbon" });
  await page.goto("/settings");
  await expect(page.getByText("Daily emails are sent around 8 in the morning")).toContainText(
    "(Europe/Lisbon)",
  );
  expect((await ana.api.social.notificationSettings.query()).zone).toBe("Europe/Lisbon");
  const newYorkPage = await open(ana, { timezoneId: "America/New_York" });
  await newYorkPage.goto("/settings");
  await expect(newYorkPage.getByText("Daily emails are sent")).toContainText("(America/New York)");
  await expect(page.getByText("Daily emails are sent")).toContainText("(America/New York)");
  await page.getByRole("switch", { name: "Likes: push" }).click();
  await expect
    .poll(async () => (await ana.api.social.notificationSettings.query()).settings.likes.push)
    .toBe(true);
  expect((await ana.api.social.notificationSettings.query()).zone).toBe("America/New_York");
});
