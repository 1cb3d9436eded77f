import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { insertFailedJob } from "../../support/failed-job.ts";
import { siteWith } from "../../support/site-with.ts";

test("shows administrators failed jobs with their error and without personal data, and discards them", async () => {
  const [testSite, boss] = await siteWith("Boss");
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
  await expectRefusal(boss.api.administration.retryJob.mutate({ id }), {
    code: "CONFLICT",
    message: expect.stringContaining("weren’t kept"),
  });
  await boss.api.administration.discardJob.mutate({ id });
  expect(testSite.rows(`select id from jobs where id = '${id}'`)).toEqual([]);
  await expectRefusal(boss.api.administration.discardJob.mutate({ id }), "NOT_FOUND");
  const { entries } = await boss.api.moderation.log.query({});
  expect(entries[0]).toMatchObject({ act: "discard", name: "mail", actor: boss.me.username });
});

test("retries a failed job for administrators alone", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  await boss.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true });
  const blog = newId();
  const id = await insertFailedJob(testSite, "index-blog", { blogId: blog }, "The disk was full.");
  for (const call of [
    () => ana.api.administration.jobs.query({}),
    () => ana.api.administration.retryJob.mutate({ id }),
    () => ana.api.administration.discardJob.mutate({ id }),
  ])
    await expectRefusal(call(), "FORBIDDEN");
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
