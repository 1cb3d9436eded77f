import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { forgetUses } from "../../src/server/users/housekeeping.ts";
import { newId } from "../../src/server/ids.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { reprise } from "../support/command.ts";
import { paint, send, upload } from "../support/pictures.ts";
import { aBlog, aComment, password, refusal, startTown, type Resident, type Town } from "../support/town.ts";

/* What an account, or a network, does so often a day at most. */

const day = 24 * 60 * 60;
const untilMidnight = () => day - (Math.floor(Date.now() / 1_000) % day);
const settings = { RATE_LIMIT: "on", TRUST_PROXY: "on" };
const uses = (town: Town) =>
  Object.fromEntries(
    town
      .rows<{ what: string; count: number }>("select what, sum(count) as count from uses group by what")
      .map(({ what, count }) => [what, count]),
  );

async function aTown(bounds: Record<string, string>): Promise<{ town: Town; boss: Resident; ana: Resident }> {
  const town = await startTown(settings);
  const [boss, ana] = [await town.resident("Boss"), await town.resident("Ana")];
  await boss.api.moderation.setSite.mutate(bounds);
  return { town, boss, ana };
}

// What a test counts is of one day (UTC): shortly before its end a test waits for the next.
beforeEach(async () => {
  const left = untilMidnight();
  if (left < 120) await sleep(left * 1_000);
});

test("a day has room for so many blogs, drafts among them; one that is sent again, changed or refused is not counted", async () => {
  const { town, boss, ana } = await aTown({ dailyBlogs: "3" });
  await using _ = town;
  const first = aBlog();
  for (let count = 0; count < 3; count++) await ana.api.blogs.create.mutate(first);
  await ana.api.blogs.update.mutate({ id: first.id, title: "Another title" });
  const wrong = () => ana.api.blogs.create.mutate(aBlog({ coverId: newId() }));
  expect(await refusal(wrong())).toMatchObject({ code: "BAD_REQUEST" });
  const draft = aBlog({ draft: true });
  await ana.api.blogs.create.mutate(draft);
  const client = await ApiClient.of(town, ana);
  expect((await client.call("POST", "/blogs", blogForm())).status).toBe(200);
  expect(uses(town).dailyBlogs).toBe(3);

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
  expect(uses(town).dailyBlogs).toBe(3);
  // The retry of one that was stored, and what is there already, are no new ones.
  await ana.api.blogs.create.mutate(draft);
  await ana.api.blogs.update.mutate({ id: draft.id, draft: false });
  // Staff has no such bounds.
  for (let count = 0; count < 4; count++) await boss.api.blogs.create.mutate(aBlog());
  await boss.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true });
  await ana.api.blogs.create.mutate(aBlog());
});

test("a day has room for so many comments, those that wait to be let in among them, and there is room again the next day", async () => {
  const { town, boss, ana } = await aTown({ dailyComments: "3" });
  await using _ = town;
  const blog = await boss.api.blogs.create.mutate(aBlog());
  const asked = await boss.api.blogs.create.mutate(aBlog());
  await boss.api.blogs.setCommenters.mutate({ id: asked.id, commentsFrom: "approved" });
  const one = aComment(blog);
  for (let count = 0; count < 3; count++) await ana.api.comments.create.mutate(one);
  const held = aComment(asked);
  for (let count = 0; count < 2; count++) await ana.api.comments.create.mutate(held);
  await boss.api.comments.approve.mutate({ id: held.id });
  await ana.api.comments.edit.mutate({ id: one.id, text: "Other words." });
  expect(await refusal(ana.api.comments.create.mutate(aComment({ ...blog, id: newId() })))).toMatchObject({
    code: "NOT_FOUND",
  });
  expect(uses(town).dailyComments).toBe(2);
  const client = await ApiClient.of(town, ana);
  const say = () => client.call("POST", `/blogs/comment/${blog.id}`, { comment: "Hoo." });
  expect((await say()).status).toBe(200);
  expect(await refusal(ana.api.comments.create.mutate(aComment(blog)))).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: expect.stringContaining("3 comments"),
  });
  expect((await say()).status).toBe(429);
  await town.write(async (tx) => void (await tx.drizzle.run("update uses set day = day - 1")));
  expect((await say()).status).toBe(200);
});

test("a day has room for so many new pictures; the same one again, and what is none, is not counted", async () => {
  const { town, ana } = await aTown({ dailyUploads: "2" });
  await using _ = town;
  const bytes = await paint();
  for (let count = 0; count < 3; count++) expect((await send(ana, bytes)).status).toBe(200);
  expect((await send(ana, Buffer.from("no picture"))).status).toBe(415);
  expect((await send(ana, await paint())).status).toBe(200);
  expect(uses(town).dailyUploads).toBe(2);
  const over = await send(ana, await paint());
  expect(over.status).toBe(429);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await over.json()).toMatchObject({ message: expect.stringContaining("2 new pictures") });
  expect((await send(ana, bytes)).status).toBe(200);
  expect(town.rows("select id from media")).toHaveLength(2);
});

test("an account's pictures have room for so many bytes, and whoever sends one too many reads how many are left", async () => {
  const { town, boss, ana } = await aTown({ storageMb: "0" });
  await using _ = town;
  const over = await send(ana, await paint());
  expect(over.status).toBe(413);
  expect(await over.json()).toMatchObject({
    message: expect.stringMatching(/can take up 0 bytes here\. You have 0 bytes left.*30 days/s),
  });
  expect(uses(town).dailyUploads).toBeUndefined();
  expect(town.rows("select id from media")).toEqual([]);
  await boss.api.moderation.setSite.mutate({ storageMb: "1" });
  const picture = await upload(ana);
  await town.write(
    async (tx) => void (await tx.drizzle.run(`update media set bytes = 999990 where id = '${picture.id}'`)),
  );
  expect(await (await send(ana, await paint())).json()).toMatchObject({
    message: expect.stringContaining("can take up 1 MB here. You have 10 bytes left"),
  });
  await boss.api.moderation.setSite.mutate({ storageMb: "" });
  expect((await send(ana, await paint())).status).toBe(200);
});

test("a network signs up so often a day, by its /64 where that is IPv6; the refusal says the same for every address", async () => {
  const { town, boss, ana } = await aTown({ dailySignUps: "2", signUpWork: "off" });
  await using _ = town;
  const signUp = async (from: string, email: string, invitation?: string) => {
    const answer = await fetch(`${town.url}/trpc/users.signUp`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: town.url, "x-forwarded-for": from },
      body: JSON.stringify({ name: "Ben", email, password, invitation }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  for (const email of ["a@example.org", ana.email])
    expect((await signUp("2001:db8:1:2::1", email)).status, email).toBe(200);
  const refused = [];
  for (const email of ["b@example.org", ana.email, "a@example.org", boss.email])
    refused.push(await signUp("2001:db8:1:2:ffff::2", email));
  // The time until midnight goes on between two answers.
  const besideTime = refused.map(({ text }) => text.replaceAll(/\d+( hours?| minutes?)?/g, ""));
  expect(new Set(besideTime).size).toBe(1);
  expect(refused[0]).toMatchObject({ status: 429, text: expect.stringContaining("from your network today") });
  expect((await signUp("2001:db8:1:3::1", "b@example.org")).status).toBe(200);
  // A link has its own places.
  await boss.api.moderation.setSignUp.mutate({ mode: "invitation" });
  const { address } = await boss.api.moderation.invite.mutate({ places: 1, days: null });
  const code = new URL(address).searchParams.get("invitation") ?? "";
  expect((await signUp("2001:db8:1:2::1", "c@example.org", code)).status).toBe(200);
  // Which networks these are stands nowhere.
  const holders = town.rows<{ holder: string }>("select holder from uses where what = 'dailySignUps'");
  expect(holders.map(({ holder }) => holder).join(" ")).not.toMatch(/2001|db8|127/);
});

test(
  "whoever runs the site imports without such bounds, and sets them at the command line",
  { tags: ["more"] },
  async () => {
    const { town, ana } = await aTown({ dailyBlogs: "0", dailyComments: "7" });
    await using _ = town;
    const { dataDir } = town.config;
    expect((await reprise(dataDir, ["site", "show", "--json"])).json).toMatchObject({ dailyBlogs: "0" });
    expect(await refusal(ana.api.blogs.create.mutate(aBlog()))).toMatchObject({ code: "FORBIDDEN" });
    await using folder = await mkdtempDisposable(path.join(tmpdir(), "reprise-test-"));
    await writeFile(path.join(folder.path, "owls.md"), "---\ntitle: Owls\ndate: 2020-01-01\n---\n\nHoo.\n");
    await reprise(dataDir, ["import", "markdown", folder.path, "--author", ana.me.username]);
    expect(town.rows("select title from blogs")).toEqual([{ title: "Owls" }]);
    expect((await reprise(dataDir, ["site", "set", "dailyBlogs", "many"])).code).toBe(1);
    expect((await reprise(dataDir, ["site", "set", "dailyBlogs", "007", "--json"])).json).toMatchObject({
      dailyBlogs: "7",
      dailyComments: "7",
    });
    await ana.api.blogs.create.mutate(aBlog());
  },
);

test("what was counted goes when its day is over", async () => {
  const { town, ana } = await aTown({});
  await using _ = town;
  await ana.api.blogs.create.mutate(aBlog());
  const { database } = town.app.parts;
  await forgetUses(database, Date.now() + day * 1_000);
  expect(uses(town).dailyBlogs).toBe(1);
  await forgetUses(database, Date.now() + 3 * day * 1_000);
  expect(uses(town)).toEqual({});
});
