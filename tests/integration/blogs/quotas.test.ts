import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { deleteOldUses } from "../../../src/server/accounts/housekeeping.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { reprise } from "../../support/command.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { paint, send, upload } from "../../support/pictures.ts";
import {
  aBlog,
  aComment,
  password,
  refusal,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Daily limits of accounts and networks. */

const day = 24 * 60 * 60;
const untilMidnight = () => day - (Math.floor(Date.now() / 1_000) % day);
const settings = { RATE_LIMIT: "on", TRUST_PROXY: "on" };
const uses = (testSite: TestSite) =>
  Object.fromEntries(
    testSite
      .rows<{ kind: string; count: number }>("select kind, sum(count) as count from quota_uses group by kind")
      .map(({ kind, count }) => [kind, count]),
  );

async function startSite(
  bounds: Record<string, string>,
): Promise<{ testSite: TestSite; boss: SignedInBrowser; ana: SignedInBrowser }> {
  const testSite = await startTestSite(settings);
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  await boss.api.administration.setSite.mutate(bounds);
  return { testSite, boss, ana };
}

// Counts belong to one day (UTC): shortly before midnight a test waits for the next day.
beforeEach(async () => {
  const secondsLeft = untilMidnight();
  if (secondsLeft < 120) await sleep(secondsLeft * 1_000);
});

test("limits new blogs a day, drafts included, without counting retries, edits and refused requests", async () => {
  const { testSite, boss, ana } = await startSite({ dailyBlogs: "3" });
  await using _ = testSite;
  const first = aBlog();
  for (let count = 0; count < 3; count++) await ana.api.blogs.create.mutate(first);
  await ana.api.blogs.update.mutate({ id: first.id, title: "Another title" });
  const wrong = () => ana.api.blogs.create.mutate(aBlog({ coverId: newId() }));
  await expectRefusal(wrong(), "BAD_REQUEST");
  const draft = aBlog({ draft: true });
  await ana.api.blogs.create.mutate(draft);
  const client = await ApiClient.of(testSite, ana);
  expect((await client.call("POST", "/blogs", blogForm())).status).toBe(200);
  expect(uses(testSite).dailyBlogs).toBe(3);

  const before = untilMidnight();
  const over = await refusal(ana.api.blogs.create.mutate(aBlog()));
  expect(over).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: expect.stringMatching(
      /limit of 3 new blogs \(drafts, too\).*again in \d+ (hour|minute)s? \(midnight UTC\)/,
    ),
  });
  expect(over.retryAfter).toBeLessThanOrEqual(before);
  expect(over.retryAfter).toBeGreaterThanOrEqual(untilMidnight() - 1);
  const overRest = await client.call("POST", "/blogs", blogForm());
  expect(overRest.status).toBe(429);
  expect(overRest.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(uses(testSite).dailyBlogs).toBe(3);
  // Neither a retry of a stored blog nor its publication counts.
  await ana.api.blogs.create.mutate(draft);
  await ana.api.blogs.update.mutate({ id: draft.id, draft: false });
  // Staff have no such limits.
  for (let count = 0; count < 4; count++) await boss.api.blogs.create.mutate(aBlog());
  await boss.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true });
  await ana.api.blogs.create.mutate(aBlog());
});

test("limits comments a day, pending ones included, until the next day", async () => {
  const { testSite, boss, ana } = await startSite({ dailyComments: "3" });
  await using _ = testSite;
  const blog = await boss.api.blogs.create.mutate(aBlog());
  const moderatedBlog = await boss.api.blogs.create.mutate(aBlog());
  await boss.api.blogs.setCommenters.mutate({ id: moderatedBlog.id, commentsFrom: "approved" });
  const comment = aComment(blog);
  for (let count = 0; count < 3; count++) await ana.api.comments.create.mutate(comment);
  const pendingComment = aComment(moderatedBlog);
  for (let count = 0; count < 2; count++) await ana.api.comments.create.mutate(pendingComment);
  await boss.api.comments.approve.mutate({ id: pendingComment.id });
  await ana.api.comments.edit.mutate({ id: comment.id, text: "Other words." });
  await expectRefusal(ana.api.comments.create.mutate(aComment({ ...blog, id: newId() })), "NOT_FOUND");
  expect(uses(testSite).dailyComments).toBe(2);
  const client = await ApiClient.of(testSite, ana);
  const postComment = () => client.call("POST", `/blogs/comment/${blog.id}`, { comment: "Hoo." });
  expect((await postComment()).status).toBe(200);
  await expectRefusal(ana.api.comments.create.mutate(aComment(blog)), {
    code: "TOO_MANY_REQUESTS",
    message: expect.stringContaining("3 comments"),
  });
  expect((await postComment()).status).toBe(429);
  await testSite.run("update quota_uses set day = day - 1");
  expect((await postComment()).status).toBe(200);
});

test("limits new pictures a day without counting repeated or invalid ones", async () => {
  const { testSite, ana } = await startSite({ dailyUploads: "2" });
  await using _ = testSite;
  const bytes = await paint();
  for (let count = 0; count < 3; count++) expect((await send(ana, bytes)).status).toBe(200);
  expect((await send(ana, Buffer.from("no picture"))).status).toBe(415);
  expect((await send(ana, await paint())).status).toBe(200);
  expect(uses(testSite).dailyUploads).toBe(2);
  const over = await send(ana, await paint());
  expect(over.status).toBe(429);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await over.json()).toMatchObject({ message: expect.stringContaining("2 new pictures") });
  expect((await send(ana, bytes)).status).toBe(200);
  expect(testSite.rows("select id from media")).toHaveLength(2);
});

test("limits the bytes of an account's pictures and says how many are left", async () => {
  const { testSite, boss, ana } = await startSite({ storageMb: "0" });
  await using _ = testSite;
  const over = await send(ana, await paint());
  expect(over.status).toBe(413);
  expect(await over.json()).toMatchObject({
    message: expect.stringMatching(/can take up 0 bytes here\. You have 0 bytes left.*30 days/s),
  });
  expect(uses(testSite).dailyUploads).toBeUndefined();
  expect(testSite.rows("select id from media")).toEqual([]);
  await boss.api.administration.setSite.mutate({ storageMb: "1" });
  const picture = await upload(ana);
  await testSite.run(`update media set bytes = 999990 where id = '${picture.id}'`);
  expect(await (await send(ana, await paint())).json()).toMatchObject({
    message: expect.stringContaining("can take up 1 MB here. You have 10 bytes left"),
  });
  await boss.api.administration.setSite.mutate({ storageMb: "" });
  expect((await send(ana, await paint())).status).toBe(200);
});

test("limits sign-ups a day by network (/64 for IPv6), with the same refusal for every email address", async () => {
  const { testSite, boss, ana } = await startSite({ dailySignUps: "2", signUpWork: "off" });
  await using _ = testSite;
  const signUp = async (ip: string, email: string, invitation?: string) => {
    const answer = await fetch(`${testSite.url}/trpc/users.signUp`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: testSite.url, "x-forwarded-for": ip },
      body: JSON.stringify({ name: "Ben", email, password, invitation }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  for (const email of ["a@example.org", ana.email])
    expect((await signUp("2001:db8:1:2::1", email)).status, email).toBe(200);
  const refusals = [];
  for (const email of ["b@example.org", ana.email, "a@example.org", boss.email])
    refusals.push(await signUp("2001:db8:1:2:ffff::2", email));
  // The time until midnight changes between two responses.
  const texts = refusals.map(({ text }) => text.replaceAll(/\d+( hours?| minutes?)?/g, ""));
  expect(new Set(texts).size).toBe(1);
  expect(refusals[0]).toMatchObject({
    status: 429,
    text: expect.stringContaining("from your network today"),
  });
  expect((await signUp("2001:db8:1:3::1", "b@example.org")).status).toBe(200);
  // Invitation links have limits of their own.
  await boss.api.administration.setSignUp.mutate({ mode: "invitation" });
  const { address } = await boss.api.administration.invite.mutate({ places: 1, days: null });
  const code = new URL(address).searchParams.get("invitation") ?? "";
  expect((await signUp("2001:db8:1:2::1", "c@example.org", code)).status).toBe(200);
  // Networks are not stored in readable form.
  const subjects = testSite.rows<{ subject: string }>(
    "select subject from quota_uses where kind = 'dailySignUps'",
  );
  expect(subjects.map(({ subject }) => subject).join(" ")).not.toMatch(/2001|db8|127/);
});

test("imports without these limits at the command line", { tags: ["more"] }, async () => {
  const { testSite, ana } = await startSite({ dailyBlogs: "0", dailyComments: "7" });
  await using _ = testSite;
  const { dataDir } = testSite.config;
  await expectRefusal(ana.api.blogs.create.mutate(aBlog()), "FORBIDDEN");
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "reprise-test-"));
  await writeFile(path.join(folder.path, "owls.md"), "---\ntitle: Owls\ndate: 2020-01-01\n---\n\nHoo.\n");
  await reprise(dataDir, ["import", "markdown", folder.path, "--author", ana.me.username]);
  expect(testSite.rows("select title from blogs")).toEqual([{ title: "Owls" }]);
});

test("deletes counts of past days", async () => {
  const { testSite, ana } = await startSite({});
  await using _ = testSite;
  await ana.api.blogs.create.mutate(aBlog());
  const { database } = testSite.app.services;
  await deleteOldUses(database, Date.now() + day * 1_000);
  expect(uses(testSite).dailyBlogs).toBe(1);
  await deleteOldUses(database, Date.now() + 3 * day * 1_000);
  expect(uses(testSite)).toEqual({});
});
