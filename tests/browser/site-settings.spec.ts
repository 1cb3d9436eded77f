import { expect, forgive, test } from "./site.ts";

test("an administrator names the site and gives it a colour, and pages that are open follow", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.resident("Boss"), await site.resident("Ana Torres")];
  const [desk, member, guest] = [await open(boss), await open(ana), await open()];
  await member.goto("/home");
  await guest.goto("/docs");
  await desk.goto("/admin/site");
  await desk.getByLabel("Name", { exact: true }).fill("Night Owls");
  await desk.getByRole("textbox", { name: "Accent", exact: true }).fill("#ffd700");
  await expect(desk.getByText("too weak as it is")).toBeVisible();
  await desk.getByRole("button", { name: "Save" }).click();
  await expect(desk.getByText("Saved. Open pages follow.")).toBeVisible();
  for (const page of [member, guest, desk]) {
    await expect(page.getByRole("link", { name: "Night Owls" })).toBeVisible();
    // A guest's page takes its colours with the next one.
    if (page === guest) await guest.reload();
    await expect
      .poll(() =>
        page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent")),
      )
      .toContain("#ffd700");
  }
  forgive(desk);
  // What is wrong stands in the form, and what was typed stays.
  await desk.getByLabel("Language").fill("not a language");
  await desk.getByRole("button", { name: "Save" }).click();
  await expect(desk.getByText("A language is written as en, de or pt-BR.")).toBeVisible();
  await expect(desk.getByLabel("Language")).toHaveValue("not a language");
  forgive(member);
  await member.goto("/admin/site");
  await expect(member.getByRole("heading", { name: "Name and looks" })).toHaveCount(0);
});

test("members are told of new terms until they have seen them, in all their windows; a sheet that hides all is taken back", async ({
  site,
  open,
}) => {
  const [boss, ana] = [await site.resident("Boss"), await site.resident("Ana Torres")];
  const [desk, member, other] = [await open(boss), await open(ana), await open(ana)];
  await member.goto("/home");
  await other.goto("/docs");
  await desk.goto("/admin/site");
  const terms = desk.getByRole("form", { name: "Terms" });
  await terms.getByRole("textbox").fill("# Be kind");
  await terms.getByRole("button", { name: "Publish" }).click();
  for (const page of [member, other]) {
    const told = page.getByRole("complementary", { name: "Changed terms" });
    await expect(told).toBeVisible();
    await expect(page.getByRole("contentinfo").getByRole("link", { name: "Terms" })).toBeVisible();
  }
  await other.getByRole("button", { name: "I have seen it" }).click();
  await expect(member.getByRole("complementary", { name: "Changed terms" })).toHaveCount(0);
  await member.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(member.getByRole("heading", { name: "Be kind" })).toBeVisible();

  const sheet = desk.getByRole("form", { name: "Style sheet" });
  await sheet.getByRole("textbox").fill("main { display: none }");
  await sheet.getByRole("button", { name: "Use it" }).click();
  await expect(member.getByRole("main")).toBeHidden();
  // From where it does not count to where it does and back.
  await expect(desk.getByRole("main")).toBeVisible();
  await desk.getByRole("link", { name: "Home", exact: true }).click();
  await expect(desk.getByRole("main")).toBeHidden();
  await desk.goBack();
  await expect(desk.getByRole("main")).toBeVisible();
  await sheet.getByRole("textbox").fill("");
  await sheet.getByRole("button", { name: "Use it" }).click();
  await expect(member.getByRole("main")).toBeVisible();
});
