import { TOTP, Secret } from "otpauth";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { turnOffSecondSteps } from "../../../src/server/sign-in/second-step.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  password,
  until,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* A thief had an account for some minutes, with its password: what the undo links in its emails revert. */

const day = 24 * 60 * 60 * 1000;
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const signIn = (browser: Browser, email: string, secret = password) =>
  browser.api.users.signIn.mutate({ email, password: secret });
const follow = (testSite: TestSite, token: string) =>
  testSite.browser().api.users.followEmailLink.mutate({ token });
const accessOf = (browser: Browser) => browser.api.users.access.query();

/** Adds a passkey, and returns the device that holds it. */
async function addPasskey(testSite: TestSite, { api }: Browser) {
  const device = new Authenticator(testSite.config.publicUrl);
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
/** Changes the account's email address, and returns the token sent to the old one. */
async function moveTo(testSite: TestSite, person: SignedInBrowser, email: string): Promise<string> {
  await person.api.users.changeEmail.mutate({ email, password });
  await person.api.users.followEmailLink.mutate({ token: await testSite.mailedToken(email, "change-email") });
  return testSite.mailedToken(person.email, "change-email");
}
/** Sets a password by the email that follows an undo, signs in with it, and returns the browser. */
async function recover(testSite: TestSite, email: string): Promise<Browser> {
  const token = await testSite.mailedToken(email, "reset-password");
  const browser = testSite.browser();
  await browser.api.users.resetPassword.mutate({ token, password: "an even better one" });
  await signIn(browser, email, "an even better one");
  return browser;
}
/** Returns the undo tokens of all emails to an address, with their subjects, oldest first. */
const undoLinks = async (testSite: TestSite, email: string) =>
  (await testSite.mailsTo(email)).flatMap((mail) => {
    const token = /\/undo-access\/([\w-]+)/.exec(mail)?.[1];
    return token === undefined ? [] : [{ token, subject: /^Subject: (.*)$/m.exec(mail)?.[1] ?? "" }];
  });
/** Returns the token of the email whose subject starts with `subject`. */
const undoLink = (testSite: TestSite, email: string, subject: string) =>
  until(
    async () => (await undoLinks(testSite, email)).find((link) => link.subject.startsWith(subject))?.token,
    `a mail “${subject}”`,
  );
/** Backdates everything set up so far beyond the days that an undo reverts. */
const backdateSignIn = (testSite: TestSite) =>
  testSite.write(async (tx) => {
    for (const column of [
      "authenticators.confirmed_at",
      "passkeys.created_at",
      "recovery_codes.created_at",
    ]) {
      const [table, name] = column.split(".");
      await execute(tx, `update ${table} set ${name} = ${name} - ${8 * day}`);
    }
  });

test("removes an app that was begun before the undone address change and confirmed after it", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const secret = await beginApp(ana);
  const undo = await moveTo(testSite, ana, "thief@example.org");
  await confirmApp(ana, secret);
  await follow(testSite, undo);
  expect(await accessOf(await recover(testSite, ana.email))).toMatchObject({ app: false, codesLeft: 0 });
});

test("removes an app confirmed before the undone address change, and an unconfirmed one", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  await confirmApp(ana, await beginApp(ana));
  await beginApp(ben);
  await follow(testSite, await moveTo(testSite, ana, "thief@example.org"));
  await follow(testSite, await moveTo(testSite, ben, "thief2@example.org"));
  await recover(testSite, ana.email);
  expect(testSite.rows("select 1 from authenticators")).toEqual([]);
});

test("removes a passkey added before the undone address change, and the passkey step", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const device = await addPasskey(testSite, ana);
  await ana.api.users.setPasskeyStep.mutate({ on: true, password });
  await follow(testSite, await moveTo(testSite, ana, "thief@example.org"));
  await expectRefusal(signInBy(device, testSite.browser()), "UNAUTHORIZED");
  expect(await accessOf(await recover(testSite, ana.email))).toMatchObject({
    app: false,
    passkeyStep: false,
    codesLeft: 0,
    passkeys: [],
  });
});

test("keeps an app and a passkey older than seven days, and removes newer passkeys and recovery codes", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const device = await addPasskey(testSite, ana);
  for (const person of [ana, ben]) await confirmApp(person, await beginApp(person));
  await backdateSignIn(testSite);
  await ana.api.users.renewCodes.mutate({ password });
  const newPasskey = await addPasskey(testSite, ana);
  for (const person of [ana, ben])
    await follow(testSite, await moveTo(testSite, person, `new-${person.email}`));
  await expectRefusal(signInBy(newPasskey, testSite.browser()), "UNAUTHORIZED");
  const browser = testSite.browser();
  await signInBy(device, browser);
  expect(await accessOf(browser)).toMatchObject({ app: true, codesLeft: 0, passkeys: [{ id: device.id }] });
  expect(
    testSite.rows(`select count(*) as count from recovery_codes where user_id = '${ben.me.id}'`),
  ).toEqual([{ count: 10 }]);
});

test("refuses the known password after an undo, and accepts one set by email", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await follow(testSite, await moveTo(testSite, ana, "thief@example.org"));
  await expectRefusal(signIn(testSite.browser(), ana.email), "UNAUTHORIZED");
  await recover(testSite, ana.email);
});

test("turns a recent passkey step off, but keeps an older passkey", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await addPasskey(testSite, ana);
  await backdateSignIn(testSite);
  await ana.api.users.setPasskeyStep.mutate({ on: true, password });
  await follow(testSite, await moveTo(testSite, ana, "thief@example.org"));
  expect(await accessOf(await recover(testSite, ana.email))).toMatchObject({
    passkeyStep: false,
    passkeys: [{}],
  });
});

test("refuses an address change that is under way during an undo, and sends no link", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await addPasskey(testSite, ana);
  const undo = await undoLink(testSite, ana.email, "A passkey was added");
  const { limits } = testSite.app.services;
  const take = limits.take.bind(limits);
  limits.take = async (rule, ...takeArgs) => {
    if (rule === "access") await follow(testSite, undo);
    return take(rule, ...takeArgs);
  };
  await expectRefusal(
    ana.api.users.changeEmail.mutate({ email: "thief@example.org", password }),
    "UNAUTHORIZED",
  );
  expect(testSite.rows("select 1 from mail_tokens where kind = 'email'")).toEqual([]);
});

test("refuses a change of the second step that is under way during an undo", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await confirmApp(ana, await beginApp(ana));
  const undo = await undoLink(testSite, ana.email, "Two-factor");
  await addPasskey(testSite, ana);
  const { limits } = testSite.app.services;
  const take = limits.take.bind(limits);
  // The call is authorized already and takes from the rate limit right before its change.
  limits.take = async (rule, ...takeArgs) => {
    if (rule === "access") await follow(testSite, undo);
    return take(rule, ...takeArgs);
  };
  await expectRefusal(ana.api.users.setPasskeyStep.mutate({ on: false, password }), "UNAUTHORIZED");
});

test("sends an undo link with each email about a change of sign-in", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await ana.api.users.signIn.mutate({ email: ana.email, password });
  await signIn(testSite.browser(), ana.email);
  await confirmApp(ana, await beginApp(ana));
  await ana.api.users.renewCodes.mutate({ password });
  await ana.api.users.turnAppOff.mutate({ password });
  const { id } = await addPasskey(testSite, ana);
  await ana.api.users.setPasskeyStep.mutate({ on: true, password });
  await ana.api.users.removePasskey.mutate({ id, password });
  await ana.api.users.changePassword.mutate({ current: password, password: "an even better one" });
  await turnOffSecondSteps(testSite.app.services, ana.me.id);
  const links = await until(async () => {
    const all = await undoLinks(testSite, ana.email);
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
    testSite.rows<{ days: number }>(
      `select distinct round((expires_at - ${Date.now()}) / ${day}.0) as days from mail_tokens where kind = 'undo-access'`,
    ),
  ).toEqual([{ days: 7 }]);
});

test("signs everyone out and removes earlier and later changes by an emailed link that works once", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const first = await addPasskey(testSite, ana);
  const undo = await undoLink(testSite, ana.email, "A passkey was added");
  await confirmApp(ana, await beginApp(ana));
  const second = await addPasskey(testSite, ana);
  // Opening the page alone, as email scanners do, changes nothing.
  expect((await testSite.browser().fetch(`/undo-access/${undo}`)).status).toBe(200);
  expect(await ana.api.users.me.query()).not.toBeNull();

  expect(await follow(testSite, undo)).toMatchObject({
    title: "It is undone",
    message: `Everyone is signed out. We sent a link to ${ana.email}. Open it to choose a new password.`,
  });
  expect(await ana.api.users.me.query()).toBeNull();
  for (const device of [first, second])
    await expectRefusal(signInBy(device, testSite.browser()), "UNAUTHORIZED");
  expect(testSite.rows("select 1 from known_browsers")).toEqual([]);
  await expectRefusal(follow(testSite, undo), "BAD_REQUEST");
  expect(await accessOf(await recover(testSite, ana.email))).toMatchObject({ app: false, passkeys: [] });
});

test("voids younger undo links by an older one, but not older ones by a younger one", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const links: string[] = [];
  for (const subject of [
    "Two-factor authentication was turned on",
    "New recovery codes",
    "The authenticator app",
  ]) {
    if (links.length === 0) await confirmApp(ana, await beginApp(ana));
    else if (links.length === 1) await ana.api.users.renewCodes.mutate({ password });
    else await ana.api.users.turnAppOff.mutate({ password });
    links.push(await undoLink(testSite, ana.email, subject));
  }
  const [oldest, middle, youngest] = links as [string, string, string];
  await follow(testSite, middle);
  await expectRefusal(follow(testSite, youngest), "BAD_REQUEST");
  await follow(testSite, oldest);
});

test("voids links sent to a thief's address once the owner takes the account back", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const undo = await moveTo(testSite, ana, "thief@example.org");
  await addPasskey(testSite, ana);
  const thiefsUndo = await undoLink(testSite, "thief@example.org", "A passkey was added");
  // Used before, it takes nothing from the owner: the older link still restores the address.
  await confirmApp(ana, await beginApp(ana));
  const second = await undoLink(testSite, "thief@example.org", "Two-factor");
  expect(await follow(testSite, second)).toMatchObject({ title: "It is undone" });
  expect(await follow(testSite, undo)).toMatchObject({ title: "Your address is back" });
  await expectRefusal(follow(testSite, thiefsUndo), "BAD_REQUEST");
  const owner = await recover(testSite, ana.email);
  expect(await owner.api.users.me.query()).toMatchObject({ id: ana.me.id, email: ana.email });
});

test("restores the old address by a link sent before the address change", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await addPasskey(testSite, ana);
  const undo = await undoLink(testSite, ana.email, "A passkey was added");
  const laterUndo = await moveTo(testSite, ana, "thief@example.org");
  expect(await follow(testSite, undo)).toMatchObject({ title: "Your address is back" });
  await expectRefusal(follow(testSite, laterUndo), "BAD_REQUEST");
  expect(await (await recover(testSite, ana.email)).api.users.me.query()).toMatchObject({ email: ana.email });
});

test("refuses an undo link after its seven days", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await addPasskey(testSite, ana);
  const undo = await undoLink(testSite, ana.email, "A passkey was added");
  await testSite.run("update mail_tokens set expires_at = expires_at - 7 * 86400000");
  await expectRefusal(follow(testSite, undo), "BAD_REQUEST");
  expect(await accessOf(ana)).toMatchObject({ passkeys: [{}] });
});
