import { expect, test } from "vitest";
import { staffLimits } from "../../src/shared/staff-limits.ts";
import { reprise } from "../support/command.ts";
import { aBlog, password, refusal, startTown, until, listen, type Resident } from "../support/town.ts";

/* What staff do about people, beside suspending and limiting. */

async function staffedTown() {
  const town = await startTown();
  const [boss, mona, ana] = [
    await town.resident("Boss"),
    await town.resident("Mona"),
    await town.resident("Ana"),
  ];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  return { town, boss, mona, ana, [Symbol.asyncDispose]: () => town[Symbol.asyncDispose]() };
}
const actsOf = async (who: Resident) =>
  (await who.api.moderation.log.query({})).entries.map(({ actor, act, name }) => `${actor} ${act} ${name}`);

test("people are listed by their state, the newest or the last seen first", async () => {
  await using site = await staffedTown();
  const { town, boss, mona, ana } = site;
  await town.browser().api.users.signUp.mutate({ name: "Una", email: "una@example.org", password });
  const eve = await town.resident("Eve");
  await mona.api.moderation.suspend.mutate({ userId: eve.me.id, suspended: true });
  await mona.api.moderation.limit.mutate({ userId: ana.me.id, limited: true });
  const named = async (asked: object) =>
    (await boss.api.moderation.people.query(asked)).people.map(({ name }) => name);
  expect(await named({})).toEqual(["Eve", "Una", "Ana", "Mona", "Boss"]);
  expect(await named({ state: "suspended" })).toEqual(["Eve"]);
  expect(await named({ state: "limited" })).toEqual(["Ana"]);
  expect(await named({ state: "staff" })).toEqual(["Mona", "Boss"]);
  expect(await named({ state: "unverified" })).toEqual(["Una"]);
  expect(await named({ state: "staff", query: "mo" })).toEqual(["Mona"]);
  await town.write(
    async (tx) =>
      void (await tx.drizzle.run(
        `update sessions set seen_at = seen_at + 1000000000 where user_id = '${ana.me.id}'`,
      )),
  );
  expect((await named({ sort: "seen" }))[0]).toBe("Ana");
});

test("administrators find somebody by a whole address, and moderators nobody", async () => {
  await using site = await staffedTown();
  const { boss, mona, ana } = site;
  const found = async ({ api }: typeof boss, query: string) =>
    (await api.moderation.people.query({ query })).people.map(({ name }) => name);
  expect(await found(boss, ana.email)).toEqual(["Ana"]);
  expect(await found(mona, ana.email)).toEqual([]);
  expect(await found(mona, ana.me.username)).toEqual(["Ana"]);
});

test("an administrator confirms an address that no mail reaches; links to confirm it work no more", async () => {
  await using site = await staffedTown();
  const { town, boss, mona } = site;
  const browser = town.browser();
  const given = { email: "una@example.org", password };
  await browser.api.users.signUp.mutate({ name: "Una", ...given });
  const { people } = await boss.api.moderation.people.query({ state: "unverified" });
  const userId = people[0]!.id;
  expect(await refusal(mona.api.moderation.verify.mutate({ userId }))).toMatchObject({ code: "FORBIDDEN" });
  const token = await town.mailedToken(given.email, "verify-email");
  await boss.api.moderation.verify.mutate({ userId });
  expect((await browser.api.users.signIn.mutate(given)).viewer.id).toBe(userId);
  expect(await refusal(browser.api.users.verifyEmail.mutate({ token }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(await actsOf(boss)).toContain(`${boss.me.username} verify una`);
});

test("a link for a new password goes to the account's own address, and to nobody who asks for it", async () => {
  await using site = await staffedTown();
  const { town, boss, ana } = site;
  const answer = await boss.api.moderation.sendReset.mutate({ userId: ana.me.id });
  const token = await town.mailedToken(ana.email, "reset-password");
  expect(JSON.stringify(answer)).not.toContain(token);
  await town.browser().api.users.resetPassword.mutate({ token, password: "another walk at night" });
  expect(await ana.api.users.me.query()).toBeNull();
  expect(await actsOf(boss)).toContain(`${boss.me.username} reset ${ana.me.username}`);
});

test("an administrator is made by an administrator, and no longer unmade by one", async () => {
  await using site = await staffedTown();
  const { boss, mona, ana } = site;
  expect(await refusal(mona.api.moderation.makeAdmin.mutate({ userId: ana.me.id }))).toMatchObject({
    code: "FORBIDDEN",
  });
  await boss.api.moderation.makeAdmin.mutate({ userId: ana.me.id });
  expect((await ana.api.moderation.signupSettings.query()).mode).toBe("open");
  for (const call of [
    () => boss.api.moderation.makeAdmin.mutate({ userId: ana.me.id }),
    () => boss.api.moderation.deletePerson.mutate({ userId: ana.me.id, username: ana.me.username }),
  ])
    expect(await refusal(call())).toMatchObject({ code: "FORBIDDEN" });
  expect(await actsOf(boss)).toContain(`${boss.me.username} administrator ${ana.me.username}`);
});

test("an account is deleted by an administrator who types whose it is, with all of it, and signed out at once", async () => {
  await using site = await staffedTown();
  const { town, boss, mona, ana } = site;
  await ana.api.blogs.create.mutate(aBlog());
  const heard = listen(ana, "me");
  await heard.live();
  const remove = (who: Resident, username: string) =>
    who.api.moderation.deletePerson.mutate({ userId: ana.me.id, username });
  expect(await refusal(remove(boss, "somebody"))).toMatchObject({ code: "BAD_REQUEST", field: "username" });
  expect(await refusal(remove(mona, ana.me.username))).toMatchObject({ code: "FORBIDDEN" });
  expect(town.rows("select id from blogs")).toHaveLength(1);
  await remove(boss, `@${ana.me.username.toUpperCase()}`);
  await until(() => heard.state.error !== undefined, "the stream of the account ends");
  expect(town.rows("select id from blogs")).toEqual([]);
  expect(await boss.api.users.me.query()).toMatchObject({ id: boss.me.id });
  expect(await actsOf(boss)).toContain(`${boss.me.username} delete `);
});

test("notes about somebody are for moderators alone, dated, by whom, live, and bounded", async () => {
  await using site = await staffedTown();
  const { town, boss, mona, ana } = site;
  const userId = ana.me.id;
  const heard = listen(boss, "me");
  await heard.live();
  await mona.api.moderation.addNote.mutate({ userId, words: "  Writes kindly to me.  " });
  await heard.heard("viewer.reportsChanged");
  heard.stop();
  await boss.api.moderation.addNote.mutate({ userId, words: "So she does." });
  const notes = async (who: Resident) => (await who.api.moderation.notes.query({ userId })).notes;
  expect(await notes(mona)).toMatchObject([
    { author: boss.me.username, words: "So she does.", own: false },
    { author: mona.me.username, words: "Writes kindly to me.", own: true, at: expect.any(String) },
  ]);
  expect((await boss.api.moderation.people.query({ query: "ana" })).people).toMatchObject([{ notes: 2 }]);
  expect(await refusal(ana.api.moderation.notes.query({ userId }))).toMatchObject({ code: "FORBIDDEN" });
  const [ofBoss] = await notes(mona);
  expect(await refusal(mona.api.moderation.removeNote.mutate({ noteId: ofBoss!.id }))).toMatchObject({
    code: "FORBIDDEN",
  });
  await boss.api.moderation.removeNote.mutate({ noteId: ofBoss!.id });
  expect(await notes(mona)).toHaveLength(1);
  expect((await actsOf(boss)).slice(0, 3)).toEqual([
    `${boss.me.username} unnote ${ana.me.username}`,
    `${boss.me.username} note ${ana.me.username}`,
    `${mona.me.username} note ${ana.me.username}`,
  ]);
  expect(JSON.stringify(await boss.api.moderation.log.query({}))).not.toContain("kindly");
  const one = town.rows<{ id: string }>("select id from staff_notes")[0]!;
  for (let count = 1; count < staffLimits.notes.most; count++)
    await town.write(
      async (tx) =>
        void (await tx.drizzle.run(
          `insert into staff_notes (id, user_id, author, words, created_at) select '${one.id}${count}', user_id, author, words, created_at from staff_notes limit 1`,
        )),
    );
  expect(await refusal(mona.api.moderation.addNote.mutate({ userId, words: "One more." }))).toMatchObject({
    code: "CONFLICT",
  });
});

test("a note stays its author's under another name, and keeps the old one when their account is gone", async () => {
  await using site = await staffedTown();
  const { boss, mona, ana } = site;
  const userId = ana.me.id;
  const noted = async (who: Resident) =>
    (await who.api.moderation.notes.query({ userId })).notes.map(({ author, own }) => ({ author, own }));
  await mona.api.moderation.addNote.mutate({ userId, words: "Writes kindly." });
  const { username } = mona.me;
  await mona.api.users.updateProfile.mutate({ username: "someone_else" });
  expect(await noted(mona)).toEqual([{ author: "someone_else", own: true }]);
  await boss.api.moderation.deletePerson.mutate({ userId: mona.me.id, username: "someone_else" });
  expect(await noted(boss)).toEqual([{ author: username, own: true }]);
});

test(
  "the command line limits accounts and keeps notes, and the log shows each command",
  { tags: ["more"] },
  async () => {
    await using site = await staffedTown();
    const { town, boss, ana } = site;
    const user = (...words: string[]) =>
      reprise(town.config.dataDir, ["user", ...words, "--json"], { PUBLIC_URL: town.config.publicUrl });
    const { id } = await ana.api.blogs.create.mutate(aBlog());
    const guest = town.browser();
    const heard = listen(guest, `blog:${id}`);
    await heard.live();
    expect((await user("limit", ana.me.username, "--reason", "Rude.")).json).toEqual({
      username: ana.me.username,
      limited: true,
      silenced: true,
    });
    await heard.heard("accessLost");
    heard.stop();
    expect((await user("show", ana.me.username)).json).toMatchObject({ limited: true, suspended: false });
    await user("limit", ana.me.username, "--undo");
    expect((await guest.api.blogs.list.query({})).blogs).toHaveLength(1);
    await user("note", ana.me.username, "Asked to be kinder.");
    expect((await user("note", ana.me.username)).json).toMatchObject({
      notes: [{ author: "command-line", words: "Asked to be kinder." }],
    });
    await user("reset-password", ana.me.username);
    await user("make-admin", ana.me.username);
    await user("make-admin", ana.me.username, "--undo");
    await user("delete", ana.me.username, "--yes");
    expect(
      (await actsOf(boss))
        .filter((line) => line.startsWith("command-line"))
        .map((line) => line.split(" ")[1]),
    ).toEqual(["delete", "member", "administrator", "reset", "note", "unsilence", "silence"]);
  },
);

test("nobody reads or writes notes about themself, nor moderators about others of the staff", async () => {
  await using site = await staffedTown();
  const { boss, mona, ana } = site;
  await boss.api.moderation.makeModerator.mutate({ userId: ana.me.id, moderator: true });
  await boss.api.moderation.addNote.mutate({ userId: mona.me.id, words: "Too strict." });
  for (const [who, whom] of [
    [mona, mona],
    [ana, mona],
    [mona, boss],
    [boss, boss],
  ] as const) {
    const userId = whom.me.id;
    for (const call of [
      who.api.moderation.notes.query({ userId }),
      who.api.moderation.addNote.mutate({ userId, words: "Fine." }),
    ])
      expect(await refusal(call)).toMatchObject({ code: "FORBIDDEN" });
  }
  const { notes } = await boss.api.moderation.notes.query({ userId: mona.me.id });
  expect(notes.map(({ words }) => words)).toEqual(["Too strict."]);
});

test("who renames themself still deletes their own notes", async () => {
  await using site = await staffedTown();
  const { mona, ana } = site;
  const userId = ana.me.id;
  await mona.api.moderation.addNote.mutate({ userId, words: "Kind." });
  await mona.api.users.updateProfile.mutate({ username: "mona-anew" });
  const [one] = (await mona.api.moderation.notes.query({ userId })).notes;
  expect(one).toMatchObject({ own: true });
  await mona.api.moderation.removeNote.mutate({ noteId: one!.id });
  expect((await mona.api.moderation.notes.query({ userId })).notes).toEqual([]);
});
