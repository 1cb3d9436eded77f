import { expect, test } from "vitest";
import { listen, refusal, startTown } from "../support/town.ts";

test("tells administrators alone what of setting a new site up is done", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const nothing = { name: false, mail: false, backup: false, people: false };
  expect(await boss.api.moderation.setup.query()).toMatchObject({ isHidden: false, done: nothing });

  await boss.api.moderation.setSite.mutate({ name: "Night Owls" });
  const { done } = await boss.api.moderation.setup.query();
  expect(done).toEqual({ ...nothing, name: true });
  await boss.api.moderation.invite.mutate({ places: 1, days: 7 });
  expect((await boss.api.moderation.setup.query()).done.people).toBe(true);

  const ana = await town.resident("Ana");
  expect(await refusal(ana.api.moderation.setup.query())).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(ana.api.moderation.hideSetup.mutate({ hidden: true }))).toMatchObject({
    code: "FORBIDDEN",
  });
});

test("takes the settings of the server for what they say", async () => {
  await using town = await startTown({
    SITE_NAME: "Owls",
    SMTP_URL: "smtp://127.0.0.1:9",
    BACKUP_EVERY: "24h",
  });
  const boss = await town.resident("Boss");
  const { done } = await boss.api.moderation.setup.query();
  expect(done).toEqual({ name: true, mail: true, backup: true, people: false });
});

test("tells open pages of administrators, and of no one else, when somebody joins and when the steps are hidden", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const ana = await town.resident("Ana");
  const [desk, other] = [listen(boss, "me"), listen(ana, "me")];
  await Promise.all([desk.live(), other.live()]);
  const heard = () => desk.events("viewer.reportsChanged").length;
  await boss.api.moderation.hideSetup.mutate({ hidden: true });
  await desk.heard("viewer.reportsChanged");
  expect((await boss.api.moderation.setup.query()).isHidden).toBe(true);
  const before = heard();
  await town.moveIn("Bo");
  await expect.poll(heard).toBeGreaterThan(before);
  expect(other.events("viewer.reportsChanged")).toEqual([]);
});
