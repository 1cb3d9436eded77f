import { expect, test } from "vitest";
import { users } from "../../src/server/database/schema/users.ts";
import { ApiClient } from "../support/api-client.ts";
import {
  listen,
  password,
  refusal,
  startTown,
  until,
  type Browser,
  type Resident,
  type Town,
} from "../support/town.ts";

const isThere = (town: Town, { me }: Resident) =>
  town.rows(`select id from users where id = '${me.id}'`).length === 1;
const notYours = {
  code: "FORBIDDEN",
  field: "password",
  message: "Wrong password. Please try again.",
};
const link = (town: Town, who: Resident) => town.mailedToken(who.email, "delete-account");
const open = (browser: Browser, token: string) => browser.api.users.deleteByLink.mutate({ token });

test("an account is deleted for whoever knows its password, and for nobody who only has its session", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  expect(ana.me.hasPassword).toBe(true);
  const thief = town.browser(ana.cookie);
  expect(await refusal(thief.api.users.remove.mutate({ password: "a guess" }))).toMatchObject(notYours);
  expect(await refusal(thief.api.users.remove.mutate({ password: "" }))).toMatchObject({
    code: "BAD_REQUEST",
    field: "password",
  });
  expect(isThere(town, ana)).toBe(true);
  expect(await ana.api.users.me.query()).not.toBeNull();
  await ana.api.users.remove.mutate({ password });
  expect(isThere(town, ana)).toBe(false);
});

test("who guesses the password of a session that they found has to wait", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const ana = await town.resident("Ana");
  const remove = (secret: string) => refusal(ana.api.users.remove.mutate({ password: secret }));
  for (let guess = 0; guess < 10; guess++) expect(await remove(`guess ${guess}`)).toMatchObject(notYours);
  expect(await remove(password)).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  // Signing in is counted apart.
  await town.browser().api.users.signIn.mutate({ email: ana.email, password });
  expect(isThere(town, ana)).toBe(true);
});

test("over REST a password is asked of nobody, and one that is sent has to be right", async () => {
  await using town = await startTown();
  const [ana, bob] = [await town.resident("Ana"), await town.resident("Bob")];
  const [anas, bobs] = [await ApiClient.of(town, ana), await ApiClient.of(town, bob)];
  expect(await anas.call("DELETE", "/delete-account", { password: "a guess" })).toMatchObject({
    status: 403,
    body: { success: false, message: notYours.message, field: "password" },
  });
  expect((await anas.call("DELETE", "/delete-account", { password: 3 })).status).toBe(400);
  expect(isThere(town, ana)).toBe(true);
  expect((await anas.call("DELETE", "/delete-account", { password })).status).toBe(200);
  expect((await bobs.call("DELETE", "/delete-account")).status).toBe(200);
  expect([isThere(town, ana), isThere(town, bob)]).toEqual([false, false]);
});

test("an account without a password is deleted by the link of a mail, once, and its open pages close", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await town.write(async (tx) => void (await tx.drizzle.update(users).set({ passwordHash: null }).run()));
  expect((await ana.api.users.me.query())?.hasPassword).toBe(false);
  expect(await refusal(ana.api.users.remove.mutate({ password }))).toMatchObject({
    code: "BAD_REQUEST",
    message: "This account has no password. Please request a deletion link by email.",
  });
  expect(await ana.api.users.sendDeletionLink.mutate()).toMatchObject({
    message: `We sent a link to ${ana.email}. Open it to delete your account.`,
  });
  const first = await link(town, ana);
  await ana.api.users.sendDeletionLink.mutate();
  const token = await until(async () => {
    const newest = await link(town, ana);
    return newest === first ? undefined : newest;
  });
  // The newest alone works, for what it was sent for, and reading the page deletes nothing.
  const away = town.browser();
  expect(await refusal(open(away, first))).toEqual(
    expect.objectContaining({
      code: "BAD_REQUEST",
      message:
        "This link was already used, has expired or is incomplete. If the account still exists, sign in and request a new link in Settings.",
    }),
  );
  expect(await refusal(away.api.users.resetPassword.mutate({ token, password }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  expect((await away.fetch(`/delete-account/${token}`)).status).toBe(200);
  expect(isThere(town, ana)).toBe(true);

  const own = listen(ana, "me");
  await own.live();
  const closed = new Promise<number>((resolve) => ana.sockets[0]?.once("close", resolve));
  expect(await open(away, token)).toMatchObject({ message: "Account deleted." });
  expect(await closed).toBe(4401);
  expect(isThere(town, ana)).toBe(false);
  expect(await refusal(open(away, token))).toMatchObject({ code: "BAD_REQUEST" });
});

test("whoever is signed in to another account deletes nothing by somebody's link", async () => {
  await using town = await startTown();
  const [ana, bob] = [await town.resident("Ana"), await town.resident("Bob")];
  await ana.api.users.sendDeletionLink.mutate();
  const token = await link(town, ana);
  expect(await refusal(open(bob, token))).toMatchObject({ code: "FORBIDDEN" });
  expect([isThere(town, ana), isThere(town, bob)]).toEqual([true, true]);
  await open(ana, token);
  expect([isThere(town, ana), isThere(town, bob)]).toEqual([false, true]);
});

test("a new password takes back links that delete the account; more than a few are not sent", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const ana = await town.moveIn("Ana");
  for (let index = 0; index < 5; index++) await ana.api.users.sendDeletionLink.mutate();
  expect(await refusal(ana.api.users.sendDeletionLink.mutate())).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: "We’ve already sent you several emails. Please open the latest one.",
  });
  await until(async () => (await town.mailsTo(ana.email)).length === 6);
  const token = await link(town, ana);
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  await ana.api.users.resetPassword.mutate({
    token: await town.mailedToken(ana.email, "reset-password"),
    password: "an even better one",
  });
  expect(await refusal(open(town.browser(), token))).toMatchObject({ code: "BAD_REQUEST" });
  expect(isThere(town, ana)).toBe(true);
});

test("an account with much that is deleted stays so, whatever links were mailed before", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const email = ana.email;
  await ana.api.users.changeEmail.mutate({ email: "ana.new@example.org", password });
  const confirm = await town.mailedToken("ana.new@example.org", "change-email");
  await town.browser().api.users.followEmailLink.mutate({ token: confirm });
  const undo = await town.mailedToken(email, "change-email");
  // More than goes in one write.
  await town.write(
    async (tx) =>
      void (await tx.drizzle.run(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
         insert into notifications (id, user_id, kind, actor_id, target, created_at)
         select 'n' || i, '${ana.me.id}', 'like', '${ana.me.id}', 't' || i, i from n`,
      )),
  );
  const signedIn = town.browser();
  for (const browser of [town.browser(), signedIn])
    await browser.api.users.signIn.mutate({ email: "ana.new@example.org", password });
  const undoSignIn = await town.mailedToken("ana.new@example.org", "undo-access");
  await signedIn.api.users.remove.mutate({ password });
  for (const token of [undo, undoSignIn])
    expect(await refusal(town.browser().api.users.followEmailLink.mutate({ token }))).toMatchObject({
      code: "BAD_REQUEST",
    });
  expect(await town.mailsTo(email)).not.toContainEqual(expect.stringContaining("reset-password"));
});
