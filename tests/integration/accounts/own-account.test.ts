import { expect, test } from "vitest";
import { users } from "../../../src/server/database/schema/profiles.ts";
import { hashSecret } from "../../../src/server/runtime/ids.ts";
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

/* How people change their password, their address and their sessions. */

const newPassword = "an even better one";
const signIn = (testSite: TestSite, email: string, secret: string) =>
  testSite.browser().api.users.signIn.mutate({ email, password: secret });
const openLink = (browser: Browser, token: string) => browser.api.users.followEmailLink.mutate({ token });
const emailOf = async (browser: Browser) => (await browser.api.users.me.query())?.email;
async function otherBrowser(testSite: TestSite, { email }: SignedInBrowser) {
  const browser = testSite.browser();
  await browser.api.users.signIn.mutate({ email, password });
  const page = followTopic(browser, "me");
  await page.waitForStart();
  const closeCode = new Promise<number>((resolve) => browser.sockets[0]?.once("close", resolve));
  return { browser, closeCode };
}

test("a password change requires the current one, and names the field of each error", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const change = (current: string, next: string) =>
    refusal(ana.api.users.changePassword.mutate({ current, password: next }));
  expect(await change("a guess", newPassword)).toMatchObject({
    code: "FORBIDDEN",
    field: "current",
    message: "Wrong password. Please try again.",
  });
  expect(await change(password, "short")).toMatchObject({ code: "BAD_REQUEST", field: "password" });
  expect(await change(password, "password123")).toMatchObject({ code: "BAD_REQUEST", field: "password" });
  expect(await change(password, ana.email)).toMatchObject({ code: "BAD_REQUEST", field: "password" });
  expect(await change(password, password)).toMatchObject({
    field: "password",
    message: "That’s already your password. Please choose another one.",
  });
  await signIn(testSite, ana.email, password);
});

test("a new password ends all other sessions at once, and gives this one another secret", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { browser: phone, closeCode } = await otherBrowser(testSite, ana);
  const tab = testSite.browser(ana.cookie);
  const stream = followTopic(tab, "me");
  await stream.waitForStart();
  const tabCloseCode = new Promise<number>((resolve) => tab.sockets[0]?.once("close", resolve));
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const link = await testSite.mailedToken(ana.email, "reset-password");
  const before = ana.cookie;

  expect(
    await ana.api.users.changePassword.mutate({ current: password, password: newPassword }),
  ).toMatchObject({
    message: "Password changed. You’ve been signed out everywhere else.",
  });
  expect(await closeCode).toBe(4401);
  expect(await phone.api.users.me.query()).toBeNull();
  // A copied secret of this session no longer works; this browser's tabs reconnect with the new one.
  expect(await tabCloseCode).toBe(4401);
  expect(ana.cookie).not.toBe(before);
  expect(await testSite.browser(before).api.users.me.query()).toBeNull();
  expect((await ana.api.users.me.query())?.session).toBe(ana.me.session);
  expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);

  await expectRefusal(signIn(testSite, ana.email, password), "UNAUTHORIZED");
  await signIn(testSite, ana.email, newPassword);
  // An older link would take the password back from its owner.
  await expectRefusal(
    testSite.browser().api.users.resetPassword.mutate({ token: link, password: "a third one, too" }),
    "BAD_REQUEST",
  );
  const mails = await until(async () => {
    const alerts = (await testSite.mailsTo(ana.email)).filter((mail) =>
      mail.includes("Your password was changed"),
    );
    return alerts.length > 0 ? alerts : undefined;
  });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("/undo-access/");
});

test("limits guesses of the password in an open session, and the number of changes", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [ana, bob] = [await testSite.createAccount("Ana"), await testSite.createAccount("Bob")];
  const change = (person: SignedInBrowser, current: string, next: string) =>
    person.api.users.changePassword.mutate({ current, password: next });
  for (let guess = 0; guess < 10; guess++)
    await expectRefusal(change(ana, `guess ${guess}`, newPassword), "FORBIDDEN");
  await expectRefusal(change(ana, password, newPassword), "TOO_MANY_REQUESTS");
  let now = password;
  for (let index = 0; index < 20; index++) await change(bob, now, (now = `a better one ${index}`));
  await expectRefusal(change(bob, now, newPassword), "TOO_MANY_REQUESTS");
});

test("a new address counts once its link is opened, and the old one gets an email", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const changeEmail = (email: string, secret = password) =>
    ana.api.users.changeEmail.mutate({ email, password: secret });
  await expectRefusal(changeEmail("new@example.org", "a guess"), {
    code: "FORBIDDEN",
    field: "password",
  });
  await expectRefusal(changeEmail(ana.email.toUpperCase()), {
    code: "BAD_REQUEST",
    field: "email",
  });
  expect(await changeEmail(" New@Example.org ")).toMatchObject({
    message: "We sent a link to new@example.org. Your address changes when you open it.",
  });
  const first = await testSite.mailedToken("new@example.org", "change-email");
  expect(await emailOf(ana)).toBe(ana.email);
  // Fetching the page changes nothing. Only the last link works, and only for its own purpose.
  expect((await testSite.browser().fetch(`/change-email/${first}`)).status).toBe(200);
  await changeEmail("new@example.org");
  const token = await until(async () => {
    const newest = await testSite.mailedToken("new@example.org", "change-email");
    return newest === first ? undefined : newest;
  });
  await expectRefusal(openLink(ana, first), "BAD_REQUEST");
  await expectRefusal(testSite.browser().api.users.verifyEmail.mutate({ token }), "BAD_REQUEST");

  const page = followTopic(ana, "me");
  await page.waitForStart();
  const { closeCode } = await otherBrowser(testSite, ana);
  // Opened on the phone, where no one is signed in: the session that asked stays.
  expect(await openLink(testSite.browser(), token)).toMatchObject({ title: "Your address is changed" });
  expect(await closeCode).toBe(4401);
  await page.waitFor("viewer.profileChanged");
  expect(await emailOf(ana)).toBe("new@example.org");
  await signIn(testSite, "new@example.org", password);
  await expectRefusal(signIn(testSite, ana.email, password), "UNAUTHORIZED");
  await expectRefusal(openLink(testSite.browser(), token), "BAD_REQUEST");
  await testSite.mailedToken(ana.email, "change-email");
});

test("opening the link in the browser that asked keeps its session, with another secret", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { closeCode } = await otherBrowser(testSite, ana);
  await ana.api.users.changeEmail.mutate({ email: "new@example.org", password });
  const before = ana.cookie;
  await openLink(ana, await testSite.mailedToken("new@example.org", "change-email"));
  expect(await closeCode).toBe(4401);
  expect(await emailOf(ana)).toBe("new@example.org");
  expect(await testSite.browser(before).api.users.me.query()).toBeNull();
});

test("for seven days the old address can undo the change, which ends all sessions and asks for a new password", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const thief = testSite.browser(ana.cookie);
  thief.known = ana.known;
  const change = async (email: string) => {
    await thief.api.users.changeEmail.mutate({ email, password });
    await openLink(thief, await testSite.mailedToken(email, "change-email"));
  };
  await change("thief@example.org");
  const undo = await testSite.mailedToken(ana.email, "change-email");
  await change("thief2@example.org");
  const secondToken = await testSite.mailedToken("thief@example.org", "change-email");
  expect(
    testSite.rows<{ days: number }>(
      `select round((expires_at - ${Date.now()}) / 86400000.0) as days from mail_tokens where kind = 'undo-email'`,
    ),
  ).toEqual([{ days: 7 }, { days: 7 }]);
  expect(await emailOf(thief)).toBe("thief2@example.org");

  expect(await openLink(testSite.browser(), undo)).toMatchObject({ title: "Your address is back" });
  expect(await thief.api.users.me.query()).toBeNull();
  expect(testSite.rows("select 1 from known_browsers")).toEqual([]);
  // The thief's own link to undo does not work any more.
  await expectRefusal(openLink(testSite.browser(), secondToken), "BAD_REQUEST");
  const token = await testSite.mailedToken(ana.email, "reset-password");
  await testSite.browser().api.users.resetPassword.mutate({ token, password: newPassword });
  const { viewer } = await signIn(testSite, ana.email, newPassword);
  expect(viewer.id).toBe(ana.me.id);
});

test("only an email to the address itself shows whether that has an account", async () => {
  const [testSite, ana, bob] = await siteWith("Ana", "Bob");
  const changeEmail = async (email: string) =>
    (await ana.api.users.changeEmail.mutate({ email, password })).message;
  const answers = [await changeEmail(bob.email), await changeEmail("free@example.org")];
  expect(answers[0]?.replace(bob.email, "free@example.org")).toBe(answers[1]);
  await testSite.mailedToken("free@example.org", "change-email");
  const mail = await until(async () =>
    (await testSite.mailsTo(bob.email)).find((one) => one.includes("has an account")),
  );
  expect(mail).not.toContain("/change-email/");
  // Nor does it say who asked.
  expect(mail).not.toMatch(/Ana|ana-/);
});

test("an address goes to its mailbox's owner despite an unconfirmed sign-up, but not if it has an account by then", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const stranger = testSite.browser();
  const signUp = (email: string) =>
    stranger.api.users.signUp.mutate({ name: "Stranger", email, password: "a stranger's one" });
  await signUp("squatted@example.org");
  await ana.api.users.changeEmail.mutate({ email: "squatted@example.org", password });
  await openLink(ana, await testSite.mailedToken("squatted@example.org", "change-email"));
  expect(await emailOf(ana)).toBe("squatted@example.org");

  await ana.api.users.changeEmail.mutate({ email: "late@example.org", password });
  const token = await testSite.mailedToken("late@example.org", "change-email");
  await signUp("late@example.org");
  await stranger.api.users.verifyEmail.mutate({
    token: await testSite.mailedToken("late@example.org", "verify-email"),
  });
  await expectRefusal(openLink(ana, token), {
    code: "CONFLICT",
    message: "Another account uses that address now. Nothing was changed.",
  });
  expect(await emailOf(ana)).toBe("squatted@example.org");
  expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);
});

test("without a password, the old address allows the new one by a link", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await testSite.write(async (tx) => {
    await tx.drizzle.update(users).set({ passwordHash: null });
  });
  expect(await ana.api.users.changeEmail.mutate({ email: "new@example.org" })).toMatchObject({
    message: `We sent a link to ${ana.email}. Open it, and we’ll send one to the new address.`,
  });
  const allowToken = await testSite.mailedToken(ana.email, "change-email");
  expect(await testSite.mailsTo("new@example.org")).toEqual([]);
  expect(await openLink(testSite.browser(), allowToken)).toMatchObject({ title: "One more link" });
  expect(await emailOf(ana)).toBe(ana.email);
  await expectRefusal(openLink(ana, allowToken), "BAD_REQUEST");
  await openLink(testSite.browser(), await testSite.mailedToken("new@example.org", "change-email"));
  expect(await emailOf(ana)).toBe("new@example.org");
  await expectRefusal(ana.api.users.changePassword.mutate({ current: password, password: newPassword }), {
    code: "BAD_REQUEST",
    field: "current",
  });
});

test("limits the emails of address changes, and a new password cancels a pending change", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const changeEmail = (email: string) => ana.api.users.changeEmail.mutate({ email, password });
  for (let index = 0; index < 5; index++) await changeEmail("new@example.org");
  await expectRefusal(changeEmail("new@example.org"), {
    code: "TOO_MANY_REQUESTS",
    field: "email",
  });
  const token = await testSite.mailedToken("new@example.org", "change-email");
  for (let index = 0; index < 13; index++) await changeEmail(`${index}@example.org`);
  await ana.api.users.changePassword.mutate({ current: password, password: newPassword });
  await expectRefusal(
    ana.api.users.changeEmail.mutate({ email: "x@example.org", password: newPassword }),
    "TOO_MANY_REQUESTS",
  );
  await expectRefusal(openLink(ana, token), "BAD_REQUEST");
});

test("publishes changes of a person's sessions to that person only", async () => {
  const [testSite, ana, bob] = await siteWith("Ana", "Bob");
  const [anasStream, bobsStream] = [followTopic(ana, "me"), followTopic(bob, "me")];
  await Promise.all([anasStream.waitForStart(), bobsStream.waitForStart()]);
  const { browser: phone } = await otherBrowser(testSite, ana);
  await anasStream.waitFor("viewer.signInChanged", 1);
  const { sessions } = await ana.api.users.sessions.query();
  expect(sessions).toHaveLength(2);
  const [other] = sessions.filter(({ current }) => !current);
  await ana.api.users.revokeSession.mutate({ handle: other!.handle });
  await anasStream.waitFor("viewer.signInChanged", 2);
  expect(await phone.api.users.me.query()).toBeNull();
  await signIn(testSite, ana.email, password);
  await anasStream.waitFor("viewer.signInChanged", 3);
  await ana.api.users.revokeOtherSessions.mutate();
  await anasStream.waitFor("viewer.signInChanged", 4);
  expect(bobsStream.eventFrames()).toEqual([]);
  expect(
    testSite.rows(`select 1 from sessions where hash = '${hashSecret(ana.cookie.split("=")[1] ?? "")}'`),
  ).toHaveLength(1);
});
