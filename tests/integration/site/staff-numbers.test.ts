import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { openServicesForCommand } from "../../../src/server/commands/services.ts";
import { setSiteSetting } from "../../../src/server/site/queries.ts";
import { DiskWatch } from "../../../src/server/site/disk.ts";
import { reprise } from "../../support/command.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { upload } from "../../support/pictures.ts";
import { databaseSettings } from "../../support/postgres.ts";
import { startServer } from "../../support/server.ts";
import { aBlog, aComment, followTopic, startTestSite, until } from "../../support/test-site.ts";

test("counts new people, content and emails of 7 days, 30 days and ever, deleted blogs included, for administrators alone", async () => {
  await using testSite = await startTestSite();
  const [boss, ana] = [await testSite.signUpAndSignIn("Boss"), await testSite.signUpAndSignIn("Ana")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const deletedBlog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.remove.mutate({ id: deletedBlog.id });
  await boss.api.comments.create.mutate(aComment(blog));
  const picture = await upload(ana);
  const bytes = testSite.rows<{ bytes: number }>("select sum(bytes) as bytes from media")[0]?.bytes;
  // An email counts once it is sent; a request for an unknown address sends none.
  await testSite.browser().api.users.forgotPassword.mutate({ email: "nobody@example.org" });
  await until(() => testSite.rows("select id from jobs where name = 'mail'").length === 0);
  const same = (count: unknown) => ({ week: count, month: count, ever: count });
  expect(await boss.api.administration.numbers.query()).toMatchObject({
    people: same(2),
    blogs: same(2),
    comments: same(1),
    bytes: same(bytes),
    mails: same(2),
    "mails-failed": same(0),
  });
  const today = Math.floor(Date.now() / (24 * 60 * 60 * 1_000));
  await testSite.write(async (tx) => {
    await execute(tx, `delete from media where id = '${picture.id}'`);
    for (const ago of [6, 7, 29, 30])
      await execute(tx, `insert into daily_counts (day, kind, count) values (${today - ago}, 'blogs', 10)`);
  });
  expect(await boss.api.administration.numbers.query()).toMatchObject({
    bytes: same(0),
    blogs: { week: 12, month: 32, ever: 42 },
  });
  await expectRefusal(ana.api.administration.numbers.query(), "FORBIDDEN");
});

test("counts notification emails as emails, and failed ones as not sent", async () => {
  await using testSite = await startTestSite();
  const [boss, ana] = [await testSite.signUpAndSignIn("Boss"), await testSite.signUpAndSignIn("Ana")];
  const totals = async () => {
    const numbers = await boss.api.administration.numbers.query();
    return [numbers.mails.ever, numbers["mails-failed"].ever];
  };
  await until(async () => (await totals())[0] === 2);
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "now" });
  await boss.api.comments.create.mutate(aComment(blog));
  await until(async () => (await totals())[0] === 3);
  await testSite.run(
    "insert into jobs (id, name, payload, due_at, created_at) values ('j', 'notification-email', '{}', 9e15, 1)",
  );
  await testSite.run("update jobs set failed_at = 2 where id = 'j'");
  expect(await totals()).toEqual([3, 1]);
});

test("reports a nearly full disk to administrators, once a day in the log, in metrics and by the doctor", async () => {
  const token = "a long token of ours";
  await using testSite = await startTestSite({ METRICS_TOKEN: token });
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  const { free, total, isLow, version } = await boss.api.administration.disk.query();
  expect(await reprise(testSite.config.dataDir, ["--version"])).toMatchObject({ code: 0, output: version });
  expect(free).toBeGreaterThan(0);
  expect(total).toBeGreaterThanOrEqual(free);
  expect(isLow).toBe(free < Math.min(Math.max(total / 10, 1e9), 1e10));
  await expectRefusal(ana.api.administration.disk.query(), "FORBIDDEN");
  const metrics = async () =>
    (await fetch(`${testSite.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  const stream = followTopic(boss, "me");
  await stream.waitForStart();
  const logLines: string[] = [];
  const record = (level: string) => (fields: object, message: string) =>
    void logLines.push(`${level} ${Object.keys(fields).join(" ")} ${message.replace(/[:;].*/, "")}`);
  const parts = { ...testSite.app.services, log: { warn: record("warn"), info: record("info") } as never };
  const [diskWatch, now, day] = [new DiskWatch(), Date.now(), 24 * 60 * 60 * 1_000];

  await boss.api.administration.setSite.mutate({ diskLowGb: "0" });
  for (const time of [now, now + day]) await diskWatch.check(parts, time);
  expect(logLines).toEqual([]);
  expect(await metrics()).toContain("reprise_disk_low 0");
  await boss.api.administration.setSite.mutate({ diskLowGb: "900000000" });
  await stream.waitFor("viewer.reportsChanged", 2);
  for (const time of [now, now, now + 1]) await diskWatch.check(parts, time);
  expect(logLines).toEqual(["warn free total disk space is low"]);
  await stream.waitFor("viewer.reportsChanged", 3);
  for (const time of [now + day, now + day]) await diskWatch.check(parts, time);
  expect(logLines).toHaveLength(2);
  expect(await boss.api.administration.disk.query()).toMatchObject({ isLow: true });
  expect(await metrics()).toContain("reprise_disk_low 1");
  const doctor = await reprise(testSite.config.dataDir, ["doctor"]);
  expect(doctor.output).toMatch(/Disk: .* are free\. Please make room/);
  await boss.api.administration.setSite.mutate({ diskLowGb: "0" });
  await diskWatch.check(parts, now + day);
  expect(logLines.at(-1)).toBe("info free total there is enough disk space again");
});

test("logs a nearly full disk when the server starts", async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "reprise-test-"));
  const services = await openServicesForCommand(
    { DATA_DIR: folder.path, ...(await databaseSettings(folder.path)) },
    "new",
  );
  await services.database.write((tx) => setSiteSetting(tx, "diskLowGb", "900000000"));
  await services.workers.close();
  await services.readers.close();
  await services.database.close();
  let log = "";
  await using _server = await startServer({ DATA_DIR: folder.path }, { onLog: (text) => (log += text) });
  await until(() => log.includes("disk space is low"));
  expect(log.match(/disk space is low: [\d.]+ [A-Z]B are left/g)).toHaveLength(1);
});
