import { expect, test } from "vitest";
import { upload } from "../support/pictures.ts";
import { aBlog, aComment, refusal, startTown, until } from "../support/town.ts";

test("what comes to be is counted by its day, what goes stays counted, and administrators alone see it", async () => {
  await using town = await startTown();
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const gone = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.remove.mutate({ id: gone.id });
  await boss.api.comments.create.mutate(aComment(blog));
  const picture = await upload(ana);
  const bytes = town.rows<{ bytes: number }>("select sum(bytes) as bytes from media")[0]?.bytes;
  // A mail is counted when it has gone out; one that there was none of is not.
  await town.browser().api.users.forgotPassword.mutate({ email: "nobody@example.org" });
  await until(() => town.rows("select id from jobs where name = 'mail'").length === 0);
  const { days, disk } = await boss.api.moderation.numbers.query();
  const sum = (what: "people" | "blogs" | "comments" | "bytes" | "mails" | "mailsFailed") =>
    days.reduce((all, day) => all + day[what], 0);
  expect(days).toHaveLength(30);
  expect(new Set(days.map(({ date }) => date)).size).toBe(30);
  expect([sum("people"), sum("blogs"), sum("comments"), sum("mails"), sum("mailsFailed")]).toEqual([
    2, 2, 1, 2, 0,
  ]);
  expect(sum("bytes")).toBe(bytes);
  expect(disk.free).toBeGreaterThan(0);
  expect(disk.total).toBeGreaterThanOrEqual(disk.free);
  await town.write(async (tx) => void (await tx.drizzle.run(`delete from media where id = '${picture.id}'`)));
  const later = await boss.api.moderation.numbers.query();
  expect(later.days.reduce((all, day) => all + day.bytes, 0)).toBe(0);
  expect(await refusal(ana.api.moderation.numbers.query())).toMatchObject({ code: "FORBIDDEN" });
});
