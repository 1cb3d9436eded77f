import { expect, test } from "vitest";
import { siteSecretKey } from "../../../src/server/database/site-secret.ts";
import { proofOfWork } from "../../../src/shared/proof-of-work.ts";
import { solveTask } from "../../support/browser.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { password, startTestSite, type TestSite } from "../../support/test-site.ts";

const settings = { RATE_LIMIT: "on" };
const inputFor = (name: string) => ({ name, email: `${name.toLowerCase()}@example.org`, password });
const taskOf = async (testSite: TestSite): Promise<string> => {
  const { task } = await testSite.browser().api.users.beginSignUp.mutate();
  return task ?? "";
};
const signUp = (testSite: TestSite, name: string, work?: string) =>
  testSite.browser().api.users.signUp.mutate({ ...inputFor(name), work });
const workRequired = { code: "FORBIDDEN", field: "work" };
const signUpOverRest = (testSite: TestSite, name: string) =>
  fetch(`${testSite.url}/api/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(inputFor(name)),
  });

test("requires a solved task for a sign-up in a browser and accepts each solution once", async () => {
  await using testSite = await startTestSite(settings);
  await expectRefusal(signUp(testSite, "Ana"), workRequired);
  const solution = solveTask(await taskOf(testSite));
  // A refusal for another reason does not use the solution up.
  const common = testSite
    .browser()
    .api.users.signUp.mutate({ ...inputFor("Ana"), password: "password1", work: solution });
  await expectRefusal(common, { field: "password" });
  expect(await signUp(testSite, "Ana", solution)).toMatchObject({
    message: expect.stringContaining("mail") as string,
  });
  await expectRefusal(signUp(testSite, "Ben", solution), workRequired);
  // An email address with an account gets the same answer.
  await expectRefusal(signUp(testSite, "Ana"), workRequired);
});

test("rejects wrong solutions and tasks of another site or long ago", async () => {
  await using testSite = await startTestSite();
  const tasks = testSite.app.services.proofOfWork;
  const now = Date.now();
  const solution = solveTask(await tasks.issue(now));
  const [task = "", ...numbers] = solution.split(":");
  const invalidSolutions = [
    "",
    task,
    `${task}:${numbers.slice(1).join(":")}`,
    `${task}:${numbers.join(":")}:0`,
    `${task}:${numbers.map(() => "0").join(":")}`,
    `${task}:${numbers.map(() => "-1").join(":")}`,
    `${(now + 1).toString(36)}${solution.slice(solution.indexOf("."))}`,
  ];
  for (const invalid of invalidSolutions) expect(await tasks.redeem(invalid, now), invalid).toBe(false);
  expect(await tasks.redeem(solution, now + proofOfWork.takes + 1)).toBe(false);
  expect(await tasks.redeem(solution, now + proofOfWork.takes)).toBe(true);
  expect(await tasks.redeem(solution, now)).toBe(false);
  const ofAnotherSite = solveTask(await tasks.issue(now));
  await testSite.run(`update meta set value = 'of another site' where key = '${siteSecretKey}'`);
  expect(await tasks.redeem(ofAnotherSite, now)).toBe(false);
});

test("lets programs sign up without a task unless administrators forbid it, and can turn tasks off", async () => {
  await using testSite = await startTestSite(settings);
  const boss = await testSite.createAccount("Boss");
  expect((await signUpOverRest(testSite, "Ana")).status).toBe(200);
  await boss.api.administration.setSite.mutate({ signUpWork: "only" });
  const refused = await signUpOverRest(testSite, "Ben");
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { message: expect.stringContaining("on the site itself") as string },
  ]);
  await signUp(testSite, "Ben", solveTask(await taskOf(testSite)));
  await boss.api.administration.setSite.mutate({ signUpWork: "off" });
  expect(await taskOf(testSite)).toBe("");
  await signUp(testSite, "Cleo");
  expect((await signUpOverRest(testSite, "Dara")).status).toBe(200);
});
