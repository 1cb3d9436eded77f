import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { insertFailedJob } from "../../support/failed-job.ts";
import { refusal, startTestSite } from "../../support/test-site.ts";

test("shows administrators failed jobs with their error and without personal data, and discards them", async () => {
  await using testSite = await startTestSite();
  const boss = await testSite.createAccount("Boss");
  const id = await insertFailedJob(
    testSite,
    "mail",
    { mail: { to: "ana@example.org", subject: "Private" } },
    "550 <ana@example.org> is unknown here",
  );
  const answer = await boss.api.administration.jobs.query({});
  expect(answer.jobs.find((job) => job.id === id)).toMatchObject({
    name: "mail",
    state: "failed",
    attempts: 3,
    error: "550 <…> is unknown here",
    canRetry: false,
  });
  expect(JSON.stringify(answer)).not.toMatch(/ana@|Private/);
  expect(await refusal(boss.api.administration.retryJob.mutate({ id }))).toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("weren’t kept"),
  });
  await boss.api.administration.discardJob.mutate({ id });
  expect(testSite.rows(`select id from jobs where id = '${id}'`)).toEqual([]);
  expect(await refusal(boss.api.administration.discardJob.mutate({ id }))).toMatchObject({
    code: "NOT_FOUND",
  });
  const { entries } = await boss.api.moderation.log.query({});
  expect(entries[0]).toMatchObject({ act: "discard", name: "mail", actor: boss.me.username });
});

test("retries a failed job for administrators alone", async () => {
  await using testSite = await startTestSite();
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  await boss.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true });
  const blog = newId();
  const id = await insertFailedJob(testSite, "index-blog", { blogId: blog }, "The disk was full.");
  for (const call of [
    () => ana.api.administration.jobs.query({}),
    () => ana.api.administration.retryJob.mutate({ id }),
    () => ana.api.administration.discardJob.mutate({ id }),
  ])
    expect(await refusal(call())).toMatchObject({ code: "FORBIDDEN" });
  expect((await boss.api.administration.jobs.query({})).jobs.find((job) => job.id === id)?.canRetry).toBe(
    true,
  );
  await boss.api.administration.retryJob.mutate({ id });
  // It runs at once: it is done and deleted, or no longer failed.
  expect(testSite.rows(`select id from jobs where id = '${id}' and failed_at is not null`)).toEqual([]);
  expect((await boss.api.moderation.log.query({})).entries[0]).toMatchObject({
    act: "retry",
    name: "index-blog",
  });
});
