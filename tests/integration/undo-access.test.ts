import { TOTP, Secret } from "otpauth";
import { expect, test } from "vitest";
import { turnOffSecondSteps } from "../../src/server/users/second-step.ts";
import { Authenticator } from "../support/authenticator.ts";
import {
  password,
  refusal,
  startTown,
  until,
  type Browser,
  type Resident,
  type Town,
} from "../support/town.ts";

/* A thief had an account for some minutes, with its password: what the links of its mails take back. */

const day = 24 * 60 * 60 * 1000;
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const signIn = (browser: Browser, email: string, secret = password) =>
  browser.api.users.signIn.mutate({ email, password: secret });
const follow = (town: Town, token: string) => town.browser().api.users.followEmailLink.mutate({ token });
const accessOf = (browser: Browser) => browser.api.users.access.query();

/** Adds a passkey, and returns the device that holds it. */
async function addPasskey(town: Town, { api }: Browser) {
  const device = new Authenticator(town.config.publicUrl);
  const { options } = await api.users.beginPasskey.mutate({ password });
  await api.users.addPasskey.mutate({ name: "A phone", response: device.create(options) });
  return device;
}
async function signInBy(device: Authenticator, { api }: Browser) {
  const { options } = await api.users.passkeyOptions.mutate();
  return api.users.signInWithPasskey.mutate({ response: device.get(options) });
}
const beginApp = async ({ api }: Browser) => (await api.users.beginApp.mutate({ password })).secret;
const confirmApp = ({ api }: Browser, secret: string) =>
  api.users.confirmApp.mutate({ code: codeOf(secret) });
/** Gives the account another address, and returns the token that the old one is sent. */
async function moveTo(town: Town, who: Resident, email: string): Promise<string> {
  await who.api.users.changeEmail.mutate({ email, password });
  await who.api.users.followEmailLink.mutate({ token: await town.mailedToken(email, "change-email") });
  return town.mailedToken(who.email, "change-email");
}
/** Chooses a password by the mail that follows an undo, signs in with it, and returns the browser. */
async function recover(town: Town, email: string): Promise<Browser> {
  const token = await town.mailedToken(email, "reset-password");
  const browser = town.browser();
  await browser.api.users.resetPassword.mutate({ token, password: "an even better one" });
  await signIn(browser, email, "an even better one");
  return browser;
}
/** The tokens of all mails to an address that can undo a change, with their subjects, oldest first. */
const undoLinks = async (town: Town, email: string) =>
  (await town.mailsTo(email)).flatMap((mail) => {
    const token = /\/undo-access\/([\w-]+)/.exec(mail)?.[1];
    return token === undefined ? [] : [{ token, subject: /^Subject: (.*)$/m.exec(mail)?.[1] ?? "" }];
  });
/** The token of the mail whose subject begins so. */
const undoLink = (town: Town, email: string, subject: string) =>
  until(
    async () => (await undoLinks(town, email)).find((link) => link.subject.startsWith(subject))?.token,
    `a mail “${subject}”`,
  );
/** Makes everything that was set up so far older than the days which an undo goes back. */
const growOld = (town: Town) =>
  town.write(async ({ drizzle }) => {
    for (const column of [
      "authenticators.confirmed_at",
      "passkeys.created_at",
      "recovery_codes.created_at",
    ]) {
      const [table, name] = column.split(".");
      await drizzle.run(`update ${table} set ${name} = ${name} - ${8 * day}`);
    }
  });

test("undoing an address removes an app that was begun before the change and confirmed after it", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const secret = await beginApp(ana);
  const undo = await moveTo(town, ana, "thief@example.org");
  await confirmApp(ana, secret);
  await follow(town, undo);
  expect(await accessOf(await recover(town, ana.email))).toMatchObject({ app: false, codesLeft: 0 });
});

test("undoing an address removes an app that is confirmed before the change, and one that is still unconfirmed", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  await confirmApp(ana, await beginApp(ana));
  await beginApp(ben);
  await follow(town, await moveTo(town, ana, "thief@example.org"));
  await follow(town, await moveTo(town, ben, "thief2@example.org"));
  await recover(town, ana.email);
  expect(town.rows("select 1 from authenticators")).toEqual([]);
});

test("undoing an address removes a passkey added before the change, with the step that asks for one", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const device = await addPasskey(town, ana);
  await ana.api.users.setPasskeyStep.mutate({ on: true, password });
  await follow(town, await moveTo(town, ana, "thief@example.org"));
  expect(await refusal(signInBy(device, town.browser()))).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await accessOf(await recover(town, ana.email))).toMatchObject({
    app: false,
    passkeyStep: false,
    codesLeft: 0,
    passkeys: [],
  });
});

test("undoing keeps an app and a passkey older than seven days, and removes codes made since", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const device = await addPasskey(town, ana);
  for (const who of [ana, ben]) await confirmApp(who, await beginApp(who));
  await growOld(town);
  await ana.api.users.renewCodes.mutate({ password });
  const newer = await addPasskey(town, ana);
  for (const who of [ana, ben]) await follow(town, await moveTo(town, who, `new-${who.email}`));
  expect(await refusal(signInBy(newer, town.browser()))).toMatchObject({ code: "UNAUTHORIZED" });
  const browser = town.browser();
  await signInBy(device, browser);
  expect(await accessOf(browser)).toMatchObject({ app: true, codesLeft: 0, passkeys: [{ id: device.id }] });
  expect(town.rows(`select count(*) as count from recovery_codes where user_id = '${ben.me.id}'`)).toEqual([
    { count: 10 },
  ]);
});

test("after an undo the password that was known signs in no more, only one that is chosen by the mail", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await follow(town, await moveTo(town, ana, "thief@example.org"));
  expect(await refusal(signIn(town.browser(), ana.email))).toMatchObject({ code: "UNAUTHORIZED" });
  await recover(town, ana.email);
});

test("undoing turns the passkey step off that was turned on lately, though an older passkey stays", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await addPasskey(town, ana);
  await growOld(town);
  await ana.api.users.setPasskeyStep.mutate({ on: true, password });
  await follow(town, await moveTo(town, ana, "thief@example.org"));
  expect(await accessOf(await recover(town, ana.email))).toMatchObject({
    passkeyStep: false,
    passkeys: [{}],
  });
});

test("a change of address that is under way while the account is undone sends no link", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await addPasskey(town, ana);
  const undo = await undoLink(town, ana.email, "A passkey was added");
  const { limits } = town.app.parts;
  const take = limits.take.bind(limits);
  limits.take = async (rule, ...rest) => {
    if (rule === "access") await follow(town, undo);
    return take(rule, ...rest);
  };
  expect(
    await refusal(ana.api.users.changeEmail.mutate({ email: "thief@example.org", password })),
  ).toMatchObject({ code: "UNAUTHORIZED" });
  expect(town.rows("select 1 from mail_tokens where kind = 'email'")).toEqual([]);
});

test("a change of signing in that is under way while the account is undone is refused", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await confirmApp(ana, await beginApp(ana));
  const undo = await undoLink(town, ana.email, "Two-factor");
  await addPasskey(town, ana);
  const { limits } = town.app.parts;
  const take = limits.take.bind(limits);
  // The call has been let in already, and counts itself right before it changes something.
  limits.take = async (rule, ...rest) => {
    if (rule === "access") await follow(town, undo);
    return take(rule, ...rest);
  };
  expect(await refusal(ana.api.users.setPasskeyStep.mutate({ on: false, password }))).toMatchObject({
    code: "UNAUTHORIZED",
  });
});

test("each mail about a change of signing in has a link that undoes it", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await ana.api.users.signIn.mutate({ email: ana.email, password });
  await signIn(town.browser(), ana.email);
  await confirmApp(ana, await beginApp(ana));
  await ana.api.users.renewCodes.mutate({ password });
  await ana.api.users.turnAppOff.mutate({ password });
  const { id } = await addPasskey(town, ana);
  await ana.api.users.setPasskeyStep.mutate({ on: true, password });
  await ana.api.users.removePasskey.mutate({ id, password });
  await ana.api.users.changePassword.mutate({ current: password, password: "an even better one" });
  await turnOffSecondSteps(town.app.parts, ana.me.id);
  const links = await until(async () => {
    const all = await undoLinks(town, ana.email);
    return all.length === 9 ? all : undefined;
  }, "nine mails");
  expect(
    links.map(({ subject }) => subject.replace(/ \(Reprise\)$| to your account on Reprise$/, "")).sort(),
  ).toEqual([
    "A passkey was added",
    "A passkey was removed",
    "New recovery codes were created",
    "New sign-in",
    "The authenticator app was turned off",
    "Two-factor authentication was turned off by an operator",
    "Two-factor authentication was turned on",
    "Two-factor authentication was turned on",
    "Your password was changed",
  ]);
  expect(new Set(links.map(({ token }) => token)).size).toBe(9);
  expect(
    town.rows<{ days: number }>(
      `select distinct round((expires_at - ${Date.now()}) / ${day}.0) as days from mail_tokens where kind = 'undo-access'`,
    ),
  ).toEqual([{ days: 7 }]);
});

test("the link of a mail signs everybody out and removes what came before and after it; it works once", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const first = await addPasskey(town, ana);
  const undo = await undoLink(town, ana.email, "A passkey was added");
  await confirmApp(ana, await beginApp(ana));
  const second = await addPasskey(town, ana);
  // Opening the page alone, as a scanner of mails does, changes nothing.
  expect((await town.browser().fetch(`/undo-access/${undo}`)).status).toBe(200);
  expect(await ana.api.users.me.query()).not.toBeNull();

  expect(await follow(town, undo)).toMatchObject({
    title: "It is undone",
    message: `Everyone is signed out. We sent a link to ${ana.email}. Open it to choose a new password.`,
  });
  expect(await ana.api.users.me.query()).toBeNull();
  for (const device of [first, second])
    expect(await refusal(signInBy(device, town.browser()))).toMatchObject({ code: "UNAUTHORIZED" });
  expect(town.rows("select 1 from known_browsers")).toEqual([]);
  expect(await refusal(follow(town, undo))).toMatchObject({ code: "BAD_REQUEST" });
  expect(await accessOf(await recover(town, ana.email))).toMatchObject({ app: false, passkeys: [] });
});

test("an older link voids younger ones, and a younger one leaves older ones as they are", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const links: string[] = [];
  for (const subject of [
    "Two-factor authentication was turned on",
    "New recovery codes",
    "The authenticator app",
  ]) {
    if (links.length === 0) await confirmApp(ana, await beginApp(ana));
    else if (links.length === 1) await ana.api.users.renewCodes.mutate({ password });
    else await ana.api.users.turnAppOff.mutate({ password });
    links.push(await undoLink(town, ana.email, subject));
  }
  const [oldest, middle, youngest] = links as [string, string, string];
  await follow(town, middle);
  expect(await refusal(follow(town, youngest))).toMatchObject({ code: "BAD_REQUEST" });
  await follow(town, oldest);
});

test("links mailed to an address that a thief gave the account are void once the owner takes it back", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const undo = await moveTo(town, ana, "thief@example.org");
  await addPasskey(town, ana);
  const thiefs = await undoLink(town, "thief@example.org", "A passkey was added");
  // Used before, it takes nothing from the owner: the older link still gives the address back.
  await confirmApp(ana, await beginApp(ana));
  const second = await undoLink(town, "thief@example.org", "Two-factor");
  expect(await follow(town, second)).toMatchObject({ title: "It is undone" });
  expect(await follow(town, undo)).toMatchObject({ title: "Your address is back" });
  expect(await refusal(follow(town, thiefs))).toMatchObject({ code: "BAD_REQUEST" });
  const owner = await recover(town, ana.email);
  expect(await owner.api.users.me.query()).toMatchObject({ id: ana.me.id, email: ana.email });
});

test("a link mailed before the address was changed gives the account its old address back", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await addPasskey(town, ana);
  const undo = await undoLink(town, ana.email, "A passkey was added");
  const later = await moveTo(town, ana, "thief@example.org");
  expect(await follow(town, undo)).toMatchObject({ title: "Your address is back" });
  expect(await refusal(follow(town, later))).toMatchObject({ code: "BAD_REQUEST" });
  expect(await (await recover(town, ana.email)).api.users.me.query()).toMatchObject({ email: ana.email });
});

test("a link whose seven days are over undoes nothing", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await addPasskey(town, ana);
  const undo = await undoLink(town, ana.email, "A passkey was added");
  await town.write(
    async ({ drizzle }) =>
      void (await drizzle.run("update mail_tokens set expires_at = expires_at - 7 * 86400000")),
  );
  expect(await refusal(follow(town, undo))).toMatchObject({ code: "BAD_REQUEST" });
  expect(await accessOf(ana)).toMatchObject({ passkeys: [{}] });
});
