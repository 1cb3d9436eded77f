import { expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { aBlog, followTopic, type SignedInBrowser } from "../../support/test-site.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";

/* From a report over a takedown and its appeal to the answer: each person gets what concerns them, once. */

async function startWithTakedown() {
  const site = await startStaffedSite();
  const { mona, ana, ben } = site;
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "Cheap owls" }));
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "spam", body: "It sells owls." });
  const takeDown = () =>
    mona.api.moderation.resolveReport.mutate({
      kind: "blog",
      id,
      outcome: "take-down",
      reason: "It advertises.",
    });
  await takeDown();
  const appeal = (body = "They are a gift.") =>
    ana.api.moderation.report.mutate({ kind: "blog", id, reason: "appeal", body });
  const answer = (outcome: "keep" | "restore", reason: string) =>
    mona.api.moderation.answerAppeal.mutate({ blogId: id, outcome, reason });
  return { ...site, id, takeDown, appeal, answer };
}
/** Returns the notifications of moderation, the newest first, as their kinds with the reasons that they show. */
const noticesOf = async (person: SignedInBrowser) =>
  (await person.api.social.notifications.query()).notifications
    .filter(({ kind }) => !kind.startsWith("new-"))
    .map(({ kind, excerpt }) => [kind, excerpt]);
const queueOf = async (person: SignedInBrowser) => (await person.api.moderation.queue.query({})).targets;

test("a takedown needs a reason, which its author is told", async () => {
  const { mona, ana } = await startStaffedSite();
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const takeDown = (reason: string) =>
    mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason });
  for (const reason of ["", "  "])
    await expectRefusal(takeDown(reason), { code: "BAD_REQUEST", field: "reason" });
  const suspension = mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: true });
  await expectRefusal(suspension, { code: "BAD_REQUEST", field: "reason" });
  await takeDown("It advertises.");
  expect(await noticesOf(ana)).toEqual([["taken-down", "It advertises."]]);
});

test("a dismissed appeal is answered once, with its reason, and its author can’t appeal again", async () => {
  const site = await startWithTakedown();
  const { mona, ana, ben, id, appeal, answer } = site;
  await expectRefusal(appeal(""), { code: "BAD_REQUEST", field: "body" });
  const stream = followTopic(ana, "me");
  await stream.waitForStart();
  await appeal();
  await stream.waitFor("viewer.appealChanged");
  expect(stream.events("viewer.appealChanged")).toMatchObject([
    { blogId: id, appeal: { at: expect.any(String), answer: null } },
  ]);
  await expectRefusal(appeal(), "CONFLICT");
  expect(await queueOf(mona)).toMatchObject([
    {
      id,
      isAppeal: true,
      takedownReason: "It advertises.",
      reports: [{ by: { id: ana.me.id }, body: "They are a gift." }],
    },
  ]);
  await expectRefusal(answer("keep", ""), { code: "BAD_REQUEST", field: "reason" });
  await answer("keep", "It still does.");
  await expectRefusal(answer("restore", "Late."), "CONFLICT");
  await stream.waitFor("viewer.appealChanged", 2);
  stream.stop();
  expect(await queueOf(mona)).toEqual([]);
  expect(await noticesOf(ana)).toEqual([
    ["appeal-kept", "It still does."],
    ["taken-down", "It advertises."],
  ]);
  expect(await noticesOf(ben)).toEqual([["report-acted", null]]);
  expect((await ana.api.moderation.appeal.query({ blogId: id })).appeal).toMatchObject({
    answer: { reason: "It still does." },
  });
  await expectRefusal(appeal(), "CONFLICT");
  expect((await mona.api.moderation.log.query({})).entries[0]).toMatchObject({
    act: "keep-appeal",
    name: "Cheap owls",
    reason: "It still does.",
  });
});

test("a restored blog answers its appeal once, and each new takedown can be appealed once", async () => {
  const site = await startWithTakedown();
  const { mona, ana, ben, id, takeDown, appeal, answer } = site;
  await appeal();
  await answer("restore", "They are a gift indeed.");
  expect(await noticesOf(ana)).toEqual([
    ["appeal-restored", "They are a gift indeed."],
    ["taken-down", "It advertises."],
  ]);
  expect(await noticesOf(ben)).toEqual([["report-acted", null]]);
  expect((await ben.api.blogs.card.query({ id })).draft).toBe(false);
  expect((await ana.api.moderation.appeal.query({ blogId: id })).appeal).toBeNull();
  await takeDown();
  expect((await ana.api.moderation.appeal.query({ blogId: id })).appeal).toBeNull();
  await appeal("Once more.");
  await expectRefusal(appeal("And again."), "CONFLICT");
  expect(await queueOf(mona)).toMatchObject([{ isAppeal: true, reports: [{ body: "Once more." }] }]);
});

test("a restore without an appeal is its own notification, and answers no report", async () => {
  const site = await startWithTakedown();
  const { mona, ana, ben, id } = site;
  await mona.api.moderation.restore.mutate({ blogId: id });
  expect((await noticesOf(ana)).map(([kind]) => kind)).toEqual(["restored", "taken-down"]);
  expect(await noticesOf(ben)).toEqual([["report-acted", null]]);
});

test("reports of a blog that was taken down stay apart from its author’s appeal", async () => {
  const site = await startWithTakedown();
  const { testSite, mona, ana, ben, id, appeal, answer } = site;
  // Co-authors can read it, and report it.
  await testSite.run(
    `insert into blog_authors (blog_id, user_id, invited_at, accepted_at) values ('${id}', '${ben.me.id}', 1, 1)`,
  );
  await ben.api.moderation.report.mutate({ kind: "blog", id, reason: "abuse" });
  await appeal();
  expect((await queueOf(mona)).map(({ isAppeal, reportsCount }) => [isAppeal, reportsCount])).toEqual([
    [false, 1],
    [true, 1],
  ]);
  await expectRefusal(ben.api.moderation.appeal.query({ blogId: id }), "FORBIDDEN");
  await mona.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "keep" });
  expect((await noticesOf(ana)).map(([kind]) => kind)).toEqual(["taken-down"]);
  await answer("keep", "No.");
  expect(await noticesOf(ben)).toEqual([
    ["report-kept", null],
    ["report-acted", null],
  ]);
});

test("a dismissal can be undone until another decision: the reports are open again and nobody is answered", async () => {
  const { boss, mona, ana, ben } = await startStaffedSite();
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const target = { kind: "blog", id } as const;
  const reportIt = (person: SignedInBrowser) =>
    person.api.moderation.report.mutate({ ...target, reason: "spam" });
  const dismiss = () => mona.api.moderation.resolveReport.mutate({ ...target, outcome: "keep" });
  const reopen = () => mona.api.moderation.reopenReports.mutate(target);
  for (const person of [boss, ben]) await reportIt(person);
  await dismiss();
  expect((await noticesOf(ben)).map(([kind]) => kind)).toEqual(["report-kept"]);
  await reportIt(ben);
  await reopen();
  expect(await queueOf(mona)).toMatchObject([{ reportsCount: 2 }]);
  expect(await noticesOf(boss)).toEqual([]);
  await expectRefusal(reopen(), "CONFLICT");
  await mona.api.moderation.resolveReport.mutate({
    ...target,
    outcome: "take-down",
    reason: "It advertises.",
  });
  await expectRefusal(reopen(), "CONFLICT");
  expect((await noticesOf(ben)).map(([kind]) => kind)).toContain("report-acted");
});
