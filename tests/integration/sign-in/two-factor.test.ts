import { TOTP, Secret } from "otpauth";
import { expect, test } from "vitest";
import { authenticators } from "../../../src/server/database/schema/sign-in.ts";
import { turnOffSecondSteps } from "../../../src/server/sign-in/second-step.ts";
import { ApiClient } from "../../support/api-client.ts";
import { reprise } from "../../support/command.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { client, OpenIdProvider } from "../../support/openid.ts";
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

/* The second step at sign-in: codes of an authenticator app, and recovery codes. */

const halfMinute = 30_000;
const codeOf = (secret: string, offset = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset * halfMinute });
/** Forgets the last used code, since the next would be half a minute away. */
const forgetUsedCode = (testSite: TestSite) =>
  testSite.write(async (tx) => {
    await tx.drizzle.update(authenticators).set({ usedStep: 0 });
  });
const signIn = (browser: Browser, email: string, code?: string, secret = password) =>
  browser.api.users.signIn.mutate({ email, password: secret, ...(code === undefined ? {} : { code }) });
const wrongCode = {
  code: "UNAUTHORIZED",
  field: "code",
  message: "That code is wrong or was already used. Enter the current one.",
};
const codeRequired = { code: "FORBIDDEN", field: "code" };

async function withApp(
  testSite: TestSite,
  person: SignedInBrowser,
): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await person.api.users.beginApp.mutate({ password });
  const { codes } = await person.api.users.confirmApp.mutate({ code: codeOf(secret) });
  await forgetUsedCode(testSite);
  return { secret, codes };
}

test("sets up an app by the password and its first code, and then requires its codes", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await expectRefusal(ana.api.users.beginApp.mutate({ password: "a guess" }), {
    code: "FORBIDDEN",
    field: "password",
  });
  await expectRefusal(ana.api.users.confirmApp.mutate({ code: "123456" }), "CONFLICT");
  const { secret, uri } = await ana.api.users.beginApp.mutate({ password });
  expect(uri).toBe(
    `otpauth://totp/Reprise:${encodeURIComponent(ana.email)}?issuer=Reprise&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  // Not before its code was entered: a person who closes the page is not locked out.
  expect(await ana.api.users.access.query()).toMatchObject({ app: false, codesLeft: 0 });
  await signIn(testSite.browser(), ana.email);
  const otherCode = codeOf(secret) === "123456" ? "654321" : "123456";
  await expectRefusal(ana.api.users.confirmApp.mutate({ code: otherCode }), {
    code: "FORBIDDEN",
    field: "code",
  });
  const page = followTopic(ana, "me");
  await page.waitForStart();
  const { codes } = await ana.api.users.confirmApp.mutate({
    code: `${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}`,
  });
  await page.waitFor("viewer.signInChanged");
  expect(new Set(codes).size).toBe(10);
  expect(await ana.api.users.access.query()).toMatchObject({ app: true, codesLeft: 10 });
  await expectRefusal(ana.api.users.beginApp.mutate({ password }), "CONFLICT");
  await expectRefusal(signIn(testSite.browser(), ana.email), codeRequired);
  await until(async () =>
    (await testSite.mailsTo(ana.email)).some((mail) =>
      mail.includes("Two-factor authentication was turned on"),
    ),
  );
  // The database contains none of it in readable form.
  const store = JSON.stringify([
    testSite.rows("select * from authenticators"),
    testSite.rows("select * from recovery_codes"),
  ]);
  for (const one of [secret, ...codes]) expect(store).not.toContain(one);
});

test("accepts a code once, the next one early, and no older one", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { secret } = await withApp(testSite, ana);
  const first = codeOf(secret);
  const { viewer } = await signIn(testSite.browser(), ana.email, first);
  expect(viewer.id).toBe(ana.me.id);
  expect(await refusal(signIn(testSite.browser(), ana.email, first))).toEqual(wrongCode);
  await signIn(testSite.browser(), ana.email, codeOf(secret, 1));
  // A code that another person has seen before is too late.
  expect(await refusal(signIn(testSite.browser(), ana.email, codeOf(secret)))).toEqual(wrongCode);
  await forgetUsedCode(testSite);
  expect(await refusal(signIn(testSite.browser(), ana.email, codeOf(secret, -3)))).toEqual(wrongCode);
  expect(await refusal(signIn(testSite.browser(), ana.email, codeOf(secret, 3)))).toEqual(wrongCode);
  const code = codeOf(secret);
  const results = await Promise.allSettled([
    signIn(testSite.browser(), ana.email, code),
    signIn(testSite.browser(), ana.email, code),
  ]);
  expect(results.map(({ status }) => status).sort((one, other) => one.localeCompare(other))).toEqual([
    "fulfilled",
    "rejected",
  ]);
});

test("reveals a second step only after the right password", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { secret } = await withApp(testSite, ana);
  await expectRefusal(signIn(testSite.browser(), ana.email, codeOf(secret), "a guess"), {
    code: "UNAUTHORIZED",
    field: undefined,
  });
  await signIn(testSite.browser(), ana.email, codeOf(secret));
});

test("accepts each recovery code once, and replaces all by new ones", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { codes } = await withApp(testSite, ana);
  await signIn(testSite.browser(), ana.email, ` ${codes[0]!.toUpperCase().replaceAll("-", " ")} `);
  expect(await refusal(signIn(testSite.browser(), ana.email, codes[0]))).toEqual(wrongCode);
  expect(await ana.api.users.access.query()).toMatchObject({ codesLeft: 9 });
  const bob = await testSite.createAccount("Bob");
  await withApp(testSite, bob);
  expect(await refusal(signIn(testSite.browser(), bob.email, codes[1]))).toEqual(wrongCode);
  await expectRefusal(ana.api.users.renewCodes.mutate({ password: "a guess" }), "FORBIDDEN");
  const { codes: newCodes } = await ana.api.users.renewCodes.mutate({ password });
  expect(await ana.api.users.access.query()).toMatchObject({ codesLeft: 10 });
  expect(await refusal(signIn(testSite.browser(), ana.email, codes[1]))).toEqual(wrongCode);
  await signIn(testSite.browser(), ana.email, newCodes[1]);
});

test("turns the second step off by the password, together with its recovery codes", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await withApp(testSite, ana);
  await expectRefusal(ana.api.users.turnAppOff.mutate({ password: "a guess" }), {
    code: "FORBIDDEN",
    field: "password",
  });
  await expectRefusal(signIn(testSite.browser(), ana.email), codeRequired);
  await ana.api.users.turnAppOff.mutate({ password });
  expect(await ana.api.users.access.query()).toMatchObject({ app: false, codesLeft: 0 });
  await signIn(testSite.browser(), ana.email);
  await expectRefusal(ana.api.users.renewCodes.mutate({ password }), "CONFLICT");
});

test("rate-limits guessed codes, but not the right code of a known browser", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const { secret } = await withApp(testSite, ana);
  for (let guess = 0; guess < 5; guess++)
    expect(await refusal(signIn(testSite.browser(), ana.email, "a wrong code"))).toEqual(wrongCode);
  const thief = testSite.browser();
  await expectRefusal(signIn(thief, ana.email, codeOf(secret)), "TOO_MANY_REQUESTS");
  await signIn(ana, ana.email, codeOf(secret));
  // The stolen cookie of a known browser does not allow endless guesses either.
  thief.known = ana.known;
  for (let guess = 0; guess < 20; guess++) await refusal(signIn(thief, ana.email, "a wrong code"));
  await forgetUsedCode(testSite);
  await expectRefusal(signIn(thief, ana.email, codeOf(secret)), "TOO_MANY_REQUESTS");
});

test("requires the second step after a password reset", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { secret } = await withApp(testSite, ana);
  const browser = testSite.browser();
  await browser.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await testSite.mailedToken(ana.email, "reset-password");
  await browser.api.users.resetPassword.mutate({ token, password: "an even better one" });
  await expectRefusal(signIn(browser, ana.email, undefined, "an even better one"), codeRequired);
  await signIn(browser, ana.email, codeOf(secret), "an even better one");
});

test("refuses an API sign-in with what to do, and accepts the code in a field", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { secret } = await withApp(testSite, ana);
  const api = new ApiClient(testSite);
  const login = { email: ana.email, password, name: "" };
  const answer = await api.call("POST", "/signin", login);
  expect([answer.status, answer.body]).toEqual([
    403,
    {
      success: false,
      field: "code",
      message:
        "This account needs a second step: a code from the authenticator app, or a recovery code. Programs send it as “code” with the password.",
    },
  ]);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await api.call("POST", "/signin", { ...login, code: "000000 1" })).toMatchObject({
    status: 401,
    body: { success: false, message: wrongCode.message },
  });
  const { body } = await api.call("POST", "/signin", { ...login, code: codeOf(secret) });
  expect(body.user.id).toBe(ana.me.id);
});

test("requires the second step after a sign-in with Google", async () => {
  const publicUrl = "http://reprise.test";
  await using google = await OpenIdProvider.start(`${publicUrl}/google/callback`);
  await using testSite = await startTestSite({
    PUBLIC_URL: publicUrl,
    GOOGLE_CLIENT_ID: client.id,
    GOOGLE_CLIENT_SECRET: client.secret,
    GOOGLE_ISSUER: google.issuer,
  });
  const ana = await testSite.createAccount("Ana");
  const { secret } = await withApp(testSite, ana);
  google.people.set("ana", { email: ana.email, email_verified: true, name: "Ana" });
  const start = await fetch(`${testSite.url}/google?next=/my-blogs`, { redirect: "manual" });
  const cookie = start.headers
    .getSetCookie()
    .map((header) => header.split(";")[0])
    .join("; ");
  const callback = new URL(await google.agree(start.headers.get("location") ?? "", "ana", publicUrl));
  const browser = testSite.browser();
  const answer = await browser.fetch(callback.pathname + callback.search, { headers: { cookie } });
  expect(answer.headers.get("location")).toBe("/signin?step=google&next=%2Fmy-blogs");
  expect(await browser.api.users.me.query()).toBeNull();
  expect(testSite.rows("select google_id from users")).toEqual([{ google_id: null }]);
  // No other browser can finish it.
  await expectRefusal(testSite.browser().api.users.finishGoogle.mutate({ code: codeOf(secret) }), {
    code: "UNAUTHORIZED",
    message: "That took too long. Please go back and try again with Google.",
  });
  expect(await refusal(browser.api.users.finishGoogle.mutate({ code: "a wrong code" }))).toEqual(wrongCode);
  const { viewer } = await browser.api.users.finishGoogle.mutate({ code: codeOf(secret) });
  expect(viewer.id).toBe(ana.me.id);
  expect((await browser.api.users.me.query())?.id).toBe(ana.me.id);
  const otherBrowser = testSite.browser();
  otherBrowser.begun = browser.begun;
  await expectRefusal(
    otherBrowser.api.users.finishGoogle.mutate({ code: codeOf(secret, 1) }),
    "UNAUTHORIZED",
  );
});

test("refuses to set up an app for an account without a password", async () => {
  const [testSite, ana] = await siteWith("Ana");
  testSite.rows("select 1");
  await testSite.run("update users set password_hash = null");
  await expectRefusal(ana.api.users.beginApp.mutate({ password }), {
    code: "BAD_REQUEST",
    message: "This account has no password yet. Set one first.",
  });
});

test("turns second steps off at the command line, and notifies the account", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await withApp(testSite, ana);
  const page = followTopic(ana, "me");
  await page.waitForStart();
  const { json } = await reprise(testSite.config.dataDir, ["user", "reset-2fa", ana.me.username, "--json"]);
  expect(json).toEqual({ username: ana.me.username, secondStepsOff: true });
  await page.waitFor("viewer.signInChanged");
  expect(await ana.api.users.access.query()).toMatchObject({
    app: false,
    passkeyStep: false,
    codesLeft: 0,
    passkeys: [],
  });
  await signIn(testSite.browser(), ana.email);
  await until(async () =>
    (await testSite.mailsTo(ana.email)).some((mail) => mail.includes("turned off by an operator")),
  );
  expect(await turnOffSecondSteps(testSite.app.services, "nobody")).toBe(false);
});
