import { expect, test } from "vitest";
import { users } from "../../src/server/database/schema/users.ts";
import { hashSecret } from "../../src/server/ids.ts";
import {
  listen,
  password,
  refusal,
  startTown,
  until,
  type Browser,
  type Resident,
  type Town,
} from "../support/town.ts";

/* What people change about how they sign in: their password, their address, where they are signed in. */

const better = "an even better one";
const signIn = (town: Town, email: string, secret: string) =>
  town.browser().api.users.signIn.mutate({ email, password: secret });
const follow = (browser: Browser, token: string) => browser.api.users.followEmailLink.mutate({ token });
const emailOf = async (browser: Browser) => (await browser.api.users.me.query())?.email;
/** Another browser of somebody's, with an open page. */
async function elsewhere(town: Town, { email }: Resident) {
  const browser = town.browser();
  await browser.api.users.signIn.mutate({ email, password });
  const page = listen(browser, "me");
  await page.live();
  const closed = new Promise<number>((resolve) => browser.sockets[0]?.once("close", resolve));
  return { browser, closed };
}

test("a new password asks for the one there is, and says at its field what is wrong", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const change = (current: string, next: string) =>
    refusal(ana.api.users.changePassword.mutate({ current, password: next }));
  expect(await change("a guess", better)).toMatchObject({
    code: "FORBIDDEN",
    field: "current",
    message: "Wrong password. Please try again.",
  });
  expect(await change(password, "short")).toMatchObject({ code: "BAD_REQUEST", field: "password" });
  expect(await change(password, "password123")).toMatchObject({ code: "BAD_REQUEST", field: "password" });
  expect(await change(password, ana.email)).toMatchObject({ code: "BAD_REQUEST", field: "password" });
  expect(await change(password, password)).toMatchObject({
    field: "password",
    message: "That’s already your password. Please choose another one.",
  });
  await signIn(town, ana.email, password);
});

test("with a new password every other session ends at once, and this one goes on with another secret", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { browser: phone, closed } = await elsewhere(town, ana);
  const tab = town.browser(ana.cookie);
  const open = listen(tab, "me");
  await open.live();
  const tabClosed = new Promise<number>((resolve) => tab.sockets[0]?.once("close", resolve));
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const link = await town.mailedToken(ana.email, "reset-password");
  const before = ana.cookie;

  expect(await ana.api.users.changePassword.mutate({ current: password, password: better })).toMatchObject({
    message: "Password changed. You’ve been signed out everywhere else.",
  });
  expect(await closed).toBe(4401);
  expect(await phone.api.users.me.query()).toBeNull();
  // Whoever had copied this session's secret has it no more; the tabs of this browser come back with the new one.
  expect(await tabClosed).toBe(4401);
  expect(ana.cookie).not.toBe(before);
  expect(await town.browser(before).api.users.me.query()).toBeNull();
  expect((await ana.api.users.me.query())?.session).toBe(ana.me.session);
  expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);

  expect(await refusal(signIn(town, ana.email, password))).toMatchObject({ code: "UNAUTHORIZED" });
  await signIn(town, ana.email, better);
  // A link from before would take the password back from its owner.
  expect(
    await refusal(
      town.browser().api.users.resetPassword.mutate({ token: link, password: "a third one, too" }),
    ),
  ).toMatchObject({ code: "BAD_REQUEST" });
  const mails = await until(async () => {
    const told = (await town.mailsTo(ana.email)).filter((mail) => mail.includes("Your password was changed"));
    return told.length > 0 ? told : undefined;
  });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("/undo-access/");
});

test("whoever guesses the password of an open session has to wait; so does whoever changes it without end", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const [ana, bob] = [await town.resident("Ana"), await town.resident("Bob")];
  const change = (who: Resident, current: string, next: string) =>
    who.api.users.changePassword.mutate({ current, password: next });
  for (let guess = 0; guess < 10; guess++)
    expect(await refusal(change(ana, `guess ${guess}`, better))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(change(ana, password, better))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  let now = password;
  for (let turn = 0; turn < 20; turn++) await change(bob, now, (now = `a better one ${turn}`));
  expect(await refusal(change(bob, now, better))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
});

test("a new address counts once its link was followed, and the old one is told", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const ask = (email: string, secret = password) =>
    ana.api.users.changeEmail.mutate({ email, password: secret });
  expect(await refusal(ask("new@example.org", "a guess"))).toMatchObject({
    code: "FORBIDDEN",
    field: "password",
  });
  expect(await refusal(ask(ana.email.toUpperCase()))).toMatchObject({ code: "BAD_REQUEST", field: "email" });
  expect(await ask(" New@Example.org ")).toMatchObject({
    message: "We sent a link to new@example.org. Your address changes when you open it.",
  });
  const first = await town.mailedToken("new@example.org", "change-email");
  expect(await emailOf(ana)).toBe(ana.email);
  // Whoever only fetches the page changes nothing; the last link asked for works, and none of another kind.
  expect((await town.browser().fetch(`/change-email/${first}`)).status).toBe(200);
  await ask("new@example.org");
  const token = await until(async () => {
    const newest = await town.mailedToken("new@example.org", "change-email");
    return newest === first ? undefined : newest;
  });
  expect(await refusal(follow(ana, first))).toMatchObject({ code: "BAD_REQUEST" });
  expect(await refusal(town.browser().api.users.verifyEmail.mutate({ token }))).toMatchObject({
    code: "BAD_REQUEST",
  });

  const page = listen(ana, "me");
  await page.live();
  const { closed } = await elsewhere(town, ana);
  // Opened on the phone, where nobody is signed in: the one that asked stays.
  expect(await follow(town.browser(), token)).toMatchObject({ title: "Your address is changed" });
  expect(await closed).toBe(4401);
  await page.heard("viewer.profileChanged");
  expect(await emailOf(ana)).toBe("new@example.org");
  await signIn(town, "new@example.org", password);
  expect(await refusal(signIn(town, ana.email, password))).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await refusal(follow(town.browser(), token))).toMatchObject({ code: "BAD_REQUEST" });
  await town.mailedToken(ana.email, "change-email");
});

test("who opens the link in the browser that asked goes on there with another secret", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { closed } = await elsewhere(town, ana);
  await ana.api.users.changeEmail.mutate({ email: "new@example.org", password });
  const before = ana.cookie;
  await follow(ana, await town.mailedToken("new@example.org", "change-email"));
  expect(await closed).toBe(4401);
  expect(await emailOf(ana)).toBe("new@example.org");
  expect(await town.browser(before).api.users.me.query()).toBeNull();
});

test("for some days the old address takes the new one back: everybody is signed out, and a password is chosen anew", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const thief = town.browser(ana.cookie);
  thief.known = ana.known;
  const change = async (email: string) => {
    await thief.api.users.changeEmail.mutate({ email, password });
    await follow(thief, await town.mailedToken(email, "change-email"));
  };
  await change("thief@example.org");
  const undo = await town.mailedToken(ana.email, "change-email");
  await change("thief2@example.org");
  const later = await town.mailedToken("thief@example.org", "change-email");
  expect(
    town.rows<{ days: number }>(
      `select round((expires_at - ${Date.now()}) / 86400000.0) as days from mail_tokens where kind = 'undo-email'`,
    ),
  ).toEqual([{ days: 7 }, { days: 7 }]);
  expect(await emailOf(thief)).toBe("thief2@example.org");

  expect(await follow(town.browser(), undo)).toMatchObject({ title: "Your address is back" });
  expect(await thief.api.users.me.query()).toBeNull();
  expect(town.rows("select 1 from known_browsers")).toEqual([]);
  // The thief's own way back is gone with it.
  expect(await refusal(follow(town.browser(), later))).toMatchObject({ code: "BAD_REQUEST" });
  const token = await town.mailedToken(ana.email, "reset-password");
  await town.browser().api.users.resetPassword.mutate({ token, password: better });
  const { viewer } = await signIn(town, ana.email, better);
  expect(viewer.id).toBe(ana.me.id);
});

test("whether an address has an account shows in its mail and nowhere else", async () => {
  await using town = await startTown();
  const [ana, bob] = [await town.resident("Ana"), await town.resident("Bob")];
  const ask = async (email: string) => (await ana.api.users.changeEmail.mutate({ email, password })).message;
  const answers = [await ask(bob.email), await ask("free@example.org")];
  expect(answers[0]?.replace(bob.email, "free@example.org")).toBe(answers[1]);
  await town.mailedToken("free@example.org", "change-email");
  const mail = await until(async () =>
    (await town.mailsTo(bob.email)).find((one) => one.includes("has an account")),
  );
  expect(mail).not.toContain("/change-email/");
  // Nor is it told who asked.
  expect(mail).not.toMatch(/Ana|ana-/);
});

test("an address is given to whoever reads its mails, not to who only signed up with it; one that has an account by then stays", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const stranger = town.browser();
  const signUp = (email: string) =>
    stranger.api.users.signUp.mutate({ name: "Stranger", email, password: "a stranger's one" });
  await signUp("squatted@example.org");
  await ana.api.users.changeEmail.mutate({ email: "squatted@example.org", password });
  await follow(ana, await town.mailedToken("squatted@example.org", "change-email"));
  expect(await emailOf(ana)).toBe("squatted@example.org");

  await ana.api.users.changeEmail.mutate({ email: "late@example.org", password });
  const token = await town.mailedToken("late@example.org", "change-email");
  await signUp("late@example.org");
  await stranger.api.users.verifyEmail.mutate({
    token: await town.mailedToken("late@example.org", "verify-email"),
  });
  expect(await refusal(follow(ana, token))).toMatchObject({
    code: "CONFLICT",
    message: "Another account uses that address now. Nothing was changed.",
  });
  expect(await emailOf(ana)).toBe("squatted@example.org");
  expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);
});

test("without a password the old address allows the new one by a link", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await town.write(async (tx) => void (await tx.drizzle.update(users).set({ passwordHash: null }).run()));
  expect(await ana.api.users.changeEmail.mutate({ email: "new@example.org" })).toMatchObject({
    message: `We sent a link to ${ana.email}. Open it, and we’ll send one to the new address.`,
  });
  const allow = await town.mailedToken(ana.email, "change-email");
  expect(await town.mailsTo("new@example.org")).toEqual([]);
  expect(await follow(town.browser(), allow)).toMatchObject({ title: "One more link" });
  expect(await emailOf(ana)).toBe(ana.email);
  expect(await refusal(follow(ana, allow))).toMatchObject({ code: "BAD_REQUEST" });
  await follow(town.browser(), await town.mailedToken("new@example.org", "change-email"));
  expect(await emailOf(ana)).toBe("new@example.org");
  expect(
    await refusal(ana.api.users.changePassword.mutate({ current: password, password: better })),
  ).toMatchObject({ code: "BAD_REQUEST", field: "current" });
});

test("nobody has mails sent without end, and a new password takes a link to a new address back", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const ana = await town.resident("Ana");
  const ask = (email: string) => ana.api.users.changeEmail.mutate({ email, password });
  for (let turn = 0; turn < 5; turn++) await ask("new@example.org");
  expect(await refusal(ask("new@example.org"))).toMatchObject({ code: "TOO_MANY_REQUESTS", field: "email" });
  const token = await town.mailedToken("new@example.org", "change-email");
  for (let turn = 0; turn < 13; turn++) await ask(`${turn}@example.org`);
  await ana.api.users.changePassword.mutate({ current: password, password: better });
  expect(
    await refusal(ana.api.users.changeEmail.mutate({ email: "x@example.org", password: better })),
  ).toMatchObject({
    code: "TOO_MANY_REQUESTS",
  });
  expect(await refusal(follow(ana, token))).toMatchObject({ code: "BAD_REQUEST" });
});

test("where one is signed in is told live as it changes, to oneself alone", async () => {
  await using town = await startTown();
  const [ana, bob] = [await town.resident("Ana"), await town.resident("Bob")];
  const [hers, his] = [listen(ana, "me"), listen(bob, "me")];
  await Promise.all([hers.live(), his.live()]);
  const { browser: phone } = await elsewhere(town, ana);
  await hers.heard("viewer.signInChanged", 1);
  const { sessions } = await ana.api.users.sessions.query();
  expect(sessions).toHaveLength(2);
  const [other] = sessions.filter(({ current }) => !current);
  await ana.api.users.revokeSession.mutate({ handle: other!.handle });
  await hers.heard("viewer.signInChanged", 2);
  expect(await phone.api.users.me.query()).toBeNull();
  await signIn(town, ana.email, password);
  await hers.heard("viewer.signInChanged", 3);
  await ana.api.users.revokeOtherSessions.mutate();
  await hers.heard("viewer.signInChanged", 4);
  expect(his.told()).toEqual([]);
  expect(
    town.rows(`select 1 from sessions where hash = '${hashSecret(ana.cookie.split("=")[1] ?? "")}'`),
  ).toHaveLength(1);
});
