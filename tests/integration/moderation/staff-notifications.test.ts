import { expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import {
  aBlog,
  aComment,
  followTopic,
  password,
  until,
  type SignedInBrowser,
} from "../../support/test-site.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";

/* What moderators are told of, how often, and who is not. */

const newKinds = async (person: SignedInBrowser) =>
  (await person.api.social.notifications.query()).notifications
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith("new-"));
const hears = (person: SignedInBrowser, ...kinds: string[]) =>
  until(
    async () => (await newKinds(person)).toSorted().join() === kinds.toSorted().join(),
    `${person.me.name} hears of ${kinds.join(", ") || "nothing"}`,
  );
/** Resolves when no update of moderators' notifications is waiting or running. */
const settled = ({ testSite }: Awaited<ReturnType<typeof startStaffedSite>>) =>
  until(
    () => testSite.rows("select id from jobs where name = 'staff-notifications'").length === 0,
    "moderators' notifications are up to date",
  );

test("tells moderators of reports, appeals and sign-ups until they are decided, and counts them on open pages", async () => {
  const { testSite, boss, mona, ana, ben } = await startStaffedSite();
  await boss.api.administration.setSignUp.mutate({ mode: "approval" });
  const [staff, member] = [followTopic(mona, "me"), followTopic(ana, "me")];
  for (const stream of [staff, member]) await stream.waitForStart();
  const countsNow = () => staff.events("viewer.reportsChanged").at(-1);
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const target = { kind: "blog", id } as const;

  await ben.api.moderation.report.mutate({ ...target, reason: "spam" });
  for (const person of [boss, mona]) await hears(person, "new-reports");
  await until(() => countsNow()?.waiting.reports === 1, "the badge counts the report");

  await mona.api.moderation.resolveReport.mutate({
    ...target,
    outcome: "take-down",
    reason: "It advertises.",
  });
  for (const person of [boss, mona]) await hears(person);
  await ana.api.moderation.report.mutate({ ...target, reason: "appeal", body: "Why?" });
  await hears(mona, "new-appeals");

  const email = "cleo@example.org";
  const guest = testSite.browser().api.users;
  await guest.signUp.mutate({ name: "Cleo", email, password, answer: "Owls." });
  await guest.verifyEmail.mutate({ token: await testSite.mailedToken(email, "verify-email") });
  await hears(mona, "new-appeals", "new-sign-ups");
  const waiting = { reports: 0, appeals: 1, signups: 1 };
  await until(() => countsNow()?.waiting.signups === 1, "the badge counts the sign-up");
  expect(countsNow()?.waiting).toEqual(waiting);
  expect(await boss.api.moderation.waiting.query()).toMatchObject(waiting);

  await boss.api.moderation.answerAppeal.mutate({ blogId: id, outcome: "keep", reason: "It does." });
  const [request] = (await boss.api.moderation.signupRequests.query({})).people;
  await boss.api.moderation.approveSignup.mutate({ userId: request!.id });
  await hears(mona);
  for (const stream of [staff, member]) stream.stop();
  for (const person of [ana, ben]) expect(await newKinds(person)).toEqual([]);
  expect(member.events("viewer.reportsChanged")).toEqual([]);
});

test("a flood of reports is one notification and one email until it is read", async () => {
  const site = await startStaffedSite();
  const { testSite, mona, ana, ben } = site;
  await mona.api.social.setNotificationChannels.mutate({ topic: "moderation", mail: "now" });
  const mails = async () =>
    (await testSite.mailsTo(mona.email)).filter((mail) => mail.includes("New reports"));
  const stream = followTopic(mona, "me");
  await stream.waitForStart();
  const reportSomething = async () => {
    const { id } = await ana.api.blogs.create.mutate(aBlog());
    await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam" });
  };
  await reportSomething();
  await until(async () => (await mails()).length === 1, "the email");
  for (let count = 0; count < 12; count++) await reportSomething();
  await settled(site);
  expect(await newKinds(mona)).toEqual(["new-reports"]);
  expect(stream.events("notification.created")).toHaveLength(1);
  await mona.api.social.readNotifications.mutate({});
  await reportSomething();
  await stream.waitFor("notification.created", 2);
  stream.stop();
  expect(await mails()).toHaveLength(1);
  expect((await mona.api.moderation.waiting.query()).reports).toBe(14);
});

test("a moderator who loses the role hears nothing more at once, nor does a suspended one", async () => {
  const site = await startStaffedSite();
  const { boss, mona, ana, ben } = site;
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam" });
  await hears(mona, "new-reports");
  const { cursor } = await mona.api.social.notifications.query();
  const stream = followTopic(mona, "me");
  await stream.waitForStart();
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: false });
  await stream.waitFor("notification.withdrawn");
  await ben.api.moderation.report.mutate({ kind: "profile", id: ana.me.id, reason: "spam" });
  await settled(site);
  // Events of the time with the role, too: the stream repeats them from there.
  const repeated = followTopic(mona, "me", cursor);
  await repeated.waitFor("notification.withdrawn");
  for (const one of [stream, repeated]) {
    one.stop();
    expect(one.events("viewer.reportsChanged")).toEqual([]);
  }
  expect(await newKinds(mona)).toEqual([]);
  await expectRefusal(mona.api.moderation.waiting.query(), "FORBIDDEN");
});

test("moderators’ counts drop when what was reported is deleted by its author", async () => {
  const { mona, ana, ben } = await startStaffedSite();
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const comment = await ana.api.comments.create.mutate(aComment(blog));
  await ben.api.moderation.report.mutate({ kind: "blog", id: blog.id, reason: "spam" });
  await ben.api.moderation.report.mutate({ kind: "comment", id: comment.id, reason: "spam" });
  await hears(mona, "new-reports");
  const stream = followTopic(mona, "me");
  await stream.waitForStart();
  const counts = () => stream.events("viewer.reportsChanged").at(-1)?.waiting.reports;
  await ana.api.comments.remove.mutate({ id: comment.id });
  await until(() => counts() === 1, "the comment's report is gone");
  await ana.api.blogs.remove.mutate({ id: blog.id });
  await until(() => counts() === 0, "the blog's report is gone");
  stream.stop();
  await hears(mona);
});
