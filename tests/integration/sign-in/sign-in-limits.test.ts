import { expect, test } from "vitest";
import { hashSecret } from "../../../src/server/runtime/ids.ts";
import { setSiteSetting } from "../../../src/server/site/queries.ts";
import { deleteExpiredAccountData } from "../../../src/server/accounts/housekeeping.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  password,
  refusal,
  startTestSite,
  until,
  type Browser,
  type TestSite,
} from "../../support/test-site.ts";

/* Who can sign in while others guess. Behind a proxy, so that people have addresses of their own. */

const wrongCredentials = { code: "UNAUTHORIZED", message: "That email address and password don’t match." };
const limitError = { code: "TOO_MANY_REQUESTS" };
const settings = { RATE_LIMIT: "on", TRUST_PROXY: "on" };

const signInFrom = (address: string, browser: Browser, email: string, secret = password) =>
  callFrom(address, browser, "signIn", { email, password: secret });

async function callFrom(address: string, browser: Browser, procedure: string, input: object): Promise<void> {
  const response = await browser.fetch(`/trpc/users.${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { error?: { message: string; data: object } };
  if (answer.error) throw Object.assign(new Error(answer.error.message), { data: answer.error.data });
}

/** Tries a wrong password from an address for each of these accounts. */
async function guessPasswords(testSite: TestSite, address: string, emails: string[]): Promise<void> {
  const thief = testSite.browser();
  for (const email of emails)
    expect(await refusal(signInFrom(address, thief, email, "a guess"))).toEqual(wrongCredentials);
}
const times = <T>(count: number, value: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => value(index));
const knownBrowserCount = (testSite: TestSite) =>
  testSite.rows<{ user_id: string }>("select user_id from known_browsers").length;

/** Turns off the proof of work of sign-ups, whose number is tested here. */
const disableSignUpWork = (testSite: TestSite) =>
  testSite.write((tx) => setSiteSetting(tx, "signUpWork", "off"));

test("wrong passwords lock out only their own address, and only for that account", async () => {
  await using testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  await guessPasswords(
    testSite,
    "203.0.113.1",
    times(10, () => ana.email),
  );
  await expectRefusal(signInFrom("203.0.113.1", testSite.browser(), ana.email), limitError);
  await expectRefusal(signInFrom("203.0.113.1", testSite.browser(), ana.email.toUpperCase()), limitError);
  const answer = await testSite.browser().fetch("/trpc/users.signIn", {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.1" },
    body: JSON.stringify({ email: ana.email, password }),
  });
  const { error } = (await answer.json()) as { error: { data: { retryAfter: number } } };
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, String(error.data.retryAfter)]);
  // From another address, with nothing but the password.
  await signInFrom("203.0.113.2", testSite.browser(), ana.email);
  // From the same address, into another account.
  await signInFrom("203.0.113.1", testSite.browser(), (await testSite.createAccount("Bob")).email);
});

test("counts an IPv6 network as one address", async () => {
  await using testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  for (let index = 1; index <= 10; index++)
    await guessPasswords(testSite, `2001:db8:1:2::${index}`, [ana.email]);
  await expectRefusal(signInFrom("2001:db8:1:2:ffff::9", testSite.browser(), ana.email), limitError);
  await signInFrom("2001:db8:1:3::1", testSite.browser(), ana.email);
});

test("a browser that signed in before can do so at an address that is locked out", async () => {
  await using testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  await ana.api.users.signOut.mutate();
  await guessPasswords(
    testSite,
    "203.0.113.1",
    times(50, (index) => `${index}@example.org`),
  );
  await expectRefusal(signInFrom("203.0.113.1", testSite.browser(), ana.email), limitError);
  await signInFrom("203.0.113.1", ana, ana.email);
  // That does not clear the address's wrong passwords.
  await expectRefusal(signInFrom("203.0.113.1", testSite.browser(), ana.email), limitError);
});

test("a browser known to one account is unknown to the others", async () => {
  await using testSite = await startTestSite(settings);
  const [ana, bob] = [await testSite.createAccount("Ana"), await testSite.createAccount("Bob")];
  await guessPasswords(
    testSite,
    "203.0.113.1",
    times(10, () => bob.email),
  );
  await expectRefusal(signInFrom("203.0.113.1", ana, bob.email), limitError);
  // A browser that both use is known to each.
  await signInFrom("203.0.113.2", ana, bob.email);
  await signInFrom("203.0.113.1", ana, bob.email);
  await guessPasswords(
    testSite,
    "203.0.113.1",
    times(10, () => ana.email),
  );
  await signInFrom("203.0.113.1", ana, ana.email);
});

test("limits guesses with the cookie of a known browser", async () => {
  await using testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  const thief = testSite.browser();
  thief.known = ana.known;
  for (let index = 0; index < 20; index++)
    expect(await refusal(signInFrom(`203.0.113.${index}`, thief, ana.email, "a guess"))).toEqual(
      wrongCredentials,
    );
  await expectRefusal(signInFrom("203.0.113.99", thief, ana.email), limitError);
  // Another browser is not held up by it.
  await signInFrom("203.0.113.98", testSite.browser(), ana.email);
});

test("a person who resets the password can sign in with that browser and at that address", async () => {
  await using testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  const token = async () => {
    await ana.api.users.forgotPassword.mutate({ email: ana.email });
    return testSite.mailedToken(ana.email, "reset-password");
  };
  await guessPasswords(testSite, "203.0.113.1", [
    ...times(10, () => ana.email),
    ...times(40, (index) => `${index}@example.org`),
  ]);
  const phone = testSite.browser();
  // The address has used up its wrong links, too.
  for (let index = 0; index < 50; index++)
    await callFrom("203.0.113.1", phone, "resetPassword", { token: `x${index}`, password }).catch(
      () => undefined,
    );
  await callFrom("203.0.113.1", phone, "resetPassword", {
    token: await token(),
    password: "an even better one",
  });
  await signInFrom("203.0.113.1", phone, ana.email, "an even better one");
  // Another browser at that address can sign in, but within a limit.
  const laptop = testSite.browser();
  for (let index = 0; index < 5; index++)
    expect(await refusal(signInFrom("203.0.113.1", laptop, ana.email, "a typo"))).toEqual(wrongCredentials);
  await signInFrom("203.0.113.1", laptop, ana.email, "an even better one");
  for (let index = 0; index < 20; index++)
    expect(await refusal(signInFrom("203.0.113.1", testSite.browser(), ana.email, "a typo"))).toEqual(
      wrongCredentials,
    );
  await expectRefusal(signInFrom("203.0.113.1", testSite.browser(), ana.email), limitError);
});

test("a new password forgets all known browsers but its own, and so does ending the other sessions", async () => {
  await using testSite = await startTestSite(settings);
  const ana = await testSite.createAccount("Ana");
  const [laptop, library] = [testSite.browser(), testSite.browser()];
  for (const browser of [laptop, library]) await signInFrom("203.0.113.2", browser, ana.email);
  expect(knownBrowserCount(testSite)).toBe(3);
  await ana.api.users.revokeOtherSessions.mutate();
  expect(knownBrowserCount(testSite)).toBe(1);
  await signInFrom("203.0.113.2", laptop, ana.email);
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await testSite.mailedToken(ana.email, "reset-password");
  await laptop.api.users.resetPassword.mutate({ token, password: "an even better one" });
  expect(knownBrowserCount(testSite)).toBe(1);
  await guessPasswords(
    testSite,
    "203.0.113.1",
    times(10, () => ana.email),
  );
  await expectRefusal(signInFrom("203.0.113.1", ana, ana.email, "an even better one"), limitError);
  await signInFrom("203.0.113.1", laptop, ana.email, "an even better one");
});

test("the cookie of a known browser is for this site only, signs no one in, and is stored as a hash", async () => {
  await using testSite = await startTestSite({ PUBLIC_URL: "https://reprise.example" });
  const ana = await testSite.createAccount("Ana");
  const response = await ana.fetch("/trpc/users.signIn", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ana.email, password }),
  });
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith("__Host-browser="));
  expect(cookie).toMatch(
    /^__Host-browser=[\w-]{43}; HttpOnly; Max-Age=31536000; Path=\/; SameSite=Lax; Secure$/,
  );
  const secret = ana.known.split("=")[1] ?? "";
  const stored = JSON.stringify(testSite.rows("select * from known_browsers"));
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(hashSecret(secret));
  const thief = testSite.browser(`__Host-session=${secret}; ${ana.known}`);
  expect(await thief.api.users.me.query()).toBeNull();
});

test("an account knows its 20 newest browsers, no API clients, and each for a year after its last use", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const client = new ApiClient(testSite);
  for (let index = 0; index < 5; index++) {
    const { headers } = await client.call("POST", "/signin", { email: ana.email, password });
    expect(headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["session"]);
  }
  expect(knownBrowserCount(testSite)).toBe(1);
  const page = await client.call("POST", "/signin", { email: ana.email, password }, { origin: testSite.url });
  expect(page.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["session", "browser"]);
  const otherOrigin = { origin: "https://elsewhere.example" };
  await client.call("POST", "/signin", { email: ana.email, password }, otherOrigin);
  expect(knownBrowserCount(testSite)).toBe(2);
  for (let index = 0; index < limits.browser.most; index++)
    await testSite.browser().api.users.signIn.mutate({ email: ana.email, password });
  expect(knownBrowserCount(testSite)).toBe(limits.browser.most);
  await deleteExpiredAccountData(
    testSite.app.services.database,
    Date.now() + limits.browser.keptFor - 60_000,
  );
  expect(knownBrowserCount(testSite)).toBe(limits.browser.most);
  await deleteExpiredAccountData(
    testSite.app.services.database,
    Date.now() + limits.browser.keptFor + 60_000,
  );
  expect(knownBrowserCount(testSite)).toBe(0);
});

test("counts password resets, sign-ups and resent links separately", async () => {
  await using testSite = await startTestSite(settings);
  await disableSignUpWork(testSite);
  const guest = testSite.browser();
  const address = "203.0.113.1";
  const signUpInput = (index: number) => ({ name: "Ana", email: `${index}@example.org`, password });
  const emailInput = (index: number) => ({ email: `${index}@example.org` });
  await testSite.write((tx) => setSiteSetting(tx, "dailySignUps", "3"));
  for (let index = 0; index < 3; index++) await callFrom(address, guest, "signUp", signUpInput(index));
  await expectRefusal(callFrom(address, guest, "signUp", signUpInput(3)), limitError);
  for (let index = 0; index < 20; index++)
    await callFrom(address, guest, "forgotPassword", emailInput(100 + index));
  await expectRefusal(callFrom(address, guest, "forgotPassword", emailInput(120)), limitError);
  for (let index = 0; index < 20; index++)
    await callFrom(address, guest, "resendVerification", emailInput(100 + index));
  await expectRefusal(callFrom(address, guest, "resendVerification", emailInput(120)), limitError);
  await callFrom("203.0.113.2", guest, "forgotPassword", emailInput(0));
});

test("a stranger does not use up the emails that an account's owner can ask for", async () => {
  await using testSite = await startTestSite(settings);
  await disableSignUpWork(testSite);
  const ana = await testSite.createAccount("Ana");
  const stranger = testSite.browser();
  const mails = async (text: string) =>
    (await testSite.mailsTo(ana.email)).filter((mail) => mail.includes(text)).length;
  const signUpInput = { name: "Ana", email: ana.email, password };
  for (let index = 0; index < 10; index++) await callFrom("203.0.113.1", stranger, "signUp", signUpInput);
  for (let index = 0; index < 10; index++)
    await callFrom("203.0.113.1", stranger, "forgotPassword", { email: ana.email });
  await until(async () => (await mails("reset-password")) === 5);
  await callFrom("203.0.113.2", testSite.browser(), "forgotPassword", { email: ana.email });
  await until(async () => (await mails("reset-password")) === 6);
  expect(await mails("You already have an account")).toBe(5);
  // A mailbox has a bound, however many addresses send requests.
  for (let index = 0; index < 30; index++)
    await callFrom(`198.51.100.${index}`, stranger, "forgotPassword", { email: ana.email });
  await until(async () => (await mails("reset-password")) === 20);
});

test("the right password of an unconfirmed account resends the link, and then says that it was sent", async () => {
  await using testSite = await startTestSite(settings);
  await disableSignUpWork(testSite);
  const ana = testSite.browser();
  await callFrom("203.0.113.1", ana, "signUp", { name: "Ana", email: "ana@example.org", password });
  const signIn = () => refusal(signInFrom("203.0.113.1", ana, "ana@example.org"));
  for (let index = 0; index < 4; index++)
    expect((await signIn()).message).toBe(
      "Please confirm your email address first: we’ve sent you the link again.",
    );
  expect((await signIn()).message).toBe(
    "Please confirm your email address first: the link is in the emails we sent you.",
  );
});
