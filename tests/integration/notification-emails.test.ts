import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import type { ParsedMail } from "mailparser";
import { expect, test } from "vitest";
import { limits } from "../../src/shared/limits.ts";
import { newId } from "../../src/server/ids.ts";
import { jobsTopic } from "../../src/server/live/signals.ts";
import { dueAt, sendNotificationEmail } from "../../src/server/notifications/email.ts";
import { notify } from "../../src/server/notifications/service.ts";
import { unsubscribeAddress } from "../../src/server/notifications/unsubscribe.ts";
import { insertUser } from "../../src/server/users/queries.ts";
import { openBrowser } from "../support/browser.ts";
import { postOffice, type PostOffice } from "../support/post-office.ts";
import { startServer } from "../support/server.ts";
import {
  aBlog,
  aComment,
  followTopics,
  refusal,
  startTown,
  until,
  type Browser,
  type Town,
} from "../support/town.ts";

/* When notification emails are sent, and what they leave out. */

/** Somebody with a confirmed address, where mails go to a mail server. */
async function member(town: Town, name: string): Promise<Browser & { id: string; email: string }> {
  const id = newId();
  const email = `${name.toLowerCase()}@example.org`;
  const [createdAt, passwordHash] = [Date.now(), null];
  await town.write((tx) =>
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
  const { cookie } = await town.app.parts.sessions.begin(id, "a browser");
  return Object.assign(town.browser(cookie.split(";")[0]), { id, email });
}
type Member = Awaited<ReturnType<typeof member>>;

/** Ana has written a blog and is told of comments there by mail; Ben comments. */
async function writerAndReader(office: PostOffice, mail: "now" | "daily" | "weekly" = "now") {
  const town = await startTown({ SMTP_URL: `${office.url}/?socketTimeout=3000` });
  const [ana, ben] = [await member(town, "Ana"), await member(town, "Ben")];
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail });
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const says = (text: string, who: Member = ben) => who.api.comments.create.mutate(aComment(blog, { text }));
  return { town, ana, ben, blog, says, [Symbol.asyncDispose]: () => town[Symbol.asyncDispose]() };
}

const letters = (town: Town) =>
  town.rows<{ due_at: number; attempts: number; last_error: string | null; failed_at: number | null }>(
    "select * from jobs where name = 'notice-letter' order by id",
  );
/** As if the time had come for all that waits. */
const letTimePass = (town: Town) =>
  town.write(async (tx) => {
    tx.drizzle.run("update jobs set due_at = 0 where name = 'notice-letter'");
    tx.signal(jobsTopic);
  });
const done = (town: Town) => until(() => letters(town).length === 0, "the letters' end");
const header = (mail: ParsedMail | undefined, name: string) =>
  mail?.headerLines
    .find(({ key }) => key === name)
    ?.line.slice(name.length + 1)
    .trim() ?? "";
const linkOf = (mail: ParsedMail | undefined) => /^<(.*)>$/.exec(header(mail, "list-unsubscribe"))?.[1] ?? "";
const waysOf = async (who: Member) => (await who.api.social.notificationSettings.query()).settings;

test("the first of fifty comments is mailed at once, and the others in one letter some minutes later", async () => {
  await using office = await postOffice();
  await using all = await writerAndReader(office);
  const { town, ana, says, blog } = all;
  await says("The owl sings.");
  await done(town);
  expect(office.mails).toHaveLength(1);
  const [mail] = office.mails;
  expect(mail?.subject).toBe("Ben commented on “A walk at night”");
  expect([mail?.to].flat().map((to) => to?.text)).toEqual([ana.email]);
  expect(mail?.text).toContain("The owl sings.");
  expect(mail?.text).toContain(`${town.config.publicUrl}/blog/${blog.slug}#comment-`);
  expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
  const others = await Promise.all(Array.from({ length: 5 }, (_, nr) => member(town, `Reader${nr}`)));
  for (let round = 0; round < 10; round++)
    await Promise.all(others.map((who) => says(`Round ${round}.`, who)));
  expect(letters(town)).toHaveLength(1);
  const wait = letters(town)[0]!.due_at - Date.now();
  expect(wait).toBeGreaterThan(limits.mail.emailsApart - 60_000);
  expect(wait).toBeLessThanOrEqual(limits.mail.emailsApart);
  await letTimePass(town);
  await done(town);
  expect(office.mails).toHaveLength(2);
  // The first was told of already.
  expect(office.mails[1]?.text).not.toContain("The owl sings.");
  expect(office.mails[1]?.text).toMatch(/Reader\d and 4 others commented/);
});

test("leaves out of an email what was read meanwhile, withdrawn, deleted or hidden; sends none if nothing is left", async () => {
  await using office = await postOffice();
  await using all = await writerAndReader(office, "daily");
  const { town, ana, ben, blog, says } = all;
  const cem = await member(town, "Cem");
  const eve = await member(town, "Eve");
  const waiting = async (deed: () => Promise<unknown>) => {
    await says("Hello.");
    expect(letters(town)).toHaveLength(1);
    await deed();
    await letTimePass(town);
    await done(town);
    expect(office.mails).toEqual([]);
  };
  await waiting(() => ana.api.social.readNotifications.mutate({}));
  await waiting(() => town.write(async (tx) => void tx.drizzle.run("delete from comments")));
  await waiting(() => ana.api.social.mute.mutate({ userId: ben.id, muted: true }));
  await ana.api.social.mute.mutate({ userId: ben.id, muted: false });
  await waiting(() => ana.api.users.updateSettings.mutate({ mutedWords: ["hello"] }));
  await ana.api.users.updateSettings.mutate({ mutedWords: [] });
  await waiting(() => ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "never" }));
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "daily" });
  const asIf = (change: string, who: Member) => () =>
    town.write(async (tx) => void tx.drizzle.run(`update users set ${change} where id = '${who.id}'`));
  await waiting(asIf("suspended_at = 1", ana));
  await asIf("suspended_at = null", ana)();
  await waiting(asIf("verified_at = null", ana));
  await asIf("verified_at = 1", ana)();
  await waiting(asIf("suspended_at = 1", ben));
  await asIf("suspended_at = null", ben)();
  await waiting(() => ana.api.social.block.mutate({ userId: ben.id, blocked: true }));
  // A reply in another's blog that becomes private before the letter goes.
  await cem.api.social.setNotificationChannels.mutate({ topic: "replies", mail: "daily" });
  const comment = await says("A question.", cem);
  await eve.api.comments.create.mutate(aComment(blog, { parentId: comment.id, text: "An answer." }));
  await ana.api.social.readNotifications.mutate({});
  await ana.api.users.updateSettings.mutate({ private: true });
  await letTimePass(town);
  await done(town);
  expect(office.mails).toEqual([]);
});

test("what a mail server puts off is asked about anew at each attempt, and told once", async () => {
  await using office = await postOffice({
    onRecipient: (attempt) =>
      attempt === 1 ? { responseCode: 451, message: "Greylisted, come back later" } : undefined,
  });
  await using all = await writerAndReader(office);
  const { town, ana, says } = all;
  await says("Soon gone.");
  await until(() => letters(town)[0]?.last_error?.includes("Greylisted"), "the first attempt");
  await ana.api.social.readNotifications.mutate({});
  await says("Here to stay.");
  expect(letters(town)).toHaveLength(1);
  await letTimePass(town);
  await done(town);
  expect(office.mails.map((mail) => mail.text?.includes("Soon gone."))).toEqual([false]);
  expect(office.mails[0]?.text).toContain("Here to stay.");
});

test(
  "a server that is killed while a letter goes sends it once more after its restart, known by the same id, and never again",
  { tags: ["more"] },
  async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await using office = await postOffice({ onMail: () => answered });
    const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-letters-"));
    const settings = { DATA_DIR: dataDir, SMTP_URL: office.url, LOG_LEVEL: "silent" };
    // What is there before it is killed.
    const before = await startTown({ DATA_DIR: dataDir, SMTP_URL: office.url });
    const [ana, ben] = [await member(before, "Ana"), await member(before, "Ben")];
    await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "now" });
    const blog = await ana.api.blogs.create.mutate(aBlog());
    await ben.close();
    await ana.close();
    await before.app.close();
    const first = await startServer(settings);
    const again = openBrowser(first.url, ben.cookie);
    await again.api.comments.create.mutate(aComment(blog));
    await until(() => office.mails.length === 1, "its first way");
    await first.kill();
    await again.close();
    answer();
    // Whoever was killed holds the job for some seconds.
    const store = new Sqlite(path.join(dataDir, "reprise.db"));
    store.prepare("update jobs set leased_until = 0").run();
    const second = await startServer(settings);
    await until(
      () => store.prepare("select 1 from jobs where name = 'notice-letter'").get() === undefined,
      "its end",
    );
    await second.kill();
    const third = await startServer(settings);
    await third.kill();
    store.close();
    expect(office.mails).toHaveLength(2);
    expect(new Set(office.mails.map((mail) => mail.messageId)).size).toBe(1);
    await rm(dataDir, { recursive: true, force: true });
  },
);

test("a refused mailbox ends only that email; the next notification queues a new one", async () => {
  const refused = { isOn: true };
  await using office = await postOffice({
    onRecipient: () => (refused.isOn ? { responseCode: 550, message: "No such user here" } : undefined),
  });
  await using all = await writerAndReader(office);
  const { town, says } = all;
  await says("Lost.");
  await until(() => letters(town)[0]?.failed_at, "its end");
  refused.isOn = false;
  await says("Found.");
  await until(() => office.mails.length === 1, "the next");
  expect(office.mails[0]?.text).toContain("Found.");
});

test("what comes while a mail server is slow to take a letter stands in the next one", async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await using office = await postOffice({ onMail: () => answered });
  await using all = await writerAndReader(office);
  const { town, says } = all;
  const eve = await member(town, "Eve");
  await says("The first.");
  await until(() => office.mails.length === 1, "its way");
  await says("Meanwhile.", eve);
  answer();
  await until(() => (letters(town)[0]?.due_at ?? 0) > Date.now(), "the next one");
  await letTimePass(town);
  await done(town);
  expect(office.mails).toHaveLength(2);
  expect(office.mails[1]?.text).toContain("Meanwhile.");
  expect(office.mails[1]?.text).not.toContain("The first.");
});

test("what comes in the very moment in which a letter is written stands in the next one", async () => {
  await using office = await postOffice();
  await using all = await writerAndReader(office);
  const { town, ana, ben } = all;
  const eve = await member(town, "Eve");
  await ana.api.social.setNotificationChannels.mutate({ topic: "people", mail: "daily" });
  const follows = (who: Member) =>
    town.write((tx) => notify(tx, { userId: ana.id, kind: "follow", actorId: who.id, target: ana.id }));
  const job = { attempt: 1, signal: new AbortController().signal };
  const next: boolean[] = [];
  for (let round = 0; round < 30; round++) {
    await follows(ben);
    const run = sendNotificationEmail.run(
      town.app.parts,
      { userId: ana.id, way: "daily" },
      { id: `${round}`, ...job },
    );
    await Promise.all([run, follows(eve)]);
    const [letter] = town.rows<{ since: number | null }>("select since from notice_letters");
    next.push(letter?.since != null);
    await town.write(async (tx) => {
      for (const table of ["notifications", "notice_letters", "jobs"]) tx.drizzle.run(`delete from ${table}`);
    });
  }
  expect(next).not.toContain(false);
});

test("the few of one kind are mailed beside thousands of another, and beside thousands that were left unread", async () => {
  await using office = await postOffice();
  await using all = await writerAndReader(office, "daily");
  const { town, ana, ben, says } = all;
  const many = (kind: string, createdAt: number) =>
    town.write(
      async (tx) =>
        void tx.drizzle.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
          insert into notifications (id, user_id, kind, actor_id, target, created_at)
          select '${kind}' || i, '${ana.id}', '${kind}', '${ben.id}', '${kind}' || i, ${createdAt} from n`),
    );
  await says("Among the many.");
  await many("like", Date.now());
  await letTimePass(town);
  await done(town);
  expect(office.mails.map(({ text }) => text?.includes("Among the many."))).toEqual([true]);
  await many("comment", 1);
  await says("After the many.");
  await letTimePass(town);
  await done(town);
  expect(office.mails.map(({ text }) => text?.includes("After the many."))).toEqual([false, true]);
});

test("a server that hangs costs an attempt, and the letter goes out once it answers", async () => {
  const hung = { isOn: true };
  await using office = await postOffice({
    onRecipient: () => (hung.isOn ? new Promise<void>(() => undefined) : undefined),
  });
  await using all = await writerAndReader(office);
  const { town, says } = all;
  await says("Patience.");
  await until(() => (letters(town)[0]?.last_error ?? "") !== "", "the end of the attempt");
  hung.isOn = false;
  await letTimePass(town);
  await done(town);
  expect(office.mails).toHaveLength(1);
});

test("a daily or weekly letter comes in the morning where its person is, also where clocks change", () => {
  const when = (way: "daily" | "weekly", zone: string, now: string) =>
    new Date(dueAt(way, { id: "<", zone }, null, Date.parse(now))).toISOString().slice(0, 16);
  // Clocks in Berlin go from +1 to +2 on the 29th of March, a Sunday, and back on the 25th of October.
  expect(when("daily", "Europe/Berlin", "2026-03-27T12:00Z")).toBe("2026-03-28T07:00");
  expect(when("daily", "Europe/Berlin", "2026-03-28T12:00Z")).toBe("2026-03-29T06:00");
  expect(when("weekly", "Europe/Berlin", "2026-03-27T12:00Z")).toBe("2026-03-30T06:00");
  expect(when("daily", "Europe/Berlin", "2026-10-24T12:00Z")).toBe("2026-10-25T07:00");
  expect(when("weekly", "Europe/Berlin", "2026-10-19T06:00Z")).toBe("2026-10-26T07:00");
  // Just before, and just after it is due.
  expect(when("daily", "America/New_York", "2026-11-23T12:59Z")).toBe("2026-11-23T13:00");
  expect(when("daily", "America/New_York", "2026-11-23T13:00Z")).toBe("2026-11-24T13:00");
  // A Sunday in UTC, and Monday where they are, and the other way round.
  expect(when("weekly", "Pacific/Auckland", "2026-11-22T12:00Z")).toBe("2026-11-22T19:00");
  expect(when("weekly", "Pacific/Honolulu", "2026-11-23T01:00Z")).toBe("2026-11-23T18:00");
  expect(when("daily", "Asia/Kathmandu", "2026-11-22T12:00Z")).toBe("2026-11-23T02:15");
  // Samoa went without the 30th of December 2011.
  expect(when("daily", "Pacific/Apia", "2011-12-29T20:00Z")).toBe("2011-12-30T18:00");
  for (const zone of Intl.supportedValuesOf("timeZone"))
    for (const now of ["2026-03-28T22:10Z", "2026-11-01T05:30Z"]) {
      const due = dueAt("daily", { id: "<", zone }, null, Date.parse(now));
      expect(due - Date.parse(now)).toBeGreaterThan(0);
      expect(due - Date.parse(now)).toBeLessThanOrEqual(25 * 60 * 60_000);
      const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
      expect([zone, clock.format(due)]).toEqual([zone, "08:00"]);
    }
});

test("where somebody is, is what their browser said last; a letter that waits keeps its hour", async () => {
  await using office = await postOffice();
  await using all = await writerAndReader(office, "daily");
  const { town, ana, says } = all;
  expect((await ana.api.social.notificationSettings.query()).zone).toBeNull();
  const open = followTopics(ana, ["me"]);
  await open.live();
  expect((await ana.api.social.setZone.mutate({ zone: "asia/tokyo" })).zone).toBe("Asia/Tokyo");
  await open.heard("viewer.channelsChanged");
  await says("Hello.");
  await until(() => letters(town).length === 1, "a letter");
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", hour: "2-digit" });
  const due = letters(town)[0]!.due_at;
  expect(clock.format(due)).toBe("08");
  await ana.api.social.setZone.mutate({ zone: "Europe/Lisbon" });
  expect((await ana.api.social.notificationSettings.query()).zone).toBe("Europe/Lisbon");
  expect(letters(town).map(({ due_at }) => due_at)).toEqual([due]);
  for (const zone of ["Mars/Phobos", "+02:00", "", "Europe/Lisbon'", "x".repeat(61)])
    expect(await refusal(ana.api.social.setZone.mutate({ zone }))).toMatchObject({ code: "BAD_REQUEST" });
  expect((await ana.api.social.notificationSettings.query()).zone).toBe("Europe/Lisbon");
});

test("a letter is due at once, in the morning, or on Monday; each person has a minute of their own", () => {
  const at = (day: string) => Date.parse(`${day}Z`);
  const id = "a";
  const minutes = limits.mail.morning / 60_000 + ("a".charCodeAt(0) % 60);
  const clock = `T${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;
  const next = (way: "now" | "daily" | "weekly", now: string, sent: number | null = null) =>
    new Date(dueAt(way, { id, zone: null }, sent, at(now))).toISOString().slice(0, 19);
  expect(next("now", "2026-11-22T17:00:00")).toBe("2026-11-22T17:00:00");
  expect(next("now", "2026-11-22T17:00:00", at("2026-11-22T16:55:00"))).toBe("2026-11-22T17:10:00");
  expect(next("daily", "2026-11-22T17:00:00")).toBe(`2026-11-23${clock}`);
  expect(next("daily", "2026-11-22T03:00:00")).toBe(`2026-11-22${clock}`);
  // The 23rd is a Monday.
  expect(next("weekly", "2026-11-22T17:00:00")).toBe(`2026-11-23${clock}`);
  expect(next("weekly", "2026-11-23T17:00:00")).toBe(`2026-11-30${clock}`);
  expect(new Set(["a", "b", "c"].map((one) => dueAt("daily", { id: one, zone: null }, null, 0))).size).toBe(
    3,
  );
});

test("one click in an email program unsubscribes from all notification emails, without a session, from anywhere, however often", async () => {
  await using office = await postOffice();
  await using all = await writerAndReader(office);
  const { town, ana, says } = all;
  await ana.api.social.setNotificationChannels.mutate({ topic: "likes", mail: "weekly" });
  await says("Hello.");
  await done(town);
  const [mail] = office.mails;
  expect(header(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const link = linkOf(mail).replace(town.config.publicUrl, town.url);
  expect(link).toMatch(/^http:\/\/.*\/unsubscribe\/[\w.-]+$/);
  expect(mail?.text).toContain(linkOf(mail));
  // What looks through mails opens every link.
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining("Unsubscribe from emails?"),
  ]);
  expect((await waysOf(ana)).comments.mail).toBe("now");
  const open = followTopics(ana, ["me"]);
  await open.live();
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
  await open.heard("viewer.channelsChanged");
  const ways = await waysOf(ana);
  expect(Object.values(ways).map((one) => one.mail)).toEqual(Object.values(ways).map(() => "never"));
  expect(ways.comments.page).toBe(true);
  await says("More.");
  expect(letters(town)).toEqual([]);
  open.stop();
});

test("a link that was cut, forged, made for somebody else or is old ends nobody's mails, and says what to do; one of an account that is gone is answered as any", async () => {
  await using office = await postOffice();
  await using all = await writerAndReader(office);
  const { town, ana, ben } = all;
  const { read } = town.app.parts.database;
  const link = await unsubscribeAddress(town.config, read, ana.id);
  const tokenOf = (address: string) => address.slice(address.lastIndexOf("/") + 1);
  const token = tokenOf(link);
  const bens = tokenOf(await unsubscribeAddress(town.config, read, ben.id));
  const old = tokenOf(
    await unsubscribeAddress(town.config, read, ana.id, Date.now() - 500 * 24 * 60 * 60 * 1000),
  );
  const press = (one: string) => fetch(`${town.url}/unsubscribe/${one}`, { method: "POST" });
  for (const wrong of [
    token.slice(0, -4),
    token.replace(ana.id, ben.id),
    bens.replace(ben.id, ana.id),
    token.replace(/\.\d+\./, ".99999."),
    "x",
    "a.b.c",
    "%25",
    "a".repeat(3_000),
  ]) {
    const answer = await press(wrong);
    expect([wrong, answer.status]).toEqual([wrong, 400]);
    expect(await answer.text()).toMatch(/Settings/);
  }
  const late = await press(old);
  expect([late.status, await late.text()]).toEqual([400, expect.stringContaining("has expired")]);
  expect((await waysOf(ana)).comments.mail).toBe("now");
  await town.write(async (tx) => void tx.drizzle.run(`delete from users where id = '${ben.id}'`));
  expect((await press(bens)).status).toBe(200);
  expect((await press(token)).status).toBe(200);
  expect((await waysOf(ana)).comments.mail).toBe("never");
});

test("who presses the button again and again writes nothing, and is told to wait", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const ana = await member(town, "Ana");
  await ana.api.social.setNotificationChannels.mutate({ topic: "comments", mail: "now" });
  const { database } = town.app.parts;
  const link = await unsubscribeAddress(town.config, database.read, ana.id);
  const press = async () =>
    (await fetch(link.replace(town.config.publicUrl, town.url), { method: "POST" })).status;
  expect(await press()).toBe(200);
  expect((await waysOf(ana)).comments.mail).toBe("never");
  const { stored } = database.writes();
  const answers = new Set<number>();
  for (let times = 0; times < 240; times++) answers.add(await press());
  expect([...answers]).toEqual([200, 429]);
  // What the site does by itself meanwhile aside.
  expect(database.writes().stored - stored).toBeLessThan(100);
});
