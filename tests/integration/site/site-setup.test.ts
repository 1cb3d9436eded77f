import { expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { followTopic, startTestSite } from "../../support/test-site.ts";

test("shows the finished setup steps to administrators alone", async () => {
  const [testSite, boss] = await siteWith("Boss");
  const nothingDone = { name: false, contact: false, mail: false, backup: false, people: false };
  expect(await boss.api.administration.setup.query()).toMatchObject({ isHidden: false, done: nothingDone });

  await boss.api.administration.setSite.mutate({ name: "Night Owls" });
  const { done } = await boss.api.administration.setup.query();
  expect(done).toEqual({ ...nothingDone, name: true });
  await boss.api.administration.setSite.mutate({ securityContact: "hello@owls.example" });
  expect((await boss.api.administration.setup.query()).done.contact).toBe(true);
  await boss.api.administration.invite.mutate({ places: 1, days: 7 });
  expect((await boss.api.administration.setup.query()).done.people).toBe(true);

  const ana = await testSite.createAccount("Ana");
  await expectRefusal(ana.api.administration.setup.query(), "FORBIDDEN");
  await expectRefusal(ana.api.administration.hideSetup.mutate({ hidden: true }), "FORBIDDEN");
});

test("counts settings of the server's environment as finished steps", async () => {
  await using testSite = await startTestSite({
    SITE_NAME: "Owls",
    SMTP_URL: "smtp://127.0.0.1:9",
    BACKUP_EVERY: "24h",
  });
  const boss = await testSite.createAccount("Boss");
  const { done } = await boss.api.administration.setup.query();
  // A mail server counts once it has accepted an email.
  expect(done).toEqual({ name: true, contact: false, mail: false, backup: true, people: false });
});

test("updates open pages of administrators alone when a person joins or the steps are hidden", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  const [bossStream, anasStream] = [followTopic(boss, "me"), followTopic(ana, "me")];
  await Promise.all([bossStream.waitForStart(), anasStream.waitForStart()]);
  const changeCount = () => bossStream.events("viewer.reportsChanged").length;
  await boss.api.administration.hideSetup.mutate({ hidden: true });
  await bossStream.waitFor("viewer.reportsChanged");
  expect((await boss.api.administration.setup.query()).isHidden).toBe(true);
  const before = changeCount();
  await testSite.signUpAndSignIn("Bo");
  await expect.poll(changeCount).toBeGreaterThan(before);
  expect(anasStream.events("viewer.reportsChanged")).toEqual([]);
});
