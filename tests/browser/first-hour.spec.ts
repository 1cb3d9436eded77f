import { expect, test } from "./test-site.ts";

test("shows the first account what to set up, ticks off finished steps live, and hides the list on request", async ({
  site,
  open,
}) => {
  const boss = await site.createAccount("Boss");
  const [home, adminPage] = [await open(boss), await open(boss)];
  await home.goto("/home");
  const steps = home.getByRole("region", { name: "You run this site" });
  await expect(steps.getByRole("listitem")).toHaveCount(5);
  const step = (name: string) => steps.getByRole("listitem").filter({ hasText: name });
  await expect(step("Name your site")).not.toContainText("(done)");

  await adminPage.goto("/admin/site");
  await adminPage.getByLabel("Name", { exact: true }).fill("Night Owls");
  await adminPage.getByRole("button", { name: "Save", exact: true }).click();
  await expect(step("Name your site")).toContainText("(done)");

  const ana = await site.createAccount("Ana Torres");
  await expect(step("Invite people")).toContainText("(done)");
  const member = await open(ana);
  await member.goto("/home");
  await expect(member.getByRole("heading", { name: "Recommended Blogs for you" })).toBeVisible();
  await expect(member.getByRole("region", { name: "You run this site" })).toHaveCount(0);

  await adminPage.goto("/home");
  await steps.getByRole("button", { name: "Hide this list" }).click();
  for (const page of [home, adminPage])
    await expect(page.getByRole("region", { name: "You run this site" })).toHaveCount(0);
  await home.getByRole("button", { name: "Undo" }).click();
  for (const page of [home, adminPage])
    await expect(page.getByRole("region", { name: "You run this site" })).toBeVisible();
});
