import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import {
  password,
  refusal,
  startTestSite,
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
  testSite.rows<{ name: string }>("select name from users order by number").map(({ name }) => name);

test("allows as many concurrent sign-ups by an invitation as it has places", async () => {
  await using testSite = await startTestSite();
  const boss = await testSite.createAccount("Boss");
  await boss.api.administration.setSignUp.mutate({ mode: "invitation" });
  expect(await refusal(signUp(testSite, "Ana"))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(signUp(testSite, "Ana", "no such link"))).toMatchObject({ code: "FORBIDDEN" });
  const code = await invite(boss, 2);
  const outcomes = await Promise.allSettled(
    ["Ana", "Ben", "Cleo"].map((name) => signUp(testSite, name, code)),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(names(testSite)).toHaveLength(3);
  expect((await boss.api.administration.signupSettings.query()).invitations).toMatchObject([
    { places: 2, used: 2 },
  ]);
  const other = await invite(boss, 5);
  await boss.api.administration.withdraw.mutate({ code: other });
  expect(await refusal(signUp(testSite, "Dora", other))).toMatchObject({ code: "FORBIDDEN" });
});

test("refuses a sign-up by an expired invitation", async () => {
  await using testSite = await startTestSite();
  const boss = await testSite.createAccount("Boss");
  await boss.api.administration.setSignUp.mutate({ mode: "invitation" });
  const code = await invite(boss, 5);
  await testSite.write(async (tx) => void (await tx.drizzle.run("update invitations set expires_at = 1")));
  expect(await refusal(signUp(testSite, "Ana", code))).toMatchObject({ code: "FORBIDDEN" });
});

test("refuses sign-ups on a closed site alike for known and unknown addresses, and over the API", async () => {
  await using testSite = await startTestSite();
  const boss = await testSite.createAccount("Boss");
  const ana = await testSite.createAccount("Ana");
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
  await using testSite = await startTestSite();
  const boss = await testSite.createAccount("Boss");
  const page = async () => (await fetch(`${testSite.url}/signup`)).text();
  expect(await page()).toContain("At least 8 characters.");
  await page();
  await boss.api.administration.setSignUp.mutate({ mode: "closed" });
  expect(await page()).toContain("isn’t accepting new accounts");
});

test("accepts the first account of a site even when sign-ups are closed", async () => {
  await using testSite = await startTestSite();
  await testSite.write(
    async (tx) => void (await tx.drizzle.run("insert into meta (key, value) values ('sign_up', 'closed')")),
  );
  await signUp(testSite, "Ana");
  expect(names(testSite)).toEqual(["Ana"]);
});
