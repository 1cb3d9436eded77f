import { freePort } from "../support/server.ts";
import { startSmtpServer } from "../support/smtp-server.ts";
import { allowErrors, expect, test } from "./test-site.ts";

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

test("shows that emails fail, and once a test email arrives that they work", async ({ site, open }) => {
  const boss = await site.createAccount("Boss");
  const port = await freePort();
  site.settings.SMTP_URL = `smtp://127.0.0.1:${port}`;
  await site.kill("SIGTERM");
  await site.start();
  const [home, adminPage] = [await open(boss), await open(boss)];
  allowErrors(home);
  await home.goto("/home");
  const step = home.getByRole("listitem").filter({ hasText: "Let it send emails" });
  await expect(step).not.toContainText("(done)");
  await expect(step).toContainText("No email has been sent through");
  await step.getByRole("button", { name: "Send a test email" }).click();
  await expect(step).toContainText("The last email failed just now. 127.0.0.1");
  await expect(step).toContainText("refuses the connection");

  await adminPage.goto("/admin/log");
  const warning = adminPage.getByRole("alert").filter({ hasText: "The last email failed" });
  await expect(warning).toBeVisible();
  await using smtpServer = await startSmtpServer({ port });
  await warning.getByRole("button", { name: "Send a test email" }).click();
  await expect(adminPage.getByText(`Sent to ${boss.email}`)).toBeVisible();
  await expect(warning).toBeHidden();
  await expect(step).toContainText("(done)");
  expect(smtpServer.receivedEmails).toHaveLength(1);
  await adminPage.getByRole("link", { name: "Site", exact: true }).click();
  await expect(adminPage.getByText("accepted the last email just now")).toBeVisible();
});
