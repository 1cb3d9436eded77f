import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { ApiClient } from "../../support/api-client.ts";
import { staffLimits } from "../../../src/shared/staff-limits.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { forThisTest, siteWith } from "../../support/site-with.ts";
import {
  followTopic,
  password,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Moderators approve new accounts; sign-ups from blocked domains and networks are refused. */

async function startApprovalSite(settings: Record<string, string> = {}) {
  const testSite = forThisTest(await startTestSite(settings));
  const [boss, mona] = [await testSite.createAccount("Boss"), await testSite.createAccount("Mona")];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  await boss.api.administration.setSignUp.mutate({ mode: "approval" });
  await boss.api.administration.setQuestion.mutate({ question: "Which owl is yours?" });
  return { testSite, boss, mona };
}
const emailOf = (name: string) => `${name.toLowerCase()}@example.org`;
const signUp = (testSite: TestSite, name: string, more: object = {}) =>
  testSite.browser().api.users.signUp.mutate({ name, email: emailOf(name), password, ...more });
async function apply(testSite: TestSite, name: string, answer = "The barn owl.") {
  await signUp(testSite, name, { answer });
  const token = await testSite.mailedToken(emailOf(name), "verify-email");
  return testSite.browser().api.users.verifyEmail.mutate({ token });
}
const signIn = (testSite: TestSite, name: string) =>
  testSite.browser().api.users.signIn.mutate({ email: emailOf(name), password });
const queueOf = async (person: SignedInBrowser) =>
  (await person.api.moderation.signupRequests.query({})).people;
const actsOf = async (person: SignedInBrowser) =>
  (await person.api.moderation.log.query({})).entries.map(
    ({ actor, act, name }) => `${actor} ${act} ${name}`,
  );

test("keeps a new account hidden and pending until a moderator approves it, then emails it", async () => {
  const { testSite, boss, mona } = await startApprovalSite();
  expect(await testSite.browser().api.users.site.query()).toMatchObject({
    signUp: "approval",
    question: "Which owl is yours?",
  });
  const stream = followTopic(mona, "me");
  await stream.waitForStart();
  await signUp(testSite, "Ana", { answer: "The barn owl." });
  expect(await queueOf(mona)).toEqual([]);
  await expectRefusal(signIn(testSite, "Ana"), {
    code: "FORBIDDEN",
    message: expect.stringContaining("confirm"),
  });
  const token = await testSite.mailedToken(emailOf("Ana"), "verify-email");
  expect(await testSite.browser().api.users.verifyEmail.mutate({ token })).toMatchObject({
    waits: true,
    message: expect.stringContaining("moderators"),
  });
  await stream.waitFor("viewer.reportsChanged");
  stream.stop();
  expect(await queueOf(mona)).toMatchObject([{ name: "Ana", answer: "The barn owl.", email: null }]);
  const [one] = await queueOf(boss);
  expect(one).toMatchObject({ email: emailOf("Ana"), byGoogle: false });
  expect((await mona.api.moderation.people.query({ query: "ana" })).people).toMatchObject([
    { name: "Ana", verified: false, isPending: true },
  ]);
  await expectRefusal(signIn(testSite, "Ana"), {
    code: "FORBIDDEN",
    message: expect.stringContaining("haven’t approved your account yet"),
  });
  const wrongSignIn = testSite
    .browser()
    .api.users.signIn.mutate({ email: emailOf("Ana"), password: "not the one" });
  await expectRefusal(wrongSignIn, "UNAUTHORIZED");
  expect((await mona.api.users.search.query({ query: "ana" })).people).toEqual([]);
  await expectRefusal(mona.api.users.profile.query({ username: "ana" }), "NOT_FOUND");
  await mona.api.moderation.approveSignup.mutate({ userId: one!.id });
  expect((await signIn(testSite, "Ana")).viewer.name).toBe("Ana");
  expect(await queueOf(mona)).toEqual([]);
  await until(
    async () =>
      (await testSite.mailsTo(emailOf("Ana"))).some((mail) => mail.includes("Your account is approved")),
    "the mail",
  );
  await expectRefusal(boss.api.moderation.approveSignup.mutate({ userId: one!.id }), "CONFLICT");
  expect(await actsOf(boss)).toContain(`${mona.me.username} approve ana`);
});

test("emails the reason of a rejected sign-up and deletes the account", async () => {
  const { testSite, mona } = await startApprovalSite();
  await apply(testSite, "Eve", "Buy owls at spam.example!");
  const [one] = await queueOf(mona);
  await mona.api.moderation.rejectSignup.mutate({ userId: one!.id, reason: "We buy no owls." });
  await until(
    async () => (await testSite.mailsTo(emailOf("Eve"))).some((mail) => mail.includes("We buy no owls.")),
    "the mail",
  );
  expect(testSite.rows("select name from users where name = 'Eve'")).toEqual([]);
  await expectRefusal(signIn(testSite, "Eve"), "UNAUTHORIZED");
});

test("refuses a moderator's rejection of a pending account that is another moderator's", async () => {
  const { testSite, boss, mona } = await startApprovalSite();
  await apply(testSite, "Eve");
  const [one] = await queueOf(mona);
  await boss.api.moderation.makeModerator.mutate({ userId: one!.id, moderator: true });
  const reject = { userId: one!.id, reason: "No." };
  await expectRefusal(mona.api.moderation.rejectSignup.mutate(reject), "FORBIDDEN");
  expect(await queueOf(mona)).toHaveLength(1);
  await boss.api.moderation.rejectSignup.mutate(reject);
  expect(testSite.rows("select name from users where name = 'Eve'")).toEqual([]);
});

test("keeps an account pending after a password reset or another sign-up", async () => {
  const { testSite, mona } = await startApprovalSite();
  await apply(testSite, "Ana");
  const before = await testSite.mailsTo(emailOf("Ana"));
  expect((await signUp(testSite, "Ana", { answer: "Another." })).message).toContain("check your email");
  await until(async () => (await testSite.mailsTo(emailOf("Ana"))).length > before.length, "a mail");
  expect((await testSite.mailsTo(emailOf("Ana"))).at(-1)).toMatch(/is waiting for approval/);
  const api = testSite.browser().api.users;
  await api.forgotPassword.mutate({ email: emailOf("Ana") });
  await api.resetPassword.mutate({
    token: await testSite.mailedToken(emailOf("Ana"), "reset-password"),
    password,
  });
  await expectRefusal(signIn(testSite, "Ana"), {
    message: expect.stringContaining("haven’t approved your account"),
  });
  // Confirmed by the link of a password reset instead of the sign-up's.
  await signUp(testSite, "Ben", { answer: "The tawny." });
  await api.forgotPassword.mutate({ email: emailOf("Ben") });
  await api.resetPassword.mutate({
    token: await testSite.mailedToken(emailOf("Ben"), "reset-password"),
    password,
  });
  await expectRefusal(signIn(testSite, "Ben"), {
    message: expect.stringContaining("haven’t approved your account"),
  });
  expect((await queueOf(mona)).map(({ name, answer }) => [name, answer])).toEqual([
    ["Ana", "The barn owl."],
    ["Ben", "The tawny."],
  ]);
});

test("approves a sign-up by invitation at once, and queues one over the API", async () => {
  const { testSite, boss, mona } = await startApprovalSite();
  const { address } = await boss.api.administration.invite.mutate({ places: 1, days: 1 });
  await signUp(testSite, "Cem", { invitation: new URL(address).searchParams.get("invitation") });
  const token = await testSite.mailedToken(emailOf("Cem"), "verify-email");
  expect(await testSite.browser().api.users.verifyEmail.mutate({ token })).toMatchObject({ waits: false });
  const body = { name: "Dora", email: emailOf("Dora"), password };
  expect((await new ApiClient(testSite).call("POST", "/signup", body)).status).toBe(200);
  const link = await testSite.mailedToken(emailOf("Dora"), "verify-email");
  expect((await new ApiClient(testSite).call("GET", `/verify-email/${link}`)).body).toEqual({
    success: true,
    message: expect.stringContaining("moderators"),
  });
  expect(await queueOf(mona)).toMatchObject([{ name: "Dora", answer: "" }]);
});

test("limits pending accounts, and accepts a refused link again later", async () => {
  const { testSite } = await startApprovalSite();
  await testSite.write(async (tx) => {
    for (let count = 0; count < staffLimits.signupRequests.most; count++) {
      await execute(
        tx,
        `insert into users (id, username, email, name, created_at) values ('u${count}', 'u${count}', 'u${count}@example.net', 'U', 1)`,
      );
      await execute(tx, `insert into signup_requests values ('u${count}', '', 1)`);
    }
  });
  await signUp(testSite, "Ana", { answer: "Mine." });
  const token = await testSite.mailedToken(emailOf("Ana"), "verify-email");
  const verify = () => testSite.browser().api.users.verifyEmail.mutate({ token });
  await expectRefusal(verify(), "TOO_MANY_REQUESTS");
  await testSite.run("delete from users where id = 'u0'");
  expect(await verify()).toMatchObject({ waits: true });
});

test("refuses sign-ups and changes to addresses of a blocked email domain and its subdomains", async () => {
  const [testSite, boss] = await siteWith("Boss");
  const block = (value: string, blocked = true) =>
    boss.api.administration.setSignupBlock.mutate({ value, blocked });
  const ana = await testSite.createAccount("Ana");
  await block("@Example.ORG");
  const blockedError = await refusal(signUp(testSite, "Ben"));
  expect(blockedError).toMatchObject({ code: "FORBIDDEN", field: "email" });
  expect(
    await refusal(testSite.browser().api.users.signUp.mutate({ name: "Ana", email: ana.email, password })),
  ).toEqual(blockedError);
  expect(await refusal(signUp(testSite, "Ben", { email: "ben@mail.example.org" }))).toEqual(blockedError);
  await signUp(testSite, "Ben", { email: "ben@notexample.org" });
  await expectRefusal(ana.api.users.changeEmail.mutate({ email: "new@sub.example.org", password }), {
    code: "FORBIDDEN",
    field: "email",
  });
  expect((await boss.api.administration.signupSettings.query()).blocks).toEqual(["example.org"]);
  await block("example.org", false);
  await signUp(testSite, "Ben");
  // One domain and one network in several spellings.
  await block("Müller.Example");
  await block("xn--mller-kva.example");
  await block("::ffff:203.0.113.0/120");
  await block("203.0.113.0/24");
  await block("203.0.113.77/24");
  await block("2001:DB8:0:0::/32");
  await block("2001:db8:ffff::1/32");
  expect((await boss.api.administration.signupSettings.query()).blocks).toEqual([
    "xn--mller-kva.example",
    "2001:db8::/32",
    "203.0.113.0/24",
  ]);
  expect(await refusal(signUp(testSite, "Cy", { email: "cy@xn--mller-kva.example" }))).toEqual(blockedError);
  for (const value of ["müller.example", "2001:db8::/32", "203.0.113.0/24"]) await block(value, false);
  expect((await boss.api.administration.signupSettings.query()).blocks).toEqual([]);
  for (const invalid of [
    "org",
    "not a domain",
    "10.0.0.0/4",
    "1.2.3.4/33",
    "::/8",
    "1.2.3.4/8/8",
    "fe80::1%eth0",
  ])
    expect(await refusal(block(invalid)), invalid).toMatchObject({ code: "BAD_REQUEST", field: "value" });
  expect((await actsOf(boss)).slice(-2)).toEqual([
    `${boss.me.username} unblock-sign-ups example.org`,
    `${boss.me.username} block-sign-ups example.org`,
  ]);
});

test.each([
  ["127.0.0.0/8", "127.0.0.1", true],
  ["203.0.113.7", "203.0.113.7", true],
  ["203.0.113.7", "203.0.113.8", false],
  ["203.0.113.0/24", "::ffff:203.0.113.9", true],
  ["2001:db8::/32", "2001:db8:1::5", true],
  ["2001:db8::/32", "2001:db9::5", false],
])("with %s blocked, a sign-up from %s is refused: %s", async (network, from, isRefused) => {
  await using testSite = await startTestSite({ TRUST_PROXY: "on" });
  const boss = await testSite.createAccount("Boss");
  await boss.api.administration.setSignupBlock.mutate({ value: network, blocked: true });
  const body = JSON.stringify({ name: "Ben", email: emailOf("Ben"), password });
  const answer = await fetch(`${testSite.url}/api/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body,
  });
  expect(answer.status).toBe(isRefused ? 403 : 200);
  const { blocks } = await boss.api.administration.signupSettings.query();
  expect(blocks.join(" ")).toContain(network.split("/")[0]);
});
