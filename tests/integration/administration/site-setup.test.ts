import { expect, test } from "vitest";
import { listen, refusal, startTestSite } from "../../support/test-site.ts";

test("shows the finished setup steps to administrators alone", async () => {
  await using testSite = await startTestSite();
  const boss = await testSite.createAccount("Boss");
  const nothing = { name: false, mail: false, backup: false, people: false };
  expect(await boss.api.administration.setup.query()).toMatchObject({ isHidden: false, done: nothing });

  await boss.api.administration.setSite.mutate({ name: "Night Owls" });
  const { done } = await boss.api.administration.setup.query();
  expect(done).toEqual({ ...nothing, name: true });
  await boss.api.administration.invite.mutate({ places: 1, days: 7 });
  expect((await boss.api.administration.setup.query()).done.people).toBe(true);

  const ana = await testSite.createAccount("Ana");
  expect(await refusal(ana.api.administration.setup.query())).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(ana.api.administration.hideSetup.mutate({ hidden: true }))).toMatchObject({
    code: "FORBIDDEN",
  });
});

test("counts settings of the server's environment as finished steps", async () => {
  await using testSite = await startTestSite({
    SITE_NAME: "Owls",
    SMTP_URL: "smtp://127.0.0.1:9",
    BACKUP_EVERY: "24h",
  });
  const boss = await testSite.createAccount("Boss");
  const { done } = await boss.api.administration.setup.query();
  expect(done).toEqual({ name: true, mail: true, backup: true, people: false });
});

test("updates open pages of administrators alone when a person joins or the steps are hidden", async () => {
  await using testSite = await startTestSite();
  const boss = await testSite.createAccount("Boss");
  const ana = await testSite.createAccount("Ana");
  const [desk, other] = [listen(boss, "me"), listen(ana, "me")];
  await Promise.all([desk.live(), other.live()]);
  const heard = () => desk.events("viewer.reportsChanged").length;
  await boss.api.administration.hideSetup.mutate({ hidden: true });
  await desk.heard("viewer.reportsChanged");
  expect((await boss.api.administration.setup.query()).isHidden).toBe(true);
  const before = heard();
  await testSite.signUpAndSignIn("Bo");
  await expect.poll(heard).toBeGreaterThan(before);
  expect(other.events("viewer.reportsChanged")).toEqual([]);
});
