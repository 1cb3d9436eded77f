import { expect, test } from "vitest";
import { startStaffedSite } from "../../support/staffed-site.ts";
import { aBlog, aComment, password, until, type SignedInBrowser } from "../../support/test-site.ts";

/* The audit log keeps decisions, but not the words of what is deleted for good. */

const logOf = async (person: SignedInBrowser) =>
  (await person.api.moderation.log.query({})).entries
    .filter(({ act }) => act !== "moderator")
    .map(({ act, kind, name, reason }) => [act, kind, name, reason].join(" | "));

test("removes the name of a blog and the words of a comment from the log when they are deleted", async () => {
  const { mona, ana, ben } = await startStaffedSite();
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Secret owls" }));
  const comment = await ben.api.comments.create.mutate(aComment(blog, { text: "Secret words" }));
  const answeredComment = await ben.api.comments.create.mutate(aComment(blog, { text: "Answered words" }));
  await ana.api.comments.create.mutate(aComment(blog, { parentId: answeredComment.id, text: "Yes." }));
  const reports = [
    { kind: "blog", id: blog.id },
    { kind: "comment", id: comment.id },
    { kind: "comment", id: answeredComment.id },
  ] as const;
  for (const one of reports) {
    await (one.kind === "blog" ? ben : ana).api.moderation.report.mutate({ ...one, reason: "spam" });
    await mona.api.moderation.resolveReport.mutate({ ...one, outcome: "keep", reason: "Harmless" });
  }
  expect(await logOf(mona)).toEqual([
    "keep | comment | Answered words | Harmless",
    "keep | comment | Secret words | Harmless",
    "keep | blog | Secret owls | Harmless",
  ]);
  for (const { id } of [comment, answeredComment]) await ben.api.comments.remove.mutate({ id });
  await ana.api.blogs.remove.mutate({ id: blog.id });
  expect(await logOf(mona)).toEqual([
    "keep | comment |  | Harmless",
    "keep | comment |  | Harmless",
    "keep | blog |  | Harmless",
  ]);
});

test("removes a person's name and the reasons given about them from the log when their account is deleted", async () => {
  const site = await startStaffedSite();
  const { mona, ana } = site;
  for (const suspended of [true, false])
    await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended, reason: "Was rude to Ben" });
  expect((await logOf(mona)).at(-1)).toBe(`suspend | profile | ${ana.me.username} | Was rude to Ben`);
  const browser = await site.testSite.browser();
  await browser.api.users.signIn.mutate({ email: ana.email, password });
  await browser.api.users.remove.mutate({ password });
  await until(async () => (await logOf(mona)).every((line) => !line.includes(ana.me.username)), "the log");
  expect(await logOf(mona)).toEqual(["unsuspend | profile |  | ", "suspend | profile |  | "]);
});

test("refuses to clear log entries whose target still exists, and to change other fields", async () => {
  const { mona, ana, testSite } = await startStaffedSite();
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: true, reason: "Was rude" });
  const write = (statement: string) => testSite.run(statement);
  for (const statement of [
    "update audit_log set name = '', reason = '' where kind = 'profile'",
    "update audit_log set name = '' where kind = 'profile'",
    "update audit_log set actor = ''",
  ])
    await expect(write(statement), statement).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/What moderators did/) },
    });
});
