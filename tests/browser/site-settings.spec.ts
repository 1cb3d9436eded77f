import { aBlog, aComment } from "../support/sample-content.ts";
import type { Page } from "@playwright/test";
import { expect, allowErrors, test, waitUntilUsable } from "./test-site.ts";

test("changes the site's name and accent on open pages when an administrator saves them", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana Torres")];
  const [adminPage, member, guest] = [await open(boss), await open(ana), await open()];
  await member.goto("/home");
  await guest.goto("/docs");
  await adminPage.goto("/admin/site");
  await adminPage.getByLabel("Name", { exact: true }).fill("Night Owls");
  await adminPage.getByRole("textbox", { name: "Accent", exact: true }).fill("#ffd700");
  await expect(adminPage.getByText("too weak as it is")).toBeVisible();
  await adminPage.getByRole("button", { name: "Save", exact: true }).click();
  await expect(adminPage.getByText("Saved. Open pages change right away.")).toBeVisible();
  for (const page of [member, guest, adminPage]) {
    await expect(page.getByRole("link", { name: "Night Owls" })).toBeVisible();
    // A guest's page takes new colours with the next load.
    if (page === guest) await guest.reload();
    await expect
      .poll(() =>
        page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent")),
      )
      .toContain("#ffd700");
  }
  allowErrors(adminPage);
  await adminPage.getByLabel("Language").fill("not a language");
  await adminPage.getByRole("button", { name: "Save", exact: true }).click();
  await expect(adminPage.getByText("Write a language like en, de or pt-BR.")).toBeVisible();
  await expect(adminPage.getByLabel("Language")).toHaveValue("not a language");
  allowErrors(member);
  await member.goto("/admin/site");
  await expect(member.getByRole("heading", { name: "Name and appearance" })).toHaveCount(0);
});

test("changes topics on open pages when an administrator saves them, and keeps what people have chosen", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana Torres")];
  await ana.api.users.updateSettings.mutate({ interests: ["chess"] });
  const [adminPage, member, guest] = [await open(boss), await open(ana), await open()];
  await guest.goto("/home");
  await member.goto("/select-interests");
  await waitUntilUsable(member);
  await member.getByText("More topics").click();
  await member.getByRole("checkbox", { name: "Tennis" }).press("Space");
  await adminPage.goto("/admin/site");
  const topics = adminPage.getByRole("form", { name: "Recommended topics" });
  await expect(topics.getByRole("textbox")).toHaveValue(/^React\nNode Js\n/);
  await expect(topics.getByRole("button", { name: "Reset to default" })).toHaveCount(0);
  await topics.getByRole("textbox").fill("Roses\nCompost");
  await expect(topics.getByText("2 of 30 topics")).toBeVisible();
  await topics.getByRole("button", { name: "Save topics" }).click();
  const shown = guest.getByRole("region", { name: "Recommended Topics" }).getByRole("link");
  await expect(shown).toHaveText(["Roses", "Compost"]);
  await expect(shown.first()).toHaveAttribute("href", "/search?q=Roses");

  const interests = adminPage.getByRole("form", { name: "Interests" });
  allowErrors(adminPage);
  await interests.getByRole("textbox").fill("Garden: Roses, Compost\nKitchen");
  await interests.getByRole("button", { name: "Save interests" }).click();
  await expect(interests.getByText("“Kitchen” has no group.")).toBeVisible();
  await expect(interests.getByRole("textbox")).toHaveValue("Garden: Roses, Compost\nKitchen");
  await interests.getByRole("textbox").fill("Garden: Roses, Compost\nKitchen: Jam");
  await interests.getByRole("button", { name: "Save interests" }).click();
  await expect(interests.getByRole("textbox")).toHaveValue("Garden: Roses, Compost\n\nKitchen: Jam");
  await expect(member.getByRole("group", { name: "Popular" }).getByRole("checkbox")).toHaveCount(3);
  const own = member.getByRole("group", { name: "Your interests" });
  for (const name of ["chess", "tennis"]) await expect(own.getByRole("checkbox", { name })).toBeChecked();
  await member.getByRole("checkbox", { name: "Jam" }).press("Space");
  await member.getByRole("button", { name: "Continue" }).click();
  await expect(member).toHaveURL("/home");
  expect((await ana.api.users.me.query())?.interests).toEqual(["chess", "tennis", "jam"]);

  await topics.getByRole("button", { name: "Reset to default" }).click();
  await expect(shown).toHaveCount(9);
  await adminPage.getByRole("button", { name: "Undo" }).click();
  await expect(shown).toHaveText(["Roses", "Compost"]);
  await expect(topics.getByRole("textbox")).toHaveValue("Roses\nCompost");
});

test("announces new terms in a member's windows until seen; a style sheet that hides all can be removed @more", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana Torres")];
  const [adminPage, member, otherPage] = [await open(boss), await open(ana), await open(ana)];
  await member.goto("/home");
  await otherPage.goto("/docs");
  await adminPage.goto("/admin/site");
  const terms = adminPage.getByRole("form", { name: "Terms" });
  await terms.getByRole("textbox").fill("# Be kind");
  await terms.getByRole("button", { name: "Publish" }).click();
  for (const page of [member, otherPage]) {
    const banner = page.getByRole("complementary", { name: "Changed terms" });
    await expect(banner).toBeVisible();
    await expect(page.getByRole("contentinfo").getByRole("link", { name: "Terms" })).toBeVisible();
  }
  await otherPage.getByRole("button", { name: "I have seen it" }).click();
  await expect(member.getByRole("complementary", { name: "Changed terms" })).toHaveCount(0);
  await member.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(member.getByRole("heading", { name: "Be kind" })).toBeVisible();

  const sheet = adminPage.getByRole("form", { name: "Style sheet" });
  await sheet.getByRole("textbox").fill("main { display: none }");
  await sheet.getByRole("button", { name: "Save style sheet" }).click();
  await expect(member.getByRole("main")).toBeHidden();
  // The style sheet does not apply to this page, but to the next one.
  await expect(adminPage.getByRole("main")).toBeVisible();
  await adminPage.getByRole("link", { name: "Home", exact: true }).click();
  await expect(adminPage.getByRole("main")).toBeHidden();
  await adminPage.goBack();
  await expect(adminPage.getByRole("main")).toBeVisible();
  await sheet.getByRole("textbox").fill("");
  await sheet.getByRole("button", { name: "Save style sheet" }).click();
  await expect(member.getByRole("main")).toBeVisible();
});

test("refuses a comment beyond the administrator's daily limit and keeps its text @more", async ({
  site,
  open,
}) => {
  site.settings.RATE_LIMIT = "on";
  await site.kill("SIGTERM");
  await site.start();
  const [boss, ana] = [await site.createAccount("Boss"), await site.createAccount("Ana Torres")];
  const blog = await boss.api.blogs.create.mutate(aBlog());
  const [adminPage, page] = [await open(boss), await open(ana)];
  await adminPage.goto("/admin/site");
  const bounds = adminPage.getByRole("form", { name: "Limits" });
  await expect(bounds.getByLabel("New blogs per day")).toHaveAttribute("placeholder", "200");
  allowErrors(adminPage);
  await bounds.getByLabel("Comments per day").fill("some");
  await bounds.getByLabel("New blogs per day").fill("1");
  await bounds.getByRole("button", { name: "Save limits" }).click();
  await expect(bounds.getByText("Enter a whole number")).toBeVisible();
  await expect(bounds.getByLabel("Comments per day")).toBeFocused();
  await expect(bounds.getByLabel("New blogs per day")).toHaveValue("1");
  await bounds.getByLabel("Comments per day").fill("1");
  await bounds.getByRole("button", { name: "Save limits" }).click();
  await expect(adminPage.getByText("Saved. Open pages change right away.")).toBeVisible();
  await adminPage.reload();
  await expect(bounds.getByLabel("Comments per day")).toHaveValue("1");

  await ana.api.comments.create.mutate(aComment(blog));
  allowErrors(page);
  await page.goto(`/blog/${blog.slug}#comments`);
  const box = page.getByRole("textbox", { name: "Add your comment" });
  await box.fill("How many owls were these?");
  await page.getByRole("button", { name: "Add Comment" }).click();
  await expect(page.getByText("You’ve reached today’s limit of 1 comment")).toBeVisible();
  await expect(box).toHaveValue("How many owls were these?");
});

test("shows administrators numbers of new things, and on all their pages that the disk is almost full @more", async ({
  site,
  open,
}) => {
  const [boss, mod] = [await site.createAccount("Boss"), await site.createAccount("Mo Lund")];
  await boss.api.moderation.makeModerator.mutate({ userId: mod.me.id, moderator: true });
  const [adminPage, otherPage, page] = [await open(boss), await open(boss), await open(mod)];
  await adminPage.goto("/admin/numbers");
  await expect(adminPage.getByRole("row", { name: "People 2 2 2" })).toBeVisible();
  await expect(adminPage.getByRole("row", { name: "Emails not sent 0 0 0" })).toBeVisible();

  await page.goto("/admin");
  await otherPage.goto("/admin");
  const warning = (tab: Page) => tab.getByRole("alert").filter({ hasText: "The disk is almost full" });
  await boss.api.administration.setSite.mutate({ diskLowGb: "900000000" });
  for (const tab of [adminPage, otherPage]) await expect(warning(tab)).toBeVisible();
  await otherPage.getByRole("link", { name: "Log", exact: true }).click();
  await expect(otherPage).toHaveURL(/admin\/log$/);
  await expect(warning(otherPage)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Moderation" })).toBeVisible();
  await expect(warning(page)).toHaveCount(0);
  await boss.api.administration.setSite.mutate({ diskLowGb: "0" });
  for (const tab of [adminPage, otherPage]) await expect(warning(tab)).toBeHidden();
});
