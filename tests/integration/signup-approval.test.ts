import { expect, test } from "vitest";
import { reprise } from "../support/command.ts";
import { ApiClient } from "../support/api-client.ts";
import { staffLimits } from "../../src/shared/staff-limits.ts";
import { listen, password, refusal, startTown, until, type Resident, type Town } from "../support/town.ts";

/* New people wait until moderators let them in; some are refused for where they come from. */

async function guardedTown(settings: Record<string, string> = {}) {
  const town = await startTown(settings);
  const [boss, mona] = [await town.resident("Boss"), await town.resident("Mona")];
  await boss.api.moderation.makeModerator.mutate({ userId: mona.me.id, moderator: true });
  await boss.api.moderation.setSignUp.mutate({ mode: "approval" });
  await boss.api.moderation.setQuestion.mutate({ question: "Which owl is yours?" });
  return { town, boss, mona, [Symbol.asyncDispose]: () => town[Symbol.asyncDispose]() };
}
const emailOf = (name: string) => `${name.toLowerCase()}@example.org`;
const signUp = (town: Town, name: string, more: object = {}) =>
  town.browser().api.users.signUp.mutate({ name, email: emailOf(name), password, ...more });
async function apply(town: Town, name: string, answer = "The barn owl.") {
  await signUp(town, name, { answer });
  const token = await town.mailedToken(emailOf(name), "verify-email");
  return town.browser().api.users.verifyEmail.mutate({ token });
}
const signIn = (town: Town, name: string) =>
  town.browser().api.users.signIn.mutate({ email: emailOf(name), password });
const queueOf = async (who: Resident) => (await who.api.moderation.signupRequests.query({})).people;
const actsOf = async (who: Resident) =>
  (await who.api.moderation.log.query({})).entries.map(({ actor, act, name }) => `${actor} ${act} ${name}`);

test("whoever signs up is asked, confirms, waits where nobody finds them, and is let in by a moderator and a mail", async () => {
  await using site = await guardedTown();
  const { town, boss, mona } = site;
  expect(await town.browser().api.users.site.query()).toMatchObject({
    signUp: "approval",
    question: "Which owl is yours?",
  });
  const heard = listen(mona, "me");
  await heard.live();
  await signUp(town, "Ana", { answer: "The barn owl." });
  expect(await queueOf(mona)).toEqual([]);
  expect(await refusal(signIn(town, "Ana"))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("confirm"),
  });
  const token = await town.mailedToken(emailOf("Ana"), "verify-email");
  expect(await town.browser().api.users.verifyEmail.mutate({ token })).toMatchObject({
    waits: true,
    message: expect.stringContaining("moderators"),
  });
  await heard.heard("viewer.reportsChanged");
  heard.stop();
  expect(await queueOf(mona)).toMatchObject([{ name: "Ana", answer: "The barn owl.", email: null }]);
  const [one] = await queueOf(boss);
  expect(one).toMatchObject({ email: emailOf("Ana"), byGoogle: false });
  expect((await mona.api.moderation.people.query({ query: "ana" })).people).toMatchObject([
    { name: "Ana", verified: false, isPending: true },
  ]);
  expect(await refusal(signIn(town, "Ana"))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("haven’t approved your account yet"),
  });
  const wrong = town.browser().api.users.signIn.mutate({ email: emailOf("Ana"), password: "not the one" });
  expect(await refusal(wrong)).toMatchObject({ code: "UNAUTHORIZED" });
  expect((await mona.api.users.search.query({ query: "ana" })).people).toEqual([]);
  expect(await refusal(mona.api.users.profile.query({ username: "ana" }))).toMatchObject({
    code: "NOT_FOUND",
  });
  await mona.api.moderation.approveSignup.mutate({ userId: one!.id });
  expect((await signIn(town, "Ana")).viewer.name).toBe("Ana");
  expect(await queueOf(mona)).toEqual([]);
  await until(
    async () =>
      (await town.mailsTo(emailOf("Ana"))).some((mail) => mail.includes("Your account is approved")),
    "the mail",
  );
  expect(await refusal(boss.api.moderation.approveSignup.mutate({ userId: one!.id }))).toMatchObject({
    code: "CONFLICT",
  });
  expect(await actsOf(boss)).toContain(`${mona.me.username} let-in ana`);
});

test("whoever is refused reads why in a mail, and nothing of the account is kept", async () => {
  await using site = await guardedTown();
  const { town, mona } = site;
  await apply(town, "Eve", "Buy owls at spam.example!");
  const [one] = await queueOf(mona);
  await mona.api.moderation.rejectSignup.mutate({ userId: one!.id, reason: "We buy no owls." });
  await until(
    async () => (await town.mailsTo(emailOf("Eve"))).some((mail) => mail.includes("We buy no owls.")),
    "the mail",
  );
  expect(town.rows("select name from users where name = 'Eve'")).toEqual([]);
  expect(await refusal(signIn(town, "Eve"))).toMatchObject({ code: "UNAUTHORIZED" });
});

test("nothing leads past the moderators: no new password, no sign-up anew, no link sent again", async () => {
  await using site = await guardedTown();
  const { town, mona } = site;
  await apply(town, "Ana");
  const before = await town.mailsTo(emailOf("Ana"));
  expect((await signUp(town, "Ana", { answer: "Another." })).message).toContain("check your email");
  await until(async () => (await town.mailsTo(emailOf("Ana"))).length > before.length, "a mail");
  expect((await town.mailsTo(emailOf("Ana"))).at(-1)).toMatch(/is waiting for approval/);
  const api = town.browser().api.users;
  await api.forgotPassword.mutate({ email: emailOf("Ana") });
  await api.resetPassword.mutate({
    token: await town.mailedToken(emailOf("Ana"), "reset-password"),
    password,
  });
  expect(await refusal(signIn(town, "Ana"))).toMatchObject({
    message: expect.stringContaining("haven’t approved your account"),
  });
  // Never confirmed by the link of a sign-up, but by that of a new password.
  await signUp(town, "Ben", { answer: "The tawny." });
  await api.forgotPassword.mutate({ email: emailOf("Ben") });
  await api.resetPassword.mutate({
    token: await town.mailedToken(emailOf("Ben"), "reset-password"),
    password,
  });
  expect(await refusal(signIn(town, "Ben"))).toMatchObject({
    message: expect.stringContaining("haven’t approved your account"),
  });
  expect((await queueOf(mona)).map(({ name, answer }) => [name, answer])).toEqual([
    ["Ana", "The barn owl."],
    ["Ben", "The tawny."],
  ]);
});

test("a link lets in at once; programs sign up as before, and wait", async () => {
  await using site = await guardedTown();
  const { town, boss, mona } = site;
  const { address } = await boss.api.moderation.invite.mutate({ places: 1, days: 1 });
  await signUp(town, "Cem", { invitation: new URL(address).searchParams.get("invitation") });
  const token = await town.mailedToken(emailOf("Cem"), "verify-email");
  expect(await town.browser().api.users.verifyEmail.mutate({ token })).toMatchObject({ waits: false });
  const body = { name: "Dora", email: emailOf("Dora"), password };
  expect((await new ApiClient(town).call("POST", "/signup", body)).status).toBe(200);
  const link = await town.mailedToken(emailOf("Dora"), "verify-email");
  expect((await new ApiClient(town).call("GET", `/verify-email/${link}`)).body).toEqual({
    success: true,
    message: expect.stringContaining("moderators"),
  });
  expect(await queueOf(mona)).toMatchObject([{ name: "Dora", answer: "" }]);
});

test("so many may wait and no more: a link that comes too late opens again later", async () => {
  await using site = await guardedTown();
  const { town } = site;
  await town.write(async (tx) => {
    for (let count = 0; count < staffLimits.signupRequests.most; count++) {
      await tx.drizzle.run(
        `insert into users (id, username, email, name, created_at) values ('u${count}', 'u${count}', 'u${count}@example.net', 'U', 1)`,
      );
      await tx.drizzle.run(`insert into applications values ('u${count}', '', 1)`);
    }
  });
  await signUp(town, "Ana", { answer: "Mine." });
  const token = await town.mailedToken(emailOf("Ana"), "verify-email");
  const verify = () => town.browser().api.users.verifyEmail.mutate({ token });
  expect(await refusal(verify())).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  await town.write(async (tx) => void (await tx.drizzle.run("delete from users where id = 'u0'")));
  expect(await verify()).toMatchObject({ waits: true });
});

test("nobody joins from a refused mail domain or what is below it, nor takes such an address later, whoever has an account there", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  const block = (value: string, blocked = true) =>
    boss.api.moderation.setSignupBlock.mutate({ value, blocked });
  const ana = await town.resident("Ana");
  await block("@Example.ORG");
  const asStranger = await refusal(signUp(town, "Ben"));
  expect(asStranger).toMatchObject({ code: "FORBIDDEN", field: "email" });
  expect(
    await refusal(town.browser().api.users.signUp.mutate({ name: "Ana", email: ana.email, password })),
  ).toEqual(asStranger);
  expect(await refusal(signUp(town, "Ben", { email: "ben@mail.example.org" }))).toEqual(asStranger);
  await signUp(town, "Ben", { email: "ben@notexample.org" });
  expect(
    await refusal(ana.api.users.changeEmail.mutate({ email: "new@sub.example.org", password })),
  ).toMatchObject({ code: "FORBIDDEN", field: "email" });
  expect((await boss.api.moderation.signupSettings.query()).blocks).toEqual(["example.org"]);
  await block("example.org", false);
  await signUp(town, "Ben");
  // One domain and one network, however they are written.
  await block("Müller.Example");
  await block("xn--mller-kva.example");
  await block("::ffff:203.0.113.0/120");
  await block("203.0.113.0/24");
  await block("203.0.113.77/24");
  await block("2001:DB8:0:0::/32");
  await block("2001:db8:ffff::1/32");
  expect((await boss.api.moderation.signupSettings.query()).blocks).toEqual([
    "xn--mller-kva.example",
    "2001:db8::/32",
    "203.0.113.0/24",
  ]);
  expect(await refusal(signUp(town, "Cy", { email: "cy@xn--mller-kva.example" }))).toEqual(asStranger);
  for (const written of ["müller.example", "2001:db8::/32", "203.0.113.0/24"]) await block(written, false);
  // As an older version kept it.
  await town.write(
    async (tx) =>
      void (await tx.drizzle.run(
        "insert into refused_senders (kind, value, author, created_at) values ('domain', 'müller.example', 'boss', 1)",
      )),
  );
  expect(await refusal(signUp(town, "Cy", { email: "cy@xn--mller-kva.example" }))).toEqual(asStranger);
  await block("müller.example", false);
  expect((await boss.api.moderation.signupSettings.query()).blocks).toEqual([]);
  for (const nothing of [
    "org",
    "not a domain",
    "10.0.0.0/4",
    "1.2.3.4/33",
    "::/8",
    "1.2.3.4/8/8",
    "fe80::1%eth0",
  ])
    expect(await refusal(block(nothing)), nothing).toMatchObject({ code: "BAD_REQUEST", field: "value" });
  expect((await actsOf(boss)).slice(-2)).toEqual([
    `${boss.me.username} admit-sender example.org`,
    `${boss.me.username} refuse-sender example.org`,
  ]);
});

test.each([
  ["127.0.0.0/8", "127.0.0.1", true],
  ["203.0.113.7", "203.0.113.7", true],
  ["203.0.113.7", "203.0.113.8", false],
  ["203.0.113.0/24", "::ffff:203.0.113.9", true],
  ["2001:db8::/32", "2001:db8:1::5", true],
  ["2001:db8::/32", "2001:db9::5", false],
])("where %s is refused, whoever comes from %s is, or is not: %s", async (network, from, isRefused) => {
  await using town = await startTown({ TRUST_PROXY: "on" });
  await town.resident("Boss");
  const refuse = await reprise(town.config.dataDir, ["signup-blocks", "add", network, "--json"]);
  expect(refuse.json).toMatchObject({ blocked: true });
  const body = JSON.stringify({ name: "Ben", email: emailOf("Ben"), password });
  const answer = await fetch(`${town.url}/api/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body,
  });
  expect(answer.status).toBe(isRefused ? 403 : 200);
  expect(
    JSON.stringify((await reprise(town.config.dataDir, ["strangers", "refused", "--json"])).json),
  ).toContain(network.split("/")[0]);
});
