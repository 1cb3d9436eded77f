import { expect, test } from "vitest";
import { Tasks } from "../../src/server/auth/work.ts";
import { work } from "../../src/shared/work.ts";
import { doTask } from "../support/browser.ts";
import { password, refusal, startTown, type Town } from "../support/town.ts";

const settings = { RATE_LIMIT: "on" };
const given = (name: string) => ({ name, email: `${name.toLowerCase()}@example.org`, password });
const taskOf = async (town: Town): Promise<string> => {
  const { task } = await town.browser().api.users.beginSignUp.mutate();
  return task ?? "";
};
const signUp = (town: Town, name: string, done?: string) =>
  town.browser().api.users.signUp.mutate({ ...given(name), work: done });
const asked = { code: "FORBIDDEN", field: "work" };
const byProgram = (town: Town, name: string) =>
  fetch(`${town.url}/api/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(given(name)),
  });

test("a browser signs up with its task done, which counts once, and for what costs something alone", async () => {
  await using town = await startTown(settings);
  expect(await refusal(signUp(town, "Ana"))).toMatchObject(asked);
  const done = doTask(await taskOf(town));
  // What is refused for another reason uses nothing up.
  const common = town
    .browser()
    .api.users.signUp.mutate({ ...given("Ana"), password: "password1", work: done });
  expect(await refusal(common)).toMatchObject({ field: "password" });
  expect(await signUp(town, "Ana", done)).toMatchObject({
    message: expect.stringContaining("mail") as string,
  });
  expect(await refusal(signUp(town, "Ben", done))).toMatchObject(asked);
  // Whose address has an account already is asked just the same.
  expect(await refusal(signUp(town, "Ana"))).toMatchObject(asked);
});

test("what was not found, and tasks of another's or of long ago, are none", () => {
  const [tasks, others] = [new Tasks(), new Tasks()];
  const now = Date.now();
  const right = doTask(tasks.give(now));
  const [task = "", ...found] = right.split(":");
  const wrong = [
    "",
    task,
    `${task}:${found.slice(1).join(":")}`,
    `${task}:${found.join(":")}:0`,
    `${task}:${found.map(() => "0").join(":")}`,
    `${task}:${found.map(() => "-1").join(":")}`,
    `${(now + 1).toString(36)}${right.slice(right.indexOf("."))}`,
    doTask(others.give(now)),
  ];
  for (const done of wrong) expect(tasks.take(done, now), done).toBe(false);
  expect(tasks.take(right, now + work.takes + 1)).toBe(false);
  expect(tasks.take(right, now + work.takes)).toBe(true);
  expect(tasks.take(right, now)).toBe(false);
});

test("programs sign up as before, unless administrators keep them outside; and nobody is asked where they say so", async () => {
  await using town = await startTown(settings);
  const boss = await town.resident("Boss");
  expect((await byProgram(town, "Ana")).status).toBe(200);
  await boss.api.moderation.setSite.mutate({ signUpWork: "only" });
  const shut = await byProgram(town, "Ben");
  expect([shut.status, await shut.json()]).toMatchObject([
    403,
    { message: expect.stringContaining("on the site itself") as string },
  ]);
  await signUp(town, "Ben", doTask(await taskOf(town)));
  await boss.api.moderation.setSite.mutate({ signUpWork: "off" });
  expect(await taskOf(town)).toBe("");
  await signUp(town, "Cleo");
  expect((await byProgram(town, "Dara")).status).toBe(200);
});
