import { ne } from "drizzle-orm";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { hashSecret } from "../../../src/server/runtime/ids.ts";
import { sessions } from "../../../src/server/database/schema/auth.ts";
import { mailTokens } from "../../../src/server/database/schema/profiles.ts";
import { deleteOldSignUps, deleteExpiredAccountData } from "../../../src/server/accounts/housekeeping.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { failWrites } from "../../support/failing-writes.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopic,
  password,
  refusal,
  startTestSite,
  until,
  followBlog,
  type Browser,
  type TestSite,
} from "../../support/test-site.ts";

const checkYourMail = "Please check your email: we sent you a link to confirm your address.";
const wrongCredentials = { code: "UNAUTHORIZED", message: "That email address and password don’t match." };
const signUp = (browser: Browser, email: string, change: Record<string, string> = {}) =>
  browser.api.users.signUp.mutate({ name: "Ana", email, password, ...change });
const signIn = (browser: Browser, email: string, secret = password) =>
  browser.api.users.signIn.mutate({ email, password: secret });
const isSignedIn = async (browser: Browser) => (await browser.api.users.me.query()) !== null;
const count = (testSite: TestSite, table: string) =>
  testSite.rows<{ total: number }>(`select count(*) as total from ${table}`)[0]?.total;

test("signs a new account in after it opens the emailed link, and ends the session at sign-out", async () => {
  await using testSite = await startTestSite();
  const ana = testSite.browser();
  expect(await signUp(ana, "ana@example.org")).toMatchObject({ message: checkYourMail });
  expect(await isSignedIn(ana)).toBe(false);
  await ana.api.users.verifyEmail.mutate({
    token: await testSite.mailedToken("ana@example.org", "verify-email"),
  });
  expect(await isSignedIn(ana)).toBe(false);
  const { viewer, message } = await signIn(ana, "ana@example.org");
  expect(message).toBe("Welcome, Ana.");
  expect(viewer).toMatchObject({ name: "Ana", username: "ana", email: "ana@example.org" });
  expect(viewer).not.toHaveProperty("token");
  expect(JSON.stringify(viewer)).not.toContain(ana.cookie.split("=")[1]);
  expect(await ana.api.users.me.query()).toMatchObject(viewer);

  const stolen = testSite.browser(ana.cookie);
  await ana.api.users.signOut.mutate();
  expect(await isSignedIn(ana)).toBe(false);
  expect(await isSignedIn(stolen)).toBe(false);
  expect(count(testSite, "sessions")).toBe(0);
});

test("refuses sign-in before the address is confirmed, and sends the link again only for the right password", async () => {
  await using testSite = await startTestSite();
  const ana = testSite.browser();
  await signUp(ana, "ana@example.org");
  const first = await testSite.mailedToken("ana@example.org", "verify-email");
  expect(await refusal(signIn(ana, "ana@example.org", "a wrong password"))).toEqual(wrongCredentials);
  expect(await refusal(signIn(ana, "nobody@example.org"))).toEqual(wrongCredentials);
  expect(await refusal(signIn(ana, "ana@example.org"))).toEqual({
    code: "FORBIDDEN",
    message: "Please confirm your email address first: we’ve sent you the link again.",
  });
  const mails = await until(async () => {
    const all = await testSite.mailsTo("ana@example.org");
    return all.length > 1 && all;
  });
  expect(mails).toHaveLength(2);
  expect(ana.cookie).toBe("");
  expect(await testSite.mailedToken("ana@example.org", "verify-email")).not.toBe(first);
  await ana.api.users.verifyEmail.mutate({ token: first });
  await signIn(ana, "ana@example.org");
});

test("confirms a used link again for its signed-in owner only, until it expires", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [testSite.browser(), await testSite.createAccount("Ben")];
  await signUp(ana, "ana@example.org");
  const token = await testSite.mailedToken("ana@example.org", "verify-email");
  expect(await ana.api.users.verifyEmail.mutate({ token })).toMatchObject({
    waits: false,
    email: "ana@example.org",
  });
  const verifyAgain = (browser: { api: typeof ana.api }) => browser.api.users.verifyEmail.mutate({ token });
  for (const person of [ana, ben]) await expectRefusal(verifyAgain(person), "BAD_REQUEST");
  await signIn(ana, "ana@example.org");
  expect(await verifyAgain(ana)).toMatchObject({
    message: "Your address is confirmed.",
    waits: false,
    email: null,
  });
  await expectRefusal(verifyAgain(ben), "BAD_REQUEST");
  await testSite.run("update mail_tokens set expires_at = 1");
  await expectRefusal(verifyAgain(ana), "BAD_REQUEST");
});

test("gives the same answers whether or not an address has an account", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const waiting = "waiting@example.org";
  await signUp(testSite.browser(), waiting);
  const guest = testSite.browser();
  const addresses = [ana.email, waiting, "nobody@example.org"];
  const expectSameAnswer = async (call: (email: string) => Promise<unknown>) => {
    const answers = await Promise.all(addresses.map((email) => call(email)));
    // On PostgreSQL each queued job moves the cursor; as many are queued for each address (mail.test.ts).
    const shown = isPostgres ? answers.map((answer) => ({ ...(answer as object), cursor: null })) : answers;
    expect(new Set(shown.map((answer) => JSON.stringify(answer))).size).toBe(1);
  };
  await expectSameAnswer((email) => guest.api.users.forgotPassword.mutate({ email }));
  await expectSameAnswer((email) => guest.api.users.resendVerification.mutate({ email }));
  await expectSameAnswer((email) => refusal(signIn(guest, email, "a wrong password")));
  await expectSameAnswer((email) => signUp(guest, email, { name: "Somebody else" }));
  // Only the email tells.
  await until(async () =>
    (await testSite.mailsTo(ana.email)).some((mail) => mail.includes("You already have an account")),
  );
  const mails = await until(async () => {
    const all = await testSite.mailsTo("nobody@example.org");
    return all.length > 0 && all;
  });
  expect(mails).toHaveLength(1);
  expect(await ana.api.users.me.query()).toMatchObject({ name: "Ana" });
});

test("creates one account for concurrent sign-ups with one address, and gives all the same answer", async () => {
  await using testSite = await startTestSite();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => signUp(testSite.browser(), "ana@example.org")),
  );
  expect(new Set(answers.map(({ message }) => message))).toEqual(new Set([checkYourMail]));
  expect(count(testSite, "users")).toBe(1);
});

test("does not share an account with a person who signed up with its address earlier", async () => {
  await using testSite = await startTestSite();
  const [mallory, ana] = [testSite.browser(), testSite.browser()];
  await signUp(mallory, "ana@example.org", { name: "Mallory", password: "mallory knows it" });
  await signUp(ana, "ana@example.org");
  await until(async () => (await testSite.mailsTo("ana@example.org")).length === 2);
  const [before, anasMail] = (await testSite.mailsTo("ana@example.org")).map(
    (mail) => /verify-email\/([\w-]+)/.exec(mail)?.[1] ?? "",
  );
  await ana.api.users.verifyEmail.mutate({ token: anasMail ?? "" });
  expect(await refusal(signIn(mallory, "ana@example.org", "mallory knows it"))).toEqual(wrongCredentials);
  // The link of Mallory's sign-up went to Ana, too.
  await expectRefusal(ana.api.users.verifyEmail.mutate({ token: before ?? "" }), "BAD_REQUEST");
  expect((await signIn(ana, "ana@example.org")).viewer.name).toBe("Ana");
  // Signing up again after confirmation.
  await signUp(mallory, "ana@example.org", { name: "Mallory", password: "mallory knows it" });
  expect(await refusal(signIn(mallory, "ana@example.org", "mallory knows it"))).toEqual(wrongCredentials);
  expect((await ana.api.users.me.query())?.name).toBe("Ana");
});

test("keeps the password of a link's own sign-up when another person signs up with the address later", async () => {
  await using testSite = await startTestSite();
  const [mallory, ana] = [testSite.browser(), testSite.browser()];
  await signUp(ana, "ana@example.org");
  const token = await testSite.mailedToken("ana@example.org", "verify-email");
  await signUp(mallory, "ana@example.org", { name: "Mallory", password: "mallory knows it" });
  await until(async () => (await testSite.mailsTo("ana@example.org")).length === 2);
  await ana.api.users.verifyEmail.mutate({ token });
  expect((await signIn(ana, "ana@example.org")).viewer.name).toBe("Ana");
  expect(await refusal(signIn(mallory, "ana@example.org", "mallory knows it"))).toEqual(wrongCredentials);
});

test("keeps the password given at the sign-in that had the link sent again", async () => {
  await using testSite = await startTestSite();
  const [mallory, ana] = [testSite.browser(), testSite.browser()];
  await signUp(ana, "ana@example.org");
  await signUp(mallory, "ana@example.org", { name: "Mallory", password: "mallory knows it" });
  await expectRefusal(signIn(ana, "ana@example.org"), "FORBIDDEN");
  await until(async () => (await testSite.mailsTo("ana@example.org")).length === 3);
  const token = await testSite.mailedToken("ana@example.org", "verify-email");
  await ana.api.users.verifyEmail.mutate({ token });
  expect(await refusal(signIn(mallory, "ana@example.org", "mallory knows it"))).toEqual(wrongCredentials);
  expect((await signIn(ana, "ana@example.org")).viewer.name).toBe("Ana");
});

test("ignores the link of another person's sign-up once the owner has set a password by email", async () => {
  await using testSite = await startTestSite();
  const [mallory, ana] = [testSite.browser(), testSite.browser()];
  await signUp(mallory, "ana@example.org", { name: "Mallory", password: "mallory knows it" });
  const strangersToken = await testSite.mailedToken("ana@example.org", "verify-email");
  await ana.api.users.forgotPassword.mutate({ email: "ana@example.org" });
  const token = await testSite.mailedToken("ana@example.org", "reset-password");
  await ana.api.users.resetPassword.mutate({ token, password });
  await expectRefusal(ana.api.users.verifyEmail.mutate({ token: strangersToken }), "BAD_REQUEST");
  expect(await refusal(signIn(mallory, "ana@example.org", "mallory knows it"))).toEqual(wrongCredentials);
  await signIn(ana, "ana@example.org");
});

test("deletes an unconfirmed sign-up after a month, unless a link is still valid", async () => {
  await using testSite = await startTestSite();
  const [ana, bob] = [testSite.browser(), await testSite.createAccount("Bob")];
  await signUp(ana, "ana@example.org");
  const deleteSignUpsAfter = (milliseconds: number) =>
    deleteOldSignUps(testSite.app.services.database, Date.now() + milliseconds);
  await testSite.run("delete from mail_tokens");
  await deleteSignUpsAfter(limits.signUp.keptFor - 60_000);
  expect(count(testSite, "users")).toBe(2);
  // A link that was just sent keeps the account.
  await ana.api.users.resendVerification.mutate({ email: "ana@example.org" });
  await deleteSignUpsAfter(limits.signUp.keptFor + 60_000);
  expect(count(testSite, "users")).toBe(2);
  await testSite.run("delete from mail_tokens");
  await deleteSignUpsAfter(limits.signUp.keptFor + 60_000);
  expect(testSite.rows("select name from users")).toEqual([{ name: bob.me.name }]);
});

test("ignores case in email addresses and usernames", async () => {
  const [testSite, ana, bob] = await siteWith("Ana", "Bob");
  await signUp(testSite.browser(), ana.email.toUpperCase());
  expect(count(testSite, "users")).toBe(2);
  const browser = testSite.browser();
  await signIn(browser, ` ${ana.email.toUpperCase()} `);
  expect((await browser.api.users.me.query())?.id).toBe(ana.me.id);
  expect((await bob.api.users.profile.query({ username: "ANA" })).id).toBe(ana.me.id);
  await expectRefusal(bob.api.users.updateProfile.mutate({ username: "ANA" }), {
    code: "CONFLICT",
    field: "username",
  });
  expect((await bob.api.users.updateProfile.mutate({ username: "  Bobby.B  " })).username).toBe("bobby.b");
  await expectRefusal(bob.api.users.updateProfile.mutate({ username: "Settings" }), {
    code: "BAD_REQUEST",
    field: "username",
  });
  await expectRefusal(bob.api.users.updateProfile.mutate({ username: "ab" }), {
    message: "Username must be at least 3 characters.",
  });
});

test("derives a username from the name, avoiding names that are taken or reserved", async () => {
  await using testSite = await startTestSite();
  const usernames = async (...names: string[]) => {
    for (const name of names)
      await signUp(testSite.browser(), `${Math.random().toString(36).slice(2)}@example.org`, { name });
    return testSite
      .rows<{ username: string }>(`select username from users order by seq desc limit ${names.length}`)
      .map(({ username }) => username)
      .toReversed();
  };
  expect(await usernames("Ana María Ruiz", "Ångström", "李")).toEqual([
    "anamariaruiz",
    "angstrom",
    "writerli",
  ]);
  expect(await usernames("Łukasz Groß", "Zdzisława Bęc", "Алиса Ёлкина", "Νίκος")).toEqual([
    "lukaszgross",
    "zdzislawabec",
    "alisayolkina",
    "nikos",
  ]);
  const [sameName, admin, longName] = await usernames("Ana María Ruiz", "Admin", "A".repeat(limits.name.max));
  expect(sameName).toMatch(/^anamariaruiz\d+$/);
  expect(admin).toMatch(/^admin\d+$/);
  expect(longName?.length).toBeLessThanOrEqual(limits.username.max);
});

test("accepts an emailed link once, and for a day", async () => {
  await using testSite = await startTestSite();
  const ana = testSite.browser();
  const verify = (token: string) => ana.api.users.verifyEmail.mutate({ token });
  const linkError = {
    code: "BAD_REQUEST",
    message: "This link was already used, has expired or is incomplete. Sign in to get a new one.",
  };
  await signUp(ana, "ana@example.org");
  const oldToken = await testSite.mailedToken("ana@example.org", "verify-email");
  expect(count(testSite, "mail_tokens")).toBe(1);
  const [stored] = testSite.rows<{ hash: string; expires_at: number }>(
    "select hash, expires_at from mail_tokens",
  );
  expect(stored?.hash).toBe(hashSecret(oldToken));
  expect(stored?.expires_at).toBeGreaterThan(Date.now() + 23.9 * 3_600_000);
  expect(stored?.expires_at).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000);

  await testSite.write(async (tx) => tx.drizzle.update(mailTokens).set({ expiresAt: Date.now() - 1 }));
  expect(await refusal(verify(oldToken))).toEqual(linkError);
  await ana.api.users.resendVerification.mutate({ email: "ana@example.org" });
  await until(async () => (await testSite.mailsTo("ana@example.org")).length === 2);
  const token = await testSite.mailedToken("ana@example.org", "verify-email");
  // A token works only for its own purpose.
  await expectRefusal(ana.api.users.resetPassword.mutate({ token, password }), "BAD_REQUEST");
  expect(await refusal(verify(hashSecret(token)))).toEqual(linkError);
  const results = await Promise.allSettled([verify(token), verify(token), verify(token)]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusal(verify(token))).toEqual(linkError);
});

test("does not accept what the database stores of a session as a cookie", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const [name, secret = ""] = ana.cookie.split("=");
  const [row] = testSite.rows<{ hash: string; handle: string }>("select hash, handle from sessions");
  expect(row?.hash).toBe(hashSecret(secret));
  expect(JSON.stringify(testSite.rows("select * from sessions"))).not.toContain(secret);
  for (const leakedSecret of [
    row?.hash,
    row?.handle,
    `sha256:${row?.hash}`,
    hashSecret(row?.hash ?? ""),
    "",
    "null",
    "x".repeat(5_000),
  ]) {
    expect(await isSignedIn(testSite.browser(`${name}=${leakedSecret}`))).toBe(false);
  }
  expect(await isSignedIn(testSite.browser(ana.cookie))).toBe(true);
});

test.each([
  ["http", {}, /^session=[\w-]{43}; HttpOnly; Max-Age=\d+; Path=\/; SameSite=Lax$/],
  [
    "https",
    { PUBLIC_URL: "https://reprise.example" },
    /^__Host-session=[\w-]{43}; HttpOnly; Max-Age=\d+; Path=\/; SameSite=Lax; Secure$/,
  ],
])(
  "sets an HttpOnly, SameSite=Lax session cookie over %s, and clears it at sign-out",
  async (_scheme, settings: Record<string, string>, pattern) => {
    await using testSite = await startTestSite(settings);
    const ana = await testSite.createAccount("Ana");
    const answer = await ana.fetch("/trpc/users.signIn", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: ana.email, password }),
    });
    const [cookie = "", browserCookie = "", ...others] = answer.headers.getSetCookie();
    expect(cookie).toMatch(pattern);
    expect(browserCookie.includes("browser=")).toBe(true);
    expect(others).toEqual([]);
    expect(Number(/Max-Age=(\d+)/.exec(cookie)?.[1])).toBeGreaterThan((limits.session.days - 1) * 24 * 3_600);
    const signOut = await ana.fetch("/trpc/users.signOut", {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    const [clearedCookie = ""] = signOut.headers.getSetCookie();
    expect(clearedCookie).toMatch(
      /^(__Host-)?session=; HttpOnly; Max-Age=0; Path=\/; SameSite=Lax(; Secure)?$/,
    );
    expect(clearedCookie.includes("Secure")).toBe(cookie.includes("Secure"));
  },
);

test("extends a session while it is used, and ends it when it expires", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const setRemainingDays = async (days: number) =>
    testSite.write(async (tx) =>
      tx.drizzle.update(sessions).set({ expiresAt: Date.now() + days * 24 * 3_600_000 }),
    );
  const cookies = async () => (await ana.fetch("/trpc/users.me")).headers.getSetCookie();
  expect(await cookies()).toEqual([]);
  await setRemainingDays(5);
  expect(await cookies()).toHaveLength(1);
  await until(
    () =>
      (testSite.rows<{ at: number }>("select expires_at as at from sessions")[0]?.at ?? 0) >
      Date.now() + 29 * 24 * 3_600_000,
  );
  expect(await isSignedIn(ana)).toBe(true);
  await setRemainingDays(-1);
  expect(await isSignedIn(ana)).toBe(false);
});

test("ends a session a year after its sign-in, however much it is used", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const hour = 3_600_000;
  const setSessionAge = (days: number, remainingDays: number) =>
    testSite.write(async (tx) =>
      tx.drizzle.update(sessions).set({
        createdAt: Date.now() - days * 24 * hour,
        expiresAt: Date.now() + remainingDays * 24 * hour,
      }),
    );
  const cookies = async () => (await ana.fetch("/trpc/users.me")).headers.getSetCookie();
  const expiry = () => testSite.rows<{ at: number }>("select expires_at as at from sessions")[0]?.at ?? 0;
  // Ten days of the year are left: the session is extended to its end.
  await setSessionAge(355, 3);
  const [cookie = ""] = await cookies();
  const seconds = Number(/Max-Age=(\d+)/.exec(cookie)?.[1]);
  expect(seconds).toBeGreaterThan(10 * 24 * 3_600 - 60);
  expect(seconds).toBeLessThanOrEqual(10 * 24 * 3_600);
  expect(Math.abs(expiry() - Date.now() - 10 * 24 * hour)).toBeLessThan(60_000);
  expect(await cookies()).toEqual([]);
  expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);
  // A session extended past the year before there was such a limit.
  await signIn(testSite.browser(), ana.email);
  await testSite.write(async (tx) =>
    tx.drizzle
      .update(sessions)
      .set({ createdAt: Date.now() - 366 * 24 * hour, expiresAt: Date.now() + 20 * 24 * hour })
      .where(ne(sessions.handle, ana.me.session)),
  );
  expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);
  await testSite.app.services.sessions.sweep();
  expect(count(testSite, "sessions")).toBe(1);
  await setSessionAge(365.01, 20);
  expect(await isSignedIn(ana)).toBe(false);
  expect(count(testSite, "sessions")).toBe(0);
});

test("ends the previous session of a browser at a new sign-in, of the same or another account", async () => {
  const [testSite, ana, bob] = await siteWith("Ana", "Bob");
  const otherBrowser = testSite.browser();
  await signIn(otherBrowser, ana.email);
  const before = testSite.browser(ana.cookie);
  await signIn(ana, ana.email);
  expect([await isSignedIn(before), await isSignedIn(ana), await isSignedIn(otherBrowser)]).toEqual([
    false,
    true,
    true,
  ]);
  expect((await ana.api.users.sessions.query()).sessions).toHaveLength(2);
  const sameSession = testSite.browser(ana.cookie);
  await signIn(ana, bob.email);
  expect(await isSignedIn(sameSession)).toBe(false);
  expect((await ana.api.users.me.query())?.id).toBe(bob.me.id);
  // A sign-in that fails replaces nothing.
  expect(await refusal(signIn(ana, bob.email, "a wrong password"))).toEqual(wrongCredentials);
  expect((await ana.api.users.me.query())?.id).toBe(bob.me.id);
});

test("ends the cookie's session at a REST sign-in from a page of this site, but not from a program or another site", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const client = new ApiClient(testSite);
  const signInWith = (headers: Record<string, string>) =>
    client.call("POST", "/signin", { email: ana.email, password }, headers);
  await signInWith({});
  await signInWith({ cookie: ana.cookie });
  await signInWith({ cookie: ana.cookie, origin: "https://elsewhere.example" });
  expect(await isSignedIn(ana)).toBe(true);
  await signInWith({ cookie: ana.cookie, origin: testSite.url });
  expect(await isSignedIn(ana)).toBe(false);
});

test("makes the first person who confirms an address the administrator, and no one else", async () => {
  await using testSite = await startTestSite();
  await signUp(testSite.browser(), "first-to-sign-up@example.org");
  const ana = await testSite.createAccount("Ana");
  expect(ana.me.isAdmin).toBe(true);
  await testSite.browser().api.users.verifyEmail.mutate({
    token: await testSite.mailedToken("first-to-sign-up@example.org", "verify-email"),
  });
  const second = testSite.browser();
  expect((await signIn(second, "first-to-sign-up@example.org")).viewer.isAdmin).toBe(false);
  expect((await testSite.createAccount("Bob")).me.isAdmin).toBe(false);
});

test("resets a forgotten password once by the emailed link, and ends every session at once", async () => {
  const [testSite, ana, bob] = await siteWith("Ana", "Bob");
  const stream = followTopic(ana, "me");
  await stream.waitForStart();
  const closeCode = new Promise<number>((resolve) => ana.sockets[0]?.once("close", resolve));
  const otherBrowser = testSite.browser();
  await otherBrowser.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await testSite.mailedToken(ana.email, "reset-password");
  expect(await isSignedIn(ana)).toBe(true);
  await otherBrowser.api.users.resetPassword.mutate({ token, password: "an even better one" });
  expect(await closeCode).toBe(4401);
  expect([await isSignedIn(ana), await isSignedIn(bob)]).toEqual([false, true]);
  expect(await refusal(signIn(otherBrowser, ana.email))).toEqual(wrongCredentials);
  await expectRefusal(otherBrowser.api.users.resetPassword.mutate({ token, password }), "BAD_REQUEST");
  await signIn(otherBrowser, ana.email, "an even better one");
});

test("does not change a password whose sessions cannot be ended", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await testSite.mailedToken(ana.email, "reset-password");
  const reset = () =>
    testSite.browser().api.users.resetPassword.mutate({ token, password: "an even better one" });
  const stopFailing = await failWrites(testSite, "delete on sessions");
  await expectRefusal(reset(), "INTERNAL_SERVER_ERROR");
  await signIn(testSite.browser(), ana.email);
  await stopFailing();
  await reset();
  expect([await isSignedIn(ana), count(testSite, "sessions")]).toEqual([false, 0]);
});

test("leaves no session of a sign-in with the old password during a password reset", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await testSite.mailedToken(ana.email, "reset-password");
  const thieves = Array.from({ length: 20 }, () => testSite.browser());
  await Promise.all([
    ana.api.users.resetPassword.mutate({ token, password: "an even better one" }),
    ...thieves.map((thief) => signIn(thief, ana.email).catch(() => undefined)),
  ]);
  expect(count(testSite, "sessions")).toBe(0);
});

test("lists a person's sessions, and ends one of them or all others", async () => {
  const [testSite, phone] = await siteWith("Ana");
  const [laptop, library] = [testSite.browser(), testSite.browser()];
  for (const device of [laptop, library]) await signIn(device, phone.email);
  const { sessions: allSessions } = await phone.api.users.sessions.query();
  expect(allSessions).toHaveLength(3);
  expect(allSessions.filter(({ current }) => current)).toHaveLength(1);
  expect(JSON.stringify(allSessions)).not.toContain(hashSecret(phone.cookie.split("=")[1] ?? ""));
  const { session } = (await library.api.users.me.query()) ?? { session: "" };
  await phone.api.users.revokeSession.mutate({ handle: session });
  expect(await isSignedIn(library)).toBe(false);
  await expectRefusal(phone.api.users.revokeSession.mutate({ handle: session }), "NOT_FOUND");
  const bob = await testSite.createAccount("Bob");
  await expectRefusal(bob.api.users.revokeSession.mutate({ handle: phone.me.session }), "NOT_FOUND");
  await phone.api.users.revokeOtherSessions.mutate();
  expect([await isSignedIn(phone), await isSignedIn(laptop), await isSignedIn(bob)]).toEqual([
    true,
    false,
    true,
  ]);
});

test("refuses passwords, names and addresses that are too short, too long or invalid", async () => {
  await using testSite = await startTestSite();
  const browser = testSite.browser();
  const field = async (change: Record<string, string>, email = "a@example.org") =>
    (await refusal(signUp(browser, email, change))).field;
  expect(await field({ password: "x".repeat(limits.password.min - 1) })).toBe("password");
  expect(await field({ password: "x".repeat(limits.password.max + 1) })).toBe("password");
  expect(await field({ name: "   " })).toBe("name");
  expect(await field({ name: "x".repeat(limits.name.max + 1) })).toBe("name");
  expect(await field({}, "no address")).toBe("email");
  expect(await field({}, `${"x".repeat(limits.email.max)}@example.org`)).toBe("email");
  await signUp(browser, "min@example.org", { password: "zq81kfpw" });
  await signUp(browser, "max@example.org", {
    password: "x".repeat(limits.password.max),
    name: "x".repeat(limits.name.max),
  });
  expect(count(testSite, "users")).toBe(2);
});

test("rate-limits password guesses for one account, and not other accounts", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [ana, bob] = [await testSite.createAccount("Ana"), await testSite.createAccount("Bob")];
  const thief = testSite.browser();
  for (let guess = 0; guess < 10; guess++)
    expect(await refusal(signIn(thief, ana.email, `guess ${guess}`))).toEqual(wrongCredentials);
  const error = await refusal(signIn(thief, ana.email));
  expect(error.code).toBe("TOO_MANY_REQUESTS");
  expect(error.retryAfter).toBeGreaterThan(0);
  expect(error.message).toMatch(/^Too many attempts\. Please try again in \d+ (seconds|minutes)\.$/);
  await expectRefusal(signIn(thief, ana.email.toUpperCase()), "TOO_MANY_REQUESTS");
  await signIn(testSite.browser(), bob.email);
  expect(await isSignedIn(ana)).toBe(true);
});

test("rate-limits changes of visibility, but not saves that leave it as it is", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  for (let index = 0; index < 30; index++) {
    await ana.api.blogs.update.mutate({ id, private: index % 2 === 0 });
    await ana.api.users.updateSettings.mutate({ private: index % 2 === 0 });
  }
  const limitError = { code: "TOO_MANY_REQUESTS" };
  await expectRefusal(ana.api.blogs.update.mutate({ id, draft: true }), limitError);
  await expectRefusal(ana.api.users.updateSettings.mutate({ private: true }), limitError);
  // Saves that leave the visibility as it is do not count.
  await ana.api.blogs.update.mutate({ id, title: "Another", draft: false, private: false });
  await ana.api.users.updateSettings.mutate({ private: false, showFollowers: false });
});

test("rate-limits behind a proxy by the address that the proxy saw, not by the one that the client claims", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on", TRUST_PROXY: "on" });
  const requestReset = (forwarded: string) =>
    fetch(`${testSite.url}/api/v1/forgot-password`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": forwarded },
      body: JSON.stringify({ email: "ana@example.org" }),
    }).then(({ status }) => status);
  for (let index = 0; index < 20; index++)
    expect(await requestReset(`198.51.100.${index}, 203.0.113.9`)).toBe(200);
  expect(await requestReset("198.51.100.99, 203.0.113.9")).toBe(429);
  expect(await requestReset("203.0.113.10")).toBe(200);
});

test("resets the count of failed sign-ins after a success", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const browser = testSite.browser();
  for (let round = 0; round < 3; round++) {
    for (let guess = 0; guess < 9; guess++)
      expect(await refusal(signIn(browser, ana.email, "typo"))).toEqual(wrongCredentials);
    await signIn(browser, ana.email);
  }
});

test("rate-limits writing, comments sooner than other actions", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const bob = await testSite.createAccount("Bob");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  for (let index = 0; index < 30; index++) await bob.api.comments.create.mutate(aComment(blog));
  await expectRefusal(bob.api.comments.create.mutate(aComment(blog)), {
    code: "TOO_MANY_REQUESTS",
    retryAfter: expect.any(Number),
  });
  let liked = true;
  const toggle = () => bob.api.social.likeBlog.mutate({ blogId: blog.id, liked: (liked = !liked) });
  for (let index = 0; index < 240 - 31; index++) await toggle();
  await expectRefusal(toggle(), {
    code: "TOO_MANY_REQUESTS",
    retryAfter: expect.any(Number),
  });
  await ana.api.comments.create.mutate(aComment(blog));
  expect((await bob.api.comments.list.query({ blogId: blog.id })).total).toBe(31);
});

test("deletes everything of a deleted account, and keeps the position of replies by others", async () => {
  const [testSite, , ana, bob] = await siteWith("Administrator", "Ana", "Bob");
  const anasBlog = await ana.api.blogs.create.mutate(aBlog());
  const bobsBlog = await bob.api.blogs.create.mutate(aBlog());
  const createComment = (person: typeof ana, text: string, parentId: string | null = null) =>
    person.api.comments.create.mutate(aComment(bobsBlog, { text, parentId }));
  const answeredComment = await createComment(ana, "answered");
  const ownReply = await createComment(ana, "her own answer", answeredComment.id);
  const reply = await createComment(bob, "his answer", ownReply.id);
  const loneComment = await createComment(ana, "alone");
  const selfAnswered = await createComment(ana, "answered by herself");
  await createComment(ana, "by herself", selfAnswered.id);
  await ana.api.social.likeBlog.mutate({ blogId: bobsBlog.id, liked: true });
  await ana.api.social.saveBlog.mutate({ blogId: bobsBlog.id, saved: true });
  await ana.api.comments.like.mutate({ id: reply.id, liked: true });
  await bob.api.comments.like.mutate({ id: answeredComment.id, liked: true });
  await ana.api.social.follow.mutate({ userId: bob.me.id, follow: true });
  await bob.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const page = followBlog(
    testSite.browser(),
    bobsBlog.id,
    (await bob.api.comments.list.query({ blogId: bobsBlog.id })).cursor,
  );
  const stream = followTopic(ana, "me");
  await Promise.all([page.waitForStart(), stream.waitForStart()]);
  const closeCode = new Promise<number>((resolve) => ana.sockets[0]?.once("close", resolve));

  await ana.api.users.remove.mutate({ password });
  expect(await closeCode).toBe(4401);
  await page.waitFor("comment.deleted");
  const { comments, total } = await bob.api.comments.list.query({ blogId: bobsBlog.id });
  expect(
    comments.map(({ id, deleted, text, author, likesCount }) => [
      id,
      deleted,
      text,
      author?.name ?? null,
      likesCount,
    ]),
  ).toEqual([
    [answeredComment.id, true, "", null, 0],
    [ownReply.id, true, "", null, 0],
    [reply.id, false, "his answer", "Bob", 0],
  ]);
  expect(total).toBe(1);
  const [event] = page.events("comment.deleted");
  expect(event).toMatchObject({
    emptied: expect.arrayContaining([answeredComment.id, ownReply.id]),
    commentsCount: 1,
  });
  expect(event?.commentIds).toContain(loneComment.id);
  const [blog] = (await bob.api.blogs.list.query({})).blogs;
  expect(blog).toMatchObject({ id: bobsBlog.id, likesCount: 0, savesCount: 0, commentsCount: 1 });
  await expectRefusal(bob.api.blogs.bySlug.query({ slug: anasBlog.slug }), "NOT_FOUND");
  expect(await bob.api.users.profile.query({ username: bob.me.username })).toMatchObject({
    followersCount: 0,
    followingCount: 0,
  });
  expect(await isSignedIn(ana)).toBe(false);
  expect(testSite.rows(`select 1 from users where id = '${ana.me.id}'`)).toEqual([]);
  expect(await refusal(signIn(testSite.browser(), ana.email))).toEqual(wrongCredentials);
});

test("deletes expired rows in steps, with other writes in between", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const longAgo = Date.now() - 400 * 24 * 60 * 60 * 1000;
  const countToThousand = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)";
  const inserts = [
    `insert into sessions (hash, handle, user_id, created_at, seen_at, expires_at)
      ${countToThousand} select 's' || i, 'h' || i, '${ana.me.id}', ${longAgo}, ${longAgo}, ${longAgo} from n`,
    `insert into mail_tokens (hash, kind, user_id, expires_at) ${countToThousand} select i, 'reset', '${ana.me.id}', ${longAgo} from n`,
    `insert into users (id, username, email, name, created_at) ${countToThousand} select 'u' || i, 'u' || i, i, 'New', ${longAgo} from n`,
  ];
  await testSite.write(
    async (tx) => void (await Promise.all(inserts.map((statement) => execute(tx, statement)))),
  );
  const { database, sessions: sessionStore } = testSite.app.services;
  for (const [table, sweep] of [
    ["sessions", () => sessionStore.sweep()],
    ["mail_tokens", () => deleteExpiredAccountData(database, Date.now())],
    ["users", () => deleteOldSignUps(database, Date.now())],
  ] as const) {
    const before = count(testSite, table) ?? 0;
    const sweeping = sweep();
    await testSite.write(async () => undefined);
    const remaining = count(testSite, table) ?? 0;
    expect([table, remaining > before - 1_000, remaining < before]).toEqual([table, true, true]);
    await sweeping;
    expect([table, count(testSite, table)]).toEqual([table, before - 1_000]);
  }
});
