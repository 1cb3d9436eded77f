import { expect, test } from "vitest";
import { ProofOfWork } from "../../../src/server/auth/proof-of-work.ts";
import { proofOfWork } from "../../../src/shared/proof-of-work.ts";
import { solveTask } from "../../support/browser.ts";
import { password, refusal, startTestSite, type TestSite } from "../../support/test-site.ts";

const settings = { RATE_LIMIT: "on" };
const given = (name: string) => ({ name, email: `${name.toLowerCase()}@example.org`, password });
const taskOf = async (testSite: TestSite): Promise<string> => {
  const { task } = await testSite.browser().api.users.beginSignUp.mutate();
  return task ?? "";
};
const signUp = (testSite: TestSite, name: string, done?: string) =>
  testSite.browser().api.users.signUp.mutate({ ...given(name), work: done });
const asked = { code: "FORBIDDEN", field: "work" };
const byProgram = (testSite: TestSite, name: string) =>
  fetch(`${testSite.url}/api/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(given(name)),
  });

test("requires a solved task for a sign-up in a browser and accepts each solution once", async () => {
  await using testSite = await startTestSite(settings);
  expect(await refusal(signUp(testSite, "Ana"))).toMatchObject(asked);
  const done = solveTask(await taskOf(testSite));
  // A refusal for another reason does not use the solution up.
  const common = testSite
    .browser()
    .api.users.signUp.mutate({ ...given("Ana"), password: "password1", work: done });
  expect(await refusal(common)).toMatchObject({ field: "password" });
  expect(await signUp(testSite, "Ana", done)).toMatchObject({
    message: expect.stringContaining("mail") as string,
  });
  expect(await refusal(signUp(testSite, "Ben", done))).toMatchObject(asked);
  // An email address with an account gets the same answer.
  expect(await refusal(signUp(testSite, "Ana"))).toMatchObject(asked);
});

test("rejects wrong solutions and tasks of another server or long ago", () => {
  const [tasks, others] = [new ProofOfWork(), new ProofOfWork()];
  const now = Date.now();
  const right = solveTask(tasks.issue(now));
  const [task = "", ...found] = right.split(":");
  const wrong = [
    "",
    task,
    `${task}:${found.slice(1).join(":")}`,
    `${task}:${found.join(":")}:0`,
    `${task}:${found.map(() => "0").join(":")}`,
    `${task}:${found.map(() => "-1").join(":")}`,
    `${(now + 1).toString(36)}${right.slice(right.indexOf("."))}`,
    solveTask(others.issue(now)),
  ];
  for (const done of wrong) expect(tasks.redeem(done, now), done).toBe(false);
  expect(tasks.redeem(right, now + proofOfWork.takes + 1)).toBe(false);
  expect(tasks.redeem(right, now + proofOfWork.takes)).toBe(true);
  expect(tasks.redeem(right, now)).toBe(false);
});

test("lets programs sign up without a task unless administrators forbid it, and can turn tasks off", async () => {
  await using testSite = await startTestSite(settings);
  const boss = await testSite.createAccount("Boss");
  expect((await byProgram(testSite, "Ana")).status).toBe(200);
  await boss.api.administration.setSite.mutate({ signUpWork: "only" });
  const shut = await byProgram(testSite, "Ben");
  expect([shut.status, await shut.json()]).toMatchObject([
    403,
    { message: expect.stringContaining("on the site itself") as string },
  ]);
  await signUp(testSite, "Ben", solveTask(await taskOf(testSite)));
  await boss.api.administration.setSite.mutate({ signUpWork: "off" });
  expect(await taskOf(testSite)).toBe("");
  await signUp(testSite, "Cleo");
  expect((await byProgram(testSite, "Dara")).status).toBe(200);
});
