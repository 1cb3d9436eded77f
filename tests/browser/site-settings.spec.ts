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
