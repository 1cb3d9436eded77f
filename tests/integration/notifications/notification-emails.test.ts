import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ParsedMail } from "mailparser";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { limits } from "../../../src/shared/limits.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { dueAt, sendNotificationEmail } from "../../../src/server/notifications/notification-emails.ts";
import { notify } from "../../../src/server/notifications/service.ts";
import { unsubscribeAddress } from "../../../src/server/notifications/unsubscribe.ts";
import { insertUser } from "../../../src/server/profiles/queries.ts";
import { openBrowser } from "../../support/browser.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { forThisTest } from "../../support/site-with.ts";
import { startSmtpServer, type TestSmtpServer } from "../../support/smtp-server.ts";
import { changeBeside, rowsBeside } from "../../support/second-database.ts";
import { startServer } from "../../support/server.ts";
import {
  aBlog,
  aComment,
  followTopics,
  startTestSite,
  until,
  type Browser,
  type TestSite,
} from "../../support/test-site.ts";

/* When notification emails are sent, and what they leave out. */

/** A person with a confirmed address, whose emails go to a mail server. */
async function member(testSite: TestSite, name: string): Promise<Browser & { id: string; email: string }> {
  const id = newId();
  const email = `${name.toLowerCase()}@example.org`;
  const [createdAt, passwordHash] = [Date.now(), null];
  await testSite.write((tx) =>
    insertUser(tx, {
      id,
      username: name.toLowerCase(),
      email,
      name,
      passwordHash,
      createdAt,
      verifiedAt: createdAt,
    }),
  );
  const { cookie } = await testSite.app.services.sessions.begin(id, "a browser");
  return Object.assign(testSite.browser(cookie.split(";")[0]), { id, email });
}
type Member = Awaited<ReturnType<typeof member>>;

/** Ana wrote a blog and gets emails about comments on it; Ben comments. */
async function createAuthorAndReader(smtpServer: TestSmtpServer, mail: "now" | "daily" | "weekly" = "now") {
  const testSite = forThisTest(await startTestSite({ SMTP_URL: `${smtpServer.url}/?socketTimeout=3000` }));
  const [ana, ben] = [await member(testSite, "Ana"), await member(testSite, "Ben")];
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail });
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const postComment = (text: string, person: Member = ben) =>
    person.api.comments.create.mutate(aComment(blog, { text }));
  return { testSite, ana, ben, blog, postComment };
}

const emailJobs = (testSite: TestSite) =>
  testSite.rows<{ due_at: number; attempts: number; last_error: string | null; failed_at: number | null }>(
    "select * from jobs where name = 'notification-email' order by id",
  );
/** Makes all queued emails due. */
const makeDue = (testSite: TestSite) =>
  testSite.write(async (tx) => {
    await execute(tx, "update jobs set due_at = 0 where name = 'notification-email'");
    tx.signal(jobsTopic);
  });
const awaitEmailJobs = (testSite: TestSite) =>
  until(() => emailJobs(testSite).length === 0, "the letters' end");
const header = (mail: ParsedMail | undefined, name: string) =>
  mail?.headerLines
    .find(({ key }) => key === name)
    ?.line.slice(name.length + 1)
    .trim() ?? "";
const linkOf = (mail: ParsedMail | undefined) => /^<(.*)>$/.exec(header(mail, "list-unsubscribe"))?.[1] ?? "";
const channelsOf = async (person: Member) => (await person.api.social.notificationSettings.query()).settings;

test("emails the first of fifty comments at once, and the others together some minutes later", async () => {
  const smtpServer = forThisTest(await startSmtpServer());
  const { testSite, ana, postComment, blog } = await createAuthorAndReader(smtpServer);
  await postComment("The owl sings.");
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails).toHaveLength(1);
  const [mail] = smtpServer.receivedEmails;
  expect(mail?.subject).toBe("Ben commented on “A walk at night”");
  expect([mail?.to].flat().map((to) => to?.text)).toEqual([ana.email]);
  expect(mail?.text).toContain("The owl sings.");
  expect(mail?.text).toContain(`${testSite.config.publicUrl}/blog/${blog.slug}#comment-`);
  expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
  const others = await Promise.all(
    Array.from({ length: 5 }, (_, index) => member(testSite, `Reader${index}`)),
  );
  for (let round = 0; round < 10; round++)
    await Promise.all(others.map((person) => postComment(`Round ${round}.`, person)));
  expect(emailJobs(testSite)).toHaveLength(1);
  const delay = emailJobs(testSite)[0]!.due_at - Date.now();
  expect(delay).toBeGreaterThan(limits.mail.emailsApart - 60_000);
  expect(delay).toBeLessThanOrEqual(limits.mail.emailsApart);
  await makeDue(testSite);
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails).toHaveLength(2);
  // The first was in the earlier email.
  expect(smtpServer.receivedEmails[1]?.text).not.toContain("The owl sings.");
  expect(smtpServer.receivedEmails[1]?.text).toMatch(/Reader\d and 4 others commented/);
});

test("leaves out of an email notifications read, deleted or hidden meanwhile, and sends none if nothing is left", async () => {
  const smtpServer = forThisTest(await startSmtpServer());
  const { testSite, ana, ben, blog, postComment } = await createAuthorAndReader(smtpServer, "daily");
  const cem = await member(testSite, "Cem");
  const eve = await member(testSite, "Eve");
  const expectNoEmail = async (action: () => Promise<unknown>) => {
    await postComment("Hello.");
    expect(emailJobs(testSite)).toHaveLength(1);
    await action();
    await makeDue(testSite);
    await awaitEmailJobs(testSite);
    expect(smtpServer.receivedEmails).toEqual([]);
  };
  await expectNoEmail(() => ana.api.social.readNotifications.mutate({}));
  await expectNoEmail(() => testSite.run("delete from comments"));
  await expectNoEmail(() => ana.api.social.mute.mutate({ userId: ben.id, muted: true }));
  await ana.api.social.mute.mutate({ userId: ben.id, muted: false });
  await expectNoEmail(() => ana.api.users.updateSettings.mutate({ mutedWords: ["hello"] }));
  await ana.api.users.updateSettings.mutate({ mutedWords: [] });
  await expectNoEmail(() =>
    ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "never" }),
  );
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "daily" });
  const afterChange = (change: string, person: Member) => () =>
    testSite.run(`update users set ${change} where id = '${person.id}'`);
  await expectNoEmail(afterChange("suspended_at = 1", ana));
  await afterChange("suspended_at = null", ana)();
  await expectNoEmail(afterChange("verified_at = null", ana));
  await afterChange("verified_at = 1", ana)();
  await expectNoEmail(afterChange("suspended_at = 1", ben));
  await afterChange("suspended_at = null", ben)();
  await expectNoEmail(() => ana.api.social.block.mutate({ userId: ben.id, blocked: true }));
  // A reply in another person's blog that becomes private before the email is sent.
  await cem.api.social.setNotificationChannels.mutate({ topic: "replies", mail: "daily" });
  const comment = await postComment("A question.", cem);
  await eve.api.comments.create.mutate(aComment(blog, { parentId: comment.id, text: "An answer." }));
  await ana.api.social.readNotifications.mutate({});
  await ana.api.users.updateSettings.mutate({ private: true });
  await makeDue(testSite);
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails).toEqual([]);
});

test("composes an email again at each attempt, and sends it once", async () => {
  const smtpServer = forThisTest(
    await startSmtpServer({
      onRecipient: (attempt) =>
        attempt === 1 ? { responseCode: 451, message: "Greylisted, come back later" } : undefined,
    }),
  );
  const { testSite, ana, postComment } = await createAuthorAndReader(smtpServer);
  await postComment("Soon gone.");
  await until(() => emailJobs(testSite)[0]?.last_error?.includes("Greylisted"), "the first attempt");
  await ana.api.social.readNotifications.mutate({});
  await postComment("Here to stay.");
  expect(emailJobs(testSite)).toHaveLength(1);
  await makeDue(testSite);
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails.map((mail) => mail.text?.includes("Soon gone."))).toEqual([false]);
  expect(smtpServer.receivedEmails[0]?.text).toContain("Here to stay.");
});

test(
  "a server that is killed while it sends an email sends it once more after its restart, with the same id",
  { tags: ["more"] },
  async () => {
    let answer = () => {};
    const answerSent = new Promise<void>((resolve) => (answer = resolve));
    const smtpServer = forThisTest(await startSmtpServer({ onMail: () => answerSent }));
    const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-letters-"));
    const settings = { DATA_DIR: dataDir, SMTP_URL: smtpServer.url, LOG_LEVEL: "silent" };
    // The data from before it is killed.
    const before = await startTestSite({ DATA_DIR: dataDir, SMTP_URL: smtpServer.url });
    const [ana, ben] = [await member(before, "Ana"), await member(before, "Ben")];
    await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "now" });
    const blog = await ana.api.blogs.create.mutate(aBlog());
    await ben.close();
    await ana.close();
    await before.app.close();
    const first = await startServer(settings);
    const bensBrowser = openBrowser(first.url, ben.cookie);
    await bensBrowser.api.comments.create.mutate(aComment(blog));
    await until(() => smtpServer.receivedEmails.length === 1, "its first way");
    await first.kill();
    await bensBrowser.close();
    answer();
    // The killed server holds the job for some seconds.
    await changeBeside(dataDir, "update jobs set leased_until = 0");
    const second = await startServer(settings);
    await until(
      async () =>
        (await rowsBeside(dataDir, "select 1 from jobs where name = 'notification-email'")).length === 0,
      "its end",
    );
    await second.kill();
    const third = await startServer(settings);
    await third.kill();
    expect(smtpServer.receivedEmails).toHaveLength(2);
    expect(new Set(smtpServer.receivedEmails.map((mail) => mail.messageId)).size).toBe(1);
    await rm(dataDir, { recursive: true, force: true });
  },
);

test("a refused mailbox ends only that email; the next notification queues a new one", async () => {
  const refusing = { isOn: true };
  const smtpServer = forThisTest(
    await startSmtpServer({
      onRecipient: () => (refusing.isOn ? { responseCode: 550, message: "No such user here" } : undefined),
    }),
  );
  const { testSite, postComment } = await createAuthorAndReader(smtpServer);
  await postComment("Lost.");
  await until(() => emailJobs(testSite)[0]?.failed_at, "its end");
  refusing.isOn = false;
  await postComment("Found.");
  await until(() => smtpServer.receivedEmails.length === 1, "the next");
  expect(smtpServer.receivedEmails[0]?.text).toContain("Found.");
});

test("puts notifications created while a slow mail server takes an email into the next one", async () => {
  let answer = () => {};
  const answerSent = new Promise<void>((resolve) => (answer = resolve));
  const smtpServer = forThisTest(await startSmtpServer({ onMail: () => answerSent }));
  const { testSite, postComment } = await createAuthorAndReader(smtpServer);
  const eve = await member(testSite, "Eve");
  await postComment("The first.");
  await until(() => smtpServer.receivedEmails.length === 1, "its way");
  await postComment("Meanwhile.", eve);
  answer();
  await until(() => (emailJobs(testSite)[0]?.due_at ?? 0) > Date.now(), "the next one");
  await makeDue(testSite);
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails).toHaveLength(2);
  expect(smtpServer.receivedEmails[1]?.text).toContain("Meanwhile.");
  expect(smtpServer.receivedEmails[1]?.text).not.toContain("The first.");
});

test("puts notifications created in the moment in which an email is composed into the next one", async () => {
  const smtpServer = forThisTest(await startSmtpServer());
  const { testSite, ana, ben } = await createAuthorAndReader(smtpServer);
  const eve = await member(testSite, "Eve");
  await ana.api.social.setNotificationChannels.mutate({ topic: "people", mail: "daily" });
  const notifyFollow = (person: Member) =>
    testSite.write((tx) =>
      notify(tx, { userId: ana.id, kind: "follow", actorId: person.id, target: ana.id }),
    );
  const job = { attempt: 1, signal: new AbortController().signal };
  const next: boolean[] = [];
  for (let round = 0; round < 30; round++) {
    await notifyFollow(ben);
    const run = sendNotificationEmail.run(
      testSite.app.services,
      { userId: ana.id, frequency: "daily" },
      { id: `${round}`, ...job },
    );
    await Promise.all([run, notifyFollow(eve)]);
    const [queuedEmail] = testSite.rows<{ since: number | null }>("select since from notification_emails");
    next.push(queuedEmail?.since != null);
    await testSite.write(async (tx) => {
      for (const table of ["notifications", "notification_emails", "jobs"])
        await execute(tx, `delete from ${table}`);
    });
  }
  expect(next).not.toContain(false);
});

test("emails a few notifications of one kind beside thousands of another, and beside thousands left unread", async () => {
  const smtpServer = forThisTest(await startSmtpServer());
  const all = await createAuthorAndReader(smtpServer, "daily");
  const { testSite, ana, ben, postComment } = all;
  const insertNotifications = (kind: string, createdAt: number) =>
    testSite.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
          insert into notifications (id, user_id, kind, actor_id, target, created_at)
          select '${kind}' || i, '${ana.id}', '${kind}', '${ben.id}', '${kind}' || i, ${createdAt} from n`);
  await postComment("Among the many.");
  await insertNotifications("like", Date.now());
  await makeDue(testSite);
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails.map(({ text }) => text?.includes("Among the many."))).toEqual([true]);
  await insertNotifications("comment", 1);
  await postComment("After the many.");
  await makeDue(testSite);
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails.map(({ text }) => text?.includes("After the many."))).toEqual([
    false,
    true,
  ]);
});

test("a mail server that hangs costs an attempt, and gets the email once it responds", async () => {
  const hanging = { isOn: true };
  const smtpServer = forThisTest(
    await startSmtpServer({
      onRecipient: () => (hanging.isOn ? new Promise<void>(() => undefined) : undefined),
    }),
  );
  const { testSite, postComment } = await createAuthorAndReader(smtpServer);
  await postComment("Patience.");
  await until(() => (emailJobs(testSite)[0]?.last_error ?? "") !== "", "the end of the attempt");
  hanging.isOn = false;
  await makeDue(testSite);
  await awaitEmailJobs(testSite);
  expect(smtpServer.receivedEmails).toHaveLength(1);
});

test("daily and weekly emails are due in the morning of the person's time zone, also when clocks change", () => {
  const dueTime = (channel: "daily" | "weekly", zone: string, now: string) =>
    new Date(dueAt(channel, { id: "<", zone }, null, Date.parse(now))).toISOString().slice(0, 16);
  // Clocks in Berlin go from +1 to +2 on the 29th of March, a Sunday, and back on the 25th of October.
  expect(dueTime("daily", "Europe/Berlin", "2026-03-27T12:00Z")).toBe("2026-03-28T07:00");
  expect(dueTime("daily", "Europe/Berlin", "2026-03-28T12:00Z")).toBe("2026-03-29T06:00");
  expect(dueTime("weekly", "Europe/Berlin", "2026-03-27T12:00Z")).toBe("2026-03-30T06:00");
  expect(dueTime("daily", "Europe/Berlin", "2026-10-24T12:00Z")).toBe("2026-10-25T07:00");
  expect(dueTime("weekly", "Europe/Berlin", "2026-10-19T06:00Z")).toBe("2026-10-26T07:00");
  // Just before, and just after it is due.
  expect(dueTime("daily", "America/New_York", "2026-11-23T12:59Z")).toBe("2026-11-23T13:00");
  expect(dueTime("daily", "America/New_York", "2026-11-23T13:00Z")).toBe("2026-11-24T13:00");
  // Sunday in UTC and Monday in the zone, and the other way round.
  expect(dueTime("weekly", "Pacific/Auckland", "2026-11-22T12:00Z")).toBe("2026-11-22T19:00");
  expect(dueTime("weekly", "Pacific/Honolulu", "2026-11-23T01:00Z")).toBe("2026-11-23T18:00");
  expect(dueTime("daily", "Asia/Kathmandu", "2026-11-22T12:00Z")).toBe("2026-11-23T02:15");
  // Samoa skipped the 30th of December 2011.
  expect(dueTime("daily", "Pacific/Apia", "2011-12-29T20:00Z")).toBe("2011-12-30T18:00");
  for (const zone of Intl.supportedValuesOf("timeZone"))
    for (const now of ["2026-03-28T22:10Z", "2026-11-01T05:30Z"]) {
      const due = dueAt("daily", { id: "<", zone }, null, Date.parse(now));
      expect(due - Date.parse(now)).toBeGreaterThan(0);
      expect(due - Date.parse(now)).toBeLessThanOrEqual(25 * 60 * 60_000);
      const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
      expect([zone, clock.format(due)]).toEqual([zone, "08:00"]);
    }
});

test("uses the time zone that the browser reported last, and keeps the hour of a queued email", async () => {
  const smtpServer = forThisTest(await startSmtpServer());
  const { testSite, ana, postComment } = await createAuthorAndReader(smtpServer, "daily");
  expect((await ana.api.social.notificationSettings.query()).zone).toBeNull();
  const stream = followTopics(ana, ["me"]);
  await stream.waitForStart();
  expect((await ana.api.social.setZone.mutate({ zone: "asia/tokyo" })).zone).toBe("Asia/Tokyo");
  await stream.waitFor("viewer.channelsChanged");
  await postComment("Hello.");
  await until(() => emailJobs(testSite).length === 1, "a letter");
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", hour: "2-digit" });
  const due = emailJobs(testSite)[0]!.due_at;
  expect(clock.format(due)).toBe("08");
  await ana.api.social.setZone.mutate({ zone: "Europe/Lisbon" });
  expect((await ana.api.social.notificationSettings.query()).zone).toBe("Europe/Lisbon");
  expect(emailJobs(testSite).map(({ due_at }) => due_at)).toEqual([due]);
  for (const zone of ["Mars/Phobos", "+02:00", "", "Europe/Lisbon'", "x".repeat(61)])
    await expectRefusal(ana.api.social.setZone.mutate({ zone }), "BAD_REQUEST");
  expect((await ana.api.social.notificationSettings.query()).zone).toBe("Europe/Lisbon");
});

test("an email is due at once, in the morning or on Monday, at a minute that differs between people", () => {
  const parseTime = (day: string) => Date.parse(`${day}Z`);
  const id = "a";
  const minutes = limits.mail.morning / 60_000 + ("a".charCodeAt(0) % 60);
  const clock = `T${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
  const dueTime = (channel: "now" | "daily" | "weekly", now: string, sent: number | null = null) =>
    new Date(dueAt(channel, { id, zone: null }, sent, parseTime(now))).toISOString().slice(0, 19);
  expect(dueTime("now", "2026-11-22T17:00:00")).toBe("2026-11-22T17:00:00");
  expect(dueTime("now", "2026-11-22T17:00:00", parseTime("2026-11-22T16:55:00"))).toBe("2026-11-22T17:10:00");
  expect(dueTime("daily", "2026-11-22T17:00:00")).toBe(`2026-11-23${clock}`);
  expect(dueTime("daily", "2026-11-22T03:00:00")).toBe(`2026-11-22${clock}`);
  // The 23rd is a Monday.
  expect(dueTime("weekly", "2026-11-22T17:00:00")).toBe(`2026-11-23${clock}`);
  expect(dueTime("weekly", "2026-11-23T17:00:00")).toBe(`2026-11-30${clock}`);
  expect(new Set(["a", "b", "c"].map((one) => dueAt("daily", { id: one, zone: null }, null, 0))).size).toBe(
    3,
  );
});

test("one click in an email program unsubscribes from all notification emails, without a session and repeatedly", async () => {
  const smtpServer = forThisTest(await startSmtpServer());
  const { testSite, ana, postComment } = await createAuthorAndReader(smtpServer);
  await ana.api.social.setNotificationChannels.mutate({ topic: "likes", mail: "weekly" });
  await postComment("Hello.");
  await awaitEmailJobs(testSite);
  const [mail] = smtpServer.receivedEmails;
  expect(header(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const link = linkOf(mail).replace(testSite.config.publicUrl, testSite.url);
  expect(link).toMatch(/^http:\/\/.*\/unsubscribe\/[\w.-]+$/);
  expect(mail?.text).toContain(linkOf(mail));
  // Programs that scan emails open every link, which must not unsubscribe.
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining("Unsubscribe from emails?"),
  ]);
  expect((await channelsOf(ana)).comments.mail).toBe("now");
  const open = followTopics(ana, ["me"]);
  await open.waitForStart();
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  for (const body of [
    new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    form,
    "anything",
    undefined,
  ]) {
    const answer = await fetch(link, {
      method: "POST",
      headers: { origin: "https://mail.example.com", "sec-fetch-site": "cross-site" },
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining("unsubscribed from emails"),
    ]);
  }
  await open.waitFor("viewer.channelsChanged");
  const channels = await channelsOf(ana);
  expect(Object.values(channels).map((one) => one.mail)).toEqual(Object.values(channels).map(() => "never"));
  expect(channels.comments.page).toBe(true);
  await postComment("More.");
  expect(emailJobs(testSite)).toEqual([]);
  open.stop();
});

test("a link that was cut, forged, made for another account or has expired unsubscribes no one, and says what to do", async () => {
  const smtpServer = forThisTest(await startSmtpServer());
  const { testSite, ana, ben } = await createAuthorAndReader(smtpServer);
  const { read } = testSite.app.services.database;
  const link = await unsubscribeAddress(testSite.config, read, ana.id);
  const tokenOf = (address: string) => address.slice(address.lastIndexOf("/") + 1);
  const token = tokenOf(link);
  const bens = tokenOf(await unsubscribeAddress(testSite.config, read, ben.id));
  const expiredToken = tokenOf(
    await unsubscribeAddress(testSite.config, read, ana.id, Date.now() - 500 * 24 * 60 * 60 * 1000),
  );
  const unsubscribe = (one: string) => fetch(`${testSite.url}/unsubscribe/${one}`, { method: "POST" });
  for (const invalidToken of [
    token.slice(0, -4),
    token.replace(ana.id, ben.id),
    bens.replace(ben.id, ana.id),
    token.replace(/\.\d+\./, ".99999."),
    "x",
    "a.b.c",
    "%25",
    "a".repeat(3_000),
  ]) {
    const answer = await unsubscribe(invalidToken);
    expect([invalidToken, answer.status]).toEqual([invalidToken, 400]);
    expect(await answer.text()).toMatch(/Settings/);
  }
  const expiredAnswer = await unsubscribe(expiredToken);
  expect([expiredAnswer.status, await expiredAnswer.text()]).toEqual([
    400,
    expect.stringContaining("has expired"),
  ]);
  expect((await channelsOf(ana)).comments.mail).toBe("now");
  await testSite.run(`delete from users where id = '${ben.id}'`);
  expect((await unsubscribe(bens)).status).toBe(200);
  expect((await unsubscribe(token)).status).toBe(200);
  expect((await channelsOf(ana)).comments.mail).toBe("never");
});

test("repeated unsubscribing writes nothing and is limited", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await member(testSite, "Ana");
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "now" });
  const { database } = testSite.app.services;
  const link = await unsubscribeAddress(testSite.config, database.read, ana.id);
  const unsubscribe = async () =>
    (await fetch(link.replace(testSite.config.publicUrl, testSite.url), { method: "POST" })).status;
  expect(await unsubscribe()).toBe(200);
  expect((await channelsOf(ana)).comments.mail).toBe("never");
  const { stored } = database.writes();
  const answers = new Set<number>();
  for (let times = 0; times < 240; times++) answers.add(await unsubscribe());
  expect([...answers]).toEqual([200, 429]);
  // Apart from the site's own writes meanwhile.
  expect(database.writes().stored - stored).toBeLessThan(100);
});
