import { expect, test } from "vitest";
import { setAdmin } from "../../../src/server/accounts/operator-actions.ts";
import { users } from "../../../src/server/database/schema/profiles.ts";
import { operator } from "../../../src/server/moderation/log.ts";
import { suspendAccount, unsuspendAccount } from "../../../src/server/moderation/suspension.ts";
import { userById } from "../../../src/server/profiles/queries.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  followTopic,
  password,
  refusal,
  startTestSite,
  until,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const accountExists = (testSite: TestSite, { me }: SignedInBrowser) =>
  testSite.rows(`select id from users where id = '${me.id}'`).length === 1;
const wrongPassword = {
  code: "FORBIDDEN",
  field: "password",
  message: "Wrong password. Please try again.",
};
const link = (testSite: TestSite, person: SignedInBrowser) =>
  testSite.mailedToken(person.email, "delete-account");
const open = (browser: Browser, token: string) => browser.api.users.deleteByLink.mutate({ token });

test("deletes an account for the right password, and refuses a session without it", async () => {
  const [testSite, ana] = await siteWith("Ana");
  expect(ana.me.hasPassword).toBe(true);
  const thief = testSite.browser(ana.cookie);
  await expectRefusal(thief.api.users.remove.mutate({ password: "a guess" }), wrongPassword);
  await expectRefusal(thief.api.users.remove.mutate({ password: "" }), {
    code: "BAD_REQUEST",
    field: "password",
  });
  expect(accountExists(testSite, ana)).toBe(true);
  expect(await ana.api.users.me.query()).not.toBeNull();
  await ana.api.users.remove.mutate({ password });
  expect(accountExists(testSite, ana)).toBe(false);
});

test("rate-limits password guesses at account deletion", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const remove = (secret: string) => refusal(ana.api.users.remove.mutate({ password: secret }));
  for (let guess = 0; guess < 10; guess++)
    expect(await remove(`guess ${guess}`)).toMatchObject(wrongPassword);
  expect(await remove(password)).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  // Signing in has its own limit.
  await testSite.browser().api.users.signIn.mutate({ email: ana.email, password });
  expect(accountExists(testSite, ana)).toBe(true);
});

test("needs no password over REST, but refuses a wrong one", async () => {
  const [testSite, , ana, bob] = await siteWith("Administrator", "Ana", "Bob");
  const [anas, bobs] = [await ApiClient.of(testSite, ana), await ApiClient.of(testSite, bob)];
  expect(await anas.call("DELETE", "/delete-account", { password: "a guess" })).toMatchObject({
    status: 403,
    body: { success: false, message: wrongPassword.message, field: "password" },
  });
  expect((await anas.call("DELETE", "/delete-account", { password: 3 })).status).toBe(400);
  expect(accountExists(testSite, ana)).toBe(true);
  expect((await anas.call("DELETE", "/delete-account", { password })).status).toBe(200);
  expect((await bobs.call("DELETE", "/delete-account")).status).toBe(200);
  expect([accountExists(testSite, ana), accountExists(testSite, bob)]).toEqual([false, false]);
});

test("deletes an account without a password by an emailed link, once, and closes its open pages", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await testSite.write(async (tx) => {
    await tx.drizzle.update(users).set({ passwordHash: null });
  });
  expect((await ana.api.users.me.query())?.hasPassword).toBe(false);
  await expectRefusal(ana.api.users.remove.mutate({ password }), {
    code: "BAD_REQUEST",
    message: "This account has no password. Please request a deletion link by email.",
  });
  expect(await ana.api.users.sendDeletionLink.mutate()).toMatchObject({
    message: `We sent a link to ${ana.email}. Open it to delete your account.`,
  });
  const first = await link(testSite, ana);
  await ana.api.users.sendDeletionLink.mutate();
  const token = await until(async () => {
    const newest = await link(testSite, ana);
    return newest === first ? undefined : newest;
  });
  // Only the newest link works, for its purpose, and not by opening its page.
  const otherBrowser = testSite.browser();
  expect(await refusal(open(otherBrowser, first))).toEqual(
    expect.objectContaining({
      code: "BAD_REQUEST",
      message:
        "This link was already used, has expired or is incomplete. If the account still exists, sign in and request a new link in Settings.",
    }),
  );
  await expectRefusal(otherBrowser.api.users.resetPassword.mutate({ token, password }), "BAD_REQUEST");
  expect((await otherBrowser.fetch(`/delete-account/${token}`)).status).toBe(200);
  expect(accountExists(testSite, ana)).toBe(true);

  const stream = followTopic(ana, "me");
  await stream.waitForStart();
  const closeCode = new Promise<number>((resolve) => ana.sockets[0]?.once("close", resolve));
  expect(await open(otherBrowser, token)).toMatchObject({ message: "Account deleted." });
  expect(await closeCode).toBe(4401);
  expect(accountExists(testSite, ana)).toBe(false);
  await expectRefusal(open(otherBrowser, token), "BAD_REQUEST");
});

test("refuses the link of another account while signed in", async () => {
  const [testSite, , ana, bob] = await siteWith("Administrator", "Ana", "Bob");
  await ana.api.users.sendDeletionLink.mutate();
  const token = await link(testSite, ana);
  await expectRefusal(open(bob, token), "FORBIDDEN");
  expect([accountExists(testSite, ana), accountExists(testSite, bob)]).toEqual([true, true]);
  await open(ana, token);
  expect([accountExists(testSite, ana), accountExists(testSite, bob)]).toEqual([false, true]);
});

test("revokes deletion links when the password changes, and limits how many are sent", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.signUpAndSignIn("Ana");
  for (let index = 0; index < 5; index++) await ana.api.users.sendDeletionLink.mutate();
  await expectRefusal(ana.api.users.sendDeletionLink.mutate(), {
    code: "TOO_MANY_REQUESTS",
    message: "We’ve already sent you several emails. Please open the latest one.",
  });
  await until(async () => (await testSite.mailsTo(ana.email)).length === 6);
  const token = await link(testSite, ana);
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  await ana.api.users.resetPassword.mutate({
    token: await testSite.mailedToken(ana.email, "reset-password"),
    password: "an even better one",
  });
  await expectRefusal(open(testSite.browser(), token), "BAD_REQUEST");
  expect(accountExists(testSite, ana)).toBe(true);
});

test("keeps an account with much data deleted when links from before are opened", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const email = ana.email;
  await ana.api.users.changeEmail.mutate({ email: "ana.new@example.org", password });
  const confirm = await testSite.mailedToken("ana.new@example.org", "change-email");
  await testSite.browser().api.users.followEmailLink.mutate({ token: confirm });
  const undo = await testSite.mailedToken(email, "change-email");
  // More than one write deletes.
  await testSite.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
         insert into notifications (id, user_id, kind, actor_id, target, created_at)
         select 'n' || i, '${ana.me.id}', 'like', '${ana.me.id}', 't' || i, i from n`);
  const signedIn = testSite.browser();
  for (const browser of [testSite.browser(), signedIn])
    await browser.api.users.signIn.mutate({ email: "ana.new@example.org", password });
  const undoSignIn = await testSite.mailedToken("ana.new@example.org", "undo-access");
  await signedIn.api.users.remove.mutate({ password });
  for (const token of [undo, undoSignIn])
    await expectRefusal(testSite.browser().api.users.followEmailLink.mutate({ token }), "BAD_REQUEST");
  expect(await testSite.mailsTo(email)).not.toContainEqual(expect.stringContaining("reset-password"));
});

test("keeps the only administrator of others, by page, REST, link and command", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  const refused = { code: "CONFLICT", message: expect.stringContaining("would have no administrator") };
  await expectRefusal(boss.api.users.remove.mutate({ password }), refused);
  const api = await ApiClient.of(testSite, boss);
  expect((await api.call("DELETE", "/delete-account")).status).toBe(409);
  await testSite.write(async (tx) => {
    await tx.drizzle.update(users).set({ passwordHash: null });
  });
  await boss.api.users.sendDeletionLink.mutate();
  await expectRefusal(open(boss, await link(testSite, boss)), refused);
  const suspend = (id: string) =>
    testSite.write(async (tx) => suspendAccount(tx, operator, (await userById(tx, id))!, ""));
  await testSite.write((tx) => setAdmin(tx, ana.me, true));
  await suspend(ana.me.id);
  // A suspended administrator helps nobody.
  expect((await api.call("DELETE", "/delete-account")).status).toBe(409);
  await expect(testSite.write((tx) => setAdmin(tx, boss.me, false))).rejects.toThrow("no administrator");
  await expect(suspend(boss.me.id)).rejects.toThrow("no administrator");
  await testSite.write(async (tx) => unsuspendAccount(tx, operator, (await userById(tx, ana.me.id))!));
  expect((await api.call("DELETE", "/delete-account")).status).toBe(200);
});

test("lets the last person leave the site as new", async () => {
  const [testSite, boss] = await siteWith("Boss");
  await boss.api.users.remove.mutate({ password });
  expect(accountExists(testSite, boss)).toBe(false);
});
