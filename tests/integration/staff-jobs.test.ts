import { expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { failedJob } from "../support/failed-job.ts";
import { refusal, startTown } from "../support/town.ts";

test("administrators see what was given up with why, and nothing that is somebody's own", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const id = await failedJob(
    town,
    "mail",
    { mail: { to: "ana@example.org", subject: "Private" } },
    "550 <ana@example.org> is unknown here",
  );
  const answer = await boss.api.moderation.jobs.query({});
  expect(answer.jobs.find((job) => job.id === id)).toMatchObject({
    name: "mail",
    state: "failed",
    attempts: 3,
    error: "550 <…> is unknown here",
    canRetry: false,
  });
  expect(JSON.stringify(answer)).not.toMatch(/ana@|Private/);
  expect(await refusal(boss.api.moderation.retryJob.mutate({ id }))).toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("weren’t kept"),
  });
  await boss.api.moderation.discardJob.mutate({ id });
  expect(town.rows(`select id from jobs where id = '${id}'`)).toEqual([]);
  expect(await refusal(boss.api.moderation.discardJob.mutate({ id }))).toMatchObject({ code: "NOT_FOUND" });
  const { entries } = await boss.api.moderation.log.query({});
  expect(entries[0]).toMatchObject({ act: "discard", name: "mail", actor: boss.me.username });
});

test("what was given up begins anew and is done, by an administrator alone", async () => {
  await using town = await startTown();
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  await boss.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true });
  const blog = newId();
  const id = await failedJob(town, "blogs.index", { blogId: blog }, "The disk was full.");
  for (const call of [
    () => ana.api.moderation.jobs.query({}),
    () => ana.api.moderation.retryJob.mutate({ id }),
    () => ana.api.moderation.discardJob.mutate({ id }),
  ])
    expect(await refusal(call())).toMatchObject({ code: "FORBIDDEN" });
  expect((await boss.api.moderation.jobs.query({})).jobs.find((job) => job.id === id)?.canRetry).toBe(true);
  await boss.api.moderation.retryJob.mutate({ id });
  // It is taken up at once: either done and gone, or not given up any more.
  expect(town.rows(`select id from jobs where id = '${id}' and failed_at is not null`)).toEqual([]);
  expect((await boss.api.moderation.log.query({})).entries[0]).toMatchObject({
    act: "retry",
    name: "blogs.index",
  });
});
