import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { password, refusal, startTown, type Resident, type Town } from "../support/town.ts";

const signUp = (town: Town, name: string, invitation?: string) =>
  town.browser().api.users.signUp.mutate({
    name,
    email: `${name.toLowerCase()}@example.org`,
    password,
    ...(invitation === undefined ? {} : { invitation }),
  });
const codeOf = (address: string) => new URL(address).searchParams.get("invitation") ?? "";
const invite = async (boss: Resident, places: number) =>
  codeOf((await boss.api.moderation.invite.mutate({ places, days: 7 })).address);
const names = (town: Town) =>
  town.rows<{ name: string }>("select name from users order by number").map(({ name }) => name);

test("where joining is by invitation, as many join by a link as it has places, whoever comes at once", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  await boss.api.moderation.setSignUp.mutate({ mode: "invitation" });
  expect(await refusal(signUp(town, "Ana"))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(signUp(town, "Ana", "no such link"))).toMatchObject({ code: "FORBIDDEN" });
  const code = await invite(boss, 2);
  const tries = await Promise.allSettled(["Ana", "Ben", "Cleo"].map((name) => signUp(town, name, code)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(names(town)).toHaveLength(3);
  expect((await boss.api.moderation.signupSettings.query()).invitations).toMatchObject([
    { places: 2, used: 2 },
  ]);
  const other = await invite(boss, 5);
  await boss.api.moderation.withdraw.mutate({ code: other });
  expect(await refusal(signUp(town, "Dora", other))).toMatchObject({ code: "FORBIDDEN" });
});

test("a link whose time is over lets nobody in", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  await boss.api.moderation.setSignUp.mutate({ mode: "invitation" });
  const code = await invite(boss, 5);
  await town.write(async (tx) => void (await tx.drizzle.run("update invitations set expires_at = 1")));
  expect(await refusal(signUp(town, "Ana", code))).toMatchObject({ code: "FORBIDDEN" });
});

test("a closed site says so to everybody alike, whether the address has an account or not, and over the API", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const ana = await town.resident("Ana");
  await boss.api.moderation.setSignUp.mutate({ mode: "closed" });
  const asStranger = await refusal(signUp(town, "Ben"));
  const again = town.browser().api.users.signUp.mutate({ name: "Ana", email: ana.email, password });
  expect(await refusal(again)).toEqual(asStranger);
  expect(asStranger).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("isn’t accepting new accounts"),
  });
  const body = { name: "Ben", email: "ben@example.org", password };
  expect(await new ApiClient(town).call("POST", "/signup", body)).toMatchObject({
    status: 403,
    body: { success: false, message: asStranger.message },
  });
  expect(names(town)).toEqual(["Boss", "Ana"]);
  expect((await town.browser().api.users.site.query()).signUp).toBe("closed");
});

test("the page that a guest has from memory says at once that the site was closed", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const page = async () => (await fetch(`${town.url}/signup`)).text();
  expect(await page()).toContain("At least 8 characters.");
  await page();
  await boss.api.moderation.setSignUp.mutate({ mode: "closed" });
  expect(await page()).toContain("isn’t accepting new accounts");
});

test("the first account of a site is let in, whatever a store that was emptied says", async () => {
  await using town = await startTown();
  await town.write(
    async (tx) => void (await tx.drizzle.run("insert into meta (key, value) values ('sign_up', 'closed')")),
  );
  await signUp(town, "Ana");
  expect(names(town)).toEqual(["Ana"]);
});
