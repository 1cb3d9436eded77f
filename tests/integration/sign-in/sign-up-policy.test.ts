import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  password,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const signUp = (testSite: TestSite, name: string, invitation?: string) =>
  testSite.browser().api.users.signUp.mutate({
    name,
    email: `${name.toLowerCase()}@example.org`,
    password,
    ...(invitation === undefined ? {} : { invitation }),
  });
const codeOf = (address: string) => new URL(address).searchParams.get("invitation") ?? "";
const invite = async (boss: SignedInBrowser, places: number) =>
  codeOf((await boss.api.administration.invite.mutate({ places, days: 7 })).address);
const names = (testSite: TestSite) =>
  testSite.rows<{ name: string }>("select name from users order by seq").map(({ name }) => name);

const confirm = async (testSite: TestSite, name: string) => {
  const token = await testSite.mailedToken(`${name.toLowerCase()}@example.org`, "verify-email");
  return testSite.browser().api.users.verifyEmail.mutate({ token });
};
const stateOf = async (testSite: TestSite, code: string) =>
  (await testSite.browser().api.users.invitation.query({ code })).state;

test("confirms as many concurrent sign-ups by an invitation as it has places, which sign-ups alone take none of", async () => {
  const [testSite, boss] = await siteWith("Boss");
  await boss.api.administration.setSignUp.mutate({ mode: "invitation" });
  await expectRefusal(signUp(testSite, "Ana"), "FORBIDDEN");
  await expectRefusal(signUp(testSite, "Ana", "no such link"), "FORBIDDEN");
  const code = await invite(boss, 2);
  const people = ["Ana", "Ben", "Cleo"];
  const used = async () => (await boss.api.administration.signupSettings.query()).invitations[0]?.used;
  await Promise.all(people.map((name) => signUp(testSite, name, code)));
  expect([await used(), await stateOf(testSite, code)]).toEqual([0, "valid"]);
  const outcomes = await Promise.allSettled(people.map((name) => confirm(testSite, name)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect([await used(), await stateOf(testSite, code)]).toEqual([2, "used"]);
  expect(testSite.rows("select id from users where verified_at is not null")).toHaveLength(3);
  const last = people[outcomes.findIndex(({ status }) => status === "rejected")]!;
  const refused = { code: "FORBIDDEN", message: expect.stringContaining("has already been used") };
  await expectRefusal(confirm(testSite, last), refused);
  await expectRefusal(signUp(testSite, "Dora", code), refused);
  // The emailed link waits for a new invitation: the account is not lost.
  await signUp(testSite, last, await invite(boss, 1));
  await until(
    async () => (await testSite.mailsTo(`${last.toLowerCase()}@example.org`)).length === 2,
    "the link with the new invitation",
  );
  expect(await confirm(testSite, last)).toMatchObject({ waits: false });
  const other = await invite(boss, 5);
  await boss.api.administration.withdraw.mutate({ code: other });
  await expectRefusal(signUp(testSite, "Dora", other), "FORBIDDEN");
});

test("refuses a sign-up by an expired invitation", async () => {
  const [testSite, boss] = await siteWith("Boss");
  await boss.api.administration.setSignUp.mutate({ mode: "invitation" });
  const code = await invite(boss, 5);
  await testSite.run("update invitations set expires_at = 1");
  await expectRefusal(signUp(testSite, "Ana", code), "FORBIDDEN");
  expect(await stateOf(testSite, code)).toBe("expired");
});

test("an invitation that is not valid doesn’t skip the question of a site with approval", async () => {
  const [testSite, boss] = await siteWith("Boss");
  await boss.api.administration.setSignUp.mutate({ mode: "approval" });
  expect(await stateOf(testSite, "anything")).toBe("unknown");
  await expectRefusal(signUp(testSite, "Ana", "anything"), "FORBIDDEN");
  const page = async (query: string) => (await fetch(`${testSite.url}/signup${query}`)).text();
  expect(await page("?invitation=anything")).toContain(">Why would you like to join?<");
  expect(await page("?invitation=anything")).toContain("This invitation isn’t valid.");
  const code = await invite(boss, 1);
  expect(await page(`?invitation=${code}`)).not.toContain(">Why would you like to join?<");
  await signUp(testSite, "Ana", code);
  await signUp(testSite, "Ben", code);
  expect(await confirm(testSite, "Ben")).toMatchObject({ waits: false });
  expect(await page(`?invitation=${code}`)).toContain("This invitation has already been used.");
  // Its place is gone: moderators decide.
  expect(await confirm(testSite, "Ana")).toMatchObject({ waits: true });
});

test("neither an expired link nor a password reset replaces the place of an invitation", async () => {
  const [testSite, boss] = await siteWith("Boss");
  await boss.api.administration.setSignUp.mutate({ mode: "invitation" });
  const code = await invite(boss, 1);
  for (const name of ["Ana", "Ben"]) await signUp(testSite, name, code);
  await confirm(testSite, "Ana");
  await testSite.run("delete from mail_tokens");
  const guest = testSite.browser().api.users;
  const email = "ben@example.org";
  await guest.forgotPassword.mutate({ email });
  const token = await testSite.mailedToken(email, "reset-password");
  await expectRefusal(guest.resetPassword.mutate({ token, password }), "FORBIDDEN");
  const before = (await testSite.mailsTo(email)).length;
  await guest.resendVerification.mutate({ email });
  await until(async () => (await testSite.mailsTo(email)).length > before, "the link");
  await expectRefusal(confirm(testSite, "Ben"), "FORBIDDEN");
});

test("refuses sign-ups on a closed site alike for known and unknown addresses, and over the API", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  await boss.api.administration.setSignUp.mutate({ mode: "closed" });
  const closedError = await refusal(signUp(testSite, "Ben"));
  const secondSignUp = testSite
    .browser()
    .api.users.signUp.mutate({ name: "Ana", email: ana.email, password });
  expect(await refusal(secondSignUp)).toEqual(closedError);
  expect(closedError).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("isn’t accepting new accounts"),
  });
  const body = { name: "Ben", email: "ben@example.org", password };
  expect(await new ApiClient(testSite).call("POST", "/signup", body)).toMatchObject({
    status: 403,
    body: { success: false, message: closedError.message },
  });
  expect(names(testSite)).toEqual(["Boss", "Ana"]);
  expect((await testSite.browser().api.users.site.query()).signUp).toBe("closed");
});

test("shows the closed site at once on a cached sign-up page", async () => {
  const [testSite, boss] = await siteWith("Boss");
  const page = async () => (await fetch(`${testSite.url}/signup`)).text();
  expect(await page()).toContain("At least 8 characters.");
  await page();
  await boss.api.administration.setSignUp.mutate({ mode: "closed" });
  expect(await page()).toContain("isn’t accepting new accounts");
});

test("accepts the first account of a site even when sign-ups are closed", async () => {
  await using testSite = await startTestSite();
  await testSite.run("insert into meta (key, value) values ('sign_up', 'closed')");
  await signUp(testSite, "Ana");
  expect(names(testSite)).toEqual(["Ana"]);
});
