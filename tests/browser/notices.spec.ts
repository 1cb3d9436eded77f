import path from "node:path";
import { mailsTo } from "../support/browser.ts";
import { aBlog, aComment } from "../support/writing.ts";
import { expect, forgive, test } from "./site.ts";

test("where one is told of what is turned in a table, saved at once, and stands in every window; what is off here is off everywhere", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const [one, two] = [await open(ana), await open(ana)];
  await Promise.all([one, two].map((page) => page.goto("/settings", { waitUntil: "networkidle" })));
  const mail = (page: typeof one) => page.getByRole("combobox", { name: "Comments on my blogs: mail" });
  const push = (page: typeof one) => page.getByRole("switch", { name: "Comments on my blogs: push" });
  await mail(one).selectOption("Daily");
  await expect(mail(two)).toHaveValue("daily");
  const here = one.getByRole("switch", { name: "Comments on my blogs: here" });
  await expect(push(two)).toBeChecked();
  await here.focus();
  await one.keyboard.press("Space");
  await expect(push(one)).toBeDisabled();
  await expect(push(two)).toBeDisabled();
  await expect(mail(two)).toHaveValue("never");
  await one.reload();
  await expect(here).not.toBeChecked();
  await one.getByText("Comments on my blogs").scrollIntoViewIfNeeded();
  await here.click();
  // What had been chosen was only set aside.
  await expect(mail(two)).toHaveValue("daily");
  await expect(push(two)).toBeChecked();
  await expect(one.getByRole("switch", { name: "What moderators decide: here" })).toBeDisabled();
});

test("a mail's link asks first, ends the mails at a press, also without a script, and says where they are", async ({
  site,
  open,
}) => {
  const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
  await ana.api.social.setNoticeWays.mutate({ topic: "comments", mail: "now" });
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.comments.create.mutate(aComment(blog));
  let link = "";
  await expect
    .poll(async () => {
      const mails = (await mailsTo(path.join(site.dataDir, "outbox"), ana.email)).join("\n");
      return (link = /\/unsubscribe\/[\w.-]+/.exec(mails)?.[0] ?? "");
    })
    .not.toBe("");
  const ways = async () => (await ana.api.social.noticeSettings.query()).settings.comments.mail;
  const settings = await open(ana);
  await settings.goto("/settings", { waitUntil: "networkidle" });
  const page = await open();
  await page.goto(link, { waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { name: "Get no more mails?" })).toBeVisible();
  expect(await ways()).toBe("now");
  await page.getByRole("button", { name: "No more mails" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".auth-text")).toContainText("You get no more mails");
  await expect(page.getByRole("link", { name: "Settings" })).toBeVisible();
  await expect(settings.getByRole("combobox", { name: "Comments on my blogs: mail" })).toHaveValue("never");

  await ana.api.social.setNoticeWays.mutate({ topic: "comments", mail: "now" });
  const plain = await page.context().browser()!.newPage({ javaScriptEnabled: false });
  await plain.goto(site.url + link);
  await plain.getByRole("button", { name: "No more mails" }).click();
  await expect(plain.locator("body")).toContainText("You get no more mails");
  expect(await ways()).toBe("never");
  await plain.context().close();

  forgive(page);
  await page.goto(`${link.slice(0, -3)}xyz`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "No more mails" }).click();
  await expect(page.getByRole("alert")).toContainText("This link is not whole");
});
