import { expect, test } from "vitest";
import { staffLimits } from "../../../src/shared/staff-limits.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, password, until, followTopic, type SignedInBrowser } from "../../support/test-site.ts";

/* What staff do about people, besides suspending and limiting. */

async function startStaffedSite() {
  const [testSite, boss, mona, ana] = await siteWith("Boss", "Mona", "Ana");
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  return { testSite, boss, mona, ana };
}
const actsOf = async (person: SignedInBrowser) =>
  (await person.api.moderation.log.query({})).entries.map(
    ({ actor, act, name }) => `${actor} ${act} ${name}`,
  );

test("lists people by their state, the newest or the last seen first", async () => {
  const { testSite, boss, mona, ana } = await startStaffedSite();
  await testSite.browser().api.users.signUp.mutate({ name: "Una", email: "una@example.org", password });
  const eve = await testSite.createAccount("Eve");
  await mona.api.moderation.suspend.mutate({ userId: eve.me.id, suspended: true, reason: "Spam." });
  await mona.api.moderation.limit.mutate({ userId: ana.me.id, limited: true });
  const named = async (filter: object) =>
    (await boss.api.moderation.people.query(filter)).people.map(({ name }) => name);
  expect(await named({})).toEqual(["Eve", "Una", "Ana", "Mona", "Boss"]);
  expect(await named({ state: "suspended" })).toEqual(["Eve"]);
  expect(await named({ state: "limited" })).toEqual(["Ana"]);
  expect(await named({ state: "staff" })).toEqual(["Mona", "Boss"]);
  expect(await named({ state: "unverified" })).toEqual(["Una"]);
  expect(await named({ state: "staff", query: "mo" })).toEqual(["Mona"]);
  await testSite.run(`update sessions set seen_at = seen_at + 1000000000 where user_id = '${ana.me.id}'`);
  expect((await named({ sort: "seen" }))[0]).toBe("Ana");
});

test("finds a person by a whole email address for administrators, not for moderators", async () => {
  const { boss, mona, ana } = await startStaffedSite();
  const foundNames = async ({ api }: typeof boss, query: string) =>
    (await api.moderation.people.query({ query })).people.map(({ name }) => name);
  expect(await foundNames(boss, ana.email)).toEqual(["Ana"]);
  expect(await foundNames(mona, ana.email)).toEqual([]);
  expect(await foundNames(mona, ana.me.username)).toEqual(["Ana"]);
});

test("lets an administrator confirm an email address, which voids the links to confirm it", async () => {
  const { testSite, boss, mona } = await startStaffedSite();
  const browser = testSite.browser();
  const credentials = { email: "una@example.org", password };
  await browser.api.users.signUp.mutate({ name: "Una", ...credentials });
  const { people } = await boss.api.moderation.people.query({ state: "unverified" });
  const userId = people[0]!.id;
  await expectRefusal(mona.api.moderation.verify.mutate({ userId }), "FORBIDDEN");
  const token = await testSite.mailedToken(credentials.email, "verify-email");
  await boss.api.moderation.verify.mutate({ userId });
  expect((await browser.api.users.signIn.mutate(credentials)).viewer.id).toBe(userId);
  await expectRefusal(browser.api.users.verifyEmail.mutate({ token }), "BAD_REQUEST");
  expect(await actsOf(boss)).toContain(`${boss.me.username} verify una`);
});

test("sends a password reset link to the account's own address alone", async () => {
  const { testSite, boss, ana } = await startStaffedSite();
  const answer = await boss.api.moderation.sendReset.mutate({ userId: ana.me.id });
  const token = await testSite.mailedToken(ana.email, "reset-password");
  expect(JSON.stringify(answer)).not.toContain(token);
  await testSite.browser().api.users.resetPassword.mutate({ token, password: "another walk at night" });
  expect(await ana.api.users.me.query()).toBeNull();
  expect(await actsOf(boss)).toContain(`${boss.me.username} reset ${ana.me.username}`);
});

test("lets an administrator appoint another, but neither appoint them again nor delete them", async () => {
  const { boss, mona, ana } = await startStaffedSite();
  await expectRefusal(mona.api.moderation.makeAdmin.mutate({ userId: ana.me.id }), "FORBIDDEN");
  await boss.api.moderation.makeAdmin.mutate({ userId: ana.me.id });
  expect((await ana.api.administration.signupSettings.query()).mode).toBe("open");
  for (const call of [
    () => boss.api.moderation.makeAdmin.mutate({ userId: ana.me.id }),
    () => boss.api.moderation.deletePerson.mutate({ userId: ana.me.id, username: ana.me.username }),
  ])
    await expectRefusal(call(), "FORBIDDEN");
  expect(await actsOf(boss)).toContain(`${boss.me.username} administrator ${ana.me.username}`);
});

test("deletes an account with its content when an administrator types its username, and signs it out", async () => {
  const { testSite, boss, mona, ana } = await startStaffedSite();
  await ana.api.blogs.create.mutate(aBlog());
  const stream = followTopic(ana, "me");
  await stream.waitForStart();
  const remove = (person: SignedInBrowser, username: string) =>
    person.api.moderation.deletePerson.mutate({ userId: ana.me.id, username });
  await expectRefusal(remove(boss, "somebody"), { code: "BAD_REQUEST", field: "username" });
  await expectRefusal(remove(mona, ana.me.username), "FORBIDDEN");
  expect(testSite.rows("select id from blogs")).toHaveLength(1);
  await remove(boss, `@${ana.me.username.toUpperCase()}`);
  await until(() => stream.state.error !== undefined, "the stream of the account ends");
  expect(testSite.rows("select id from blogs")).toEqual([]);
  expect(await boss.api.users.me.query()).toMatchObject({ id: boss.me.id });
  expect(await actsOf(boss)).toContain(`${boss.me.username} delete `);
});

test("shows notes about a person to moderators alone, with author and date, live and limited in number", async () => {
  const { testSite, boss, mona, ana } = await startStaffedSite();
  const userId = ana.me.id;
  const stream = followTopic(boss, "me");
  await stream.waitForStart();
  await mona.api.moderation.addNote.mutate({ userId, body: "  Writes kindly to me.  " });
  await stream.waitFor("viewer.reportsChanged");
  stream.stop();
  await boss.api.moderation.addNote.mutate({ userId, body: "So she does." });
  const notesFor = async (person: SignedInBrowser) =>
    (await person.api.moderation.notes.query({ userId })).notes;
  expect(await notesFor(mona)).toMatchObject([
    { author: boss.me.username, body: "So she does.", own: false },
    { author: mona.me.username, body: "Writes kindly to me.", own: true, at: expect.any(String) },
  ]);
  expect((await boss.api.moderation.people.query({ query: "ana" })).people).toMatchObject([{ notes: 2 }]);
  await expectRefusal(ana.api.moderation.notes.query({ userId }), "FORBIDDEN");
  const [bossNote] = await notesFor(mona);
  await expectRefusal(mona.api.moderation.removeNote.mutate({ noteId: bossNote!.id }), "FORBIDDEN");
  await boss.api.moderation.removeNote.mutate({ noteId: bossNote!.id });
  expect(await notesFor(mona)).toHaveLength(1);
  expect((await actsOf(boss)).slice(0, 3)).toEqual([
    `${boss.me.username} delete-note ${ana.me.username}`,
    `${boss.me.username} note ${ana.me.username}`,
    `${mona.me.username} note ${ana.me.username}`,
  ]);
  expect(JSON.stringify(await boss.api.moderation.log.query({}))).not.toContain("kindly");
  const one = testSite.rows<{ id: string }>("select id from staff_notes")[0]!;
  for (let count = 1; count < staffLimits.notes.most; count++)
    await testSite.run(
      `insert into staff_notes (id, user_id, author, body, created_at) select '${one.id}${count}', user_id, author, body, created_at from staff_notes limit 1`,
    );
  await expectRefusal(mona.api.moderation.addNote.mutate({ userId, body: "One more." }), "CONFLICT");
});

test("shows a note under its author's new username, and under the original one after their deletion", async () => {
  const { boss, mona, ana } = await startStaffedSite();
  const userId = ana.me.id;
  const notesFor = async (person: SignedInBrowser) =>
    (await person.api.moderation.notes.query({ userId })).notes.map(({ author, own }) => ({ author, own }));
  await mona.api.moderation.addNote.mutate({ userId, body: "Writes kindly." });
  const { username } = mona.me;
  await mona.api.users.updateProfile.mutate({ username: "someone_else" });
  expect(await notesFor(mona)).toEqual([{ author: "someone_else", own: true }]);
  await boss.api.moderation.deletePerson.mutate({ userId: mona.me.id, username: "someone_else" });
  expect(await notesFor(boss)).toEqual([{ author: username, own: true }]);
});

test("refuses notes about oneself, and moderators' notes about other staff", async () => {
  const { boss, mona, ana } = await startStaffedSite();
  await boss.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true });
  await boss.api.moderation.addNote.mutate({ userId: mona.me.id, body: "Too strict." });
  for (const [person, target] of [
    [mona, mona],
    [ana, mona],
    [mona, boss],
    [boss, boss],
  ] as const) {
    const userId = target.me.id;
    for (const call of [
      person.api.moderation.notes.query({ userId }),
      person.api.moderation.addNote.mutate({ userId, body: "Fine." }),
    ])
      await expectRefusal(call, "FORBIDDEN");
  }
  const { notes } = await boss.api.moderation.notes.query({ userId: mona.me.id });
  expect(notes.map(({ body }) => body)).toEqual(["Too strict."]);
});

test("lets a moderator delete their own notes after a rename", async () => {
  const { mona, ana } = await startStaffedSite();
  const userId = ana.me.id;
  await mona.api.moderation.addNote.mutate({ userId, body: "Kind." });
  await mona.api.users.updateProfile.mutate({ username: "mona-anew" });
  const [one] = (await mona.api.moderation.notes.query({ userId })).notes;
  expect(one).toMatchObject({ own: true });
  await mona.api.moderation.removeNote.mutate({ noteId: one!.id });
  expect((await mona.api.moderation.notes.query({ userId })).notes).toEqual([]);
});
