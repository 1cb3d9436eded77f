import { expect, test } from "vitest";
import { Authenticator } from "../support/authenticator.ts";
import { password, refusal, startTown, type Browser, type Resident, type Town } from "../support/town.ts";

/* Passkeys, by a device in software: what is taken, and what is not. With a browser: tests/browser/passkeys.spec.ts. */

const notChecked = "We couldn’t verify that passkey. Please try again.";

async function addPasskey(town: Town, who: Resident, device = new Authenticator(town.config.publicUrl)) {
  const { options } = await who.api.users.beginPasskey.mutate({ password });
  await who.api.users.addPasskey.mutate({ name: "A phone", response: device.create(options) });
  return device;
}
async function signIn(
  browser: Browser,
  device: Authenticator,
  otherwise?: Parameters<Authenticator["get"]>[1],
) {
  const { options } = await browser.api.users.passkeyOptions.mutate();
  return browser.api.users.signInWithPasskey.mutate({ response: device.get(options, otherwise) });
}

test("a passkey signs in by itself, in any browser that has it, and says when", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  expect(await refusal(ana.api.users.beginPasskey.mutate({ password: "a guess" }))).toMatchObject({
    code: "FORBIDDEN",
    field: "password",
  });
  const device = await addPasskey(town, ana);
  expect((await ana.api.users.access.query()).passkeys).toMatchObject([
    { id: device.id, name: "A phone", usedAt: null },
  ]);
  const browser = town.browser();
  const { viewer } = await signIn(browser, device);
  expect(viewer.id).toBe(ana.me.id);
  expect((await browser.api.users.me.query())?.id).toBe(ana.me.id);
  expect((await ana.api.users.access.query()).passkeys[0]?.usedAt).not.toBeNull();
  // The password alone is enough as before.
  await town.browser().api.users.signIn.mutate({ email: ana.email, password });
});

test("a challenge is for the browser that was asked, once, and for what it was asked for", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const device = await addPasskey(town, ana);
  const browser = town.browser();
  const { options } = await browser.api.users.passkeyOptions.mutate();
  const response = device.get(options);
  const tooLate = { code: "BAD_REQUEST", message: "That took too long. Please try again." };
  expect(await refusal(town.browser().api.users.signInWithPasskey.mutate({ response }))).toMatchObject(
    tooLate,
  );
  const { begun } = browser;
  await browser.api.users.signInWithPasskey.mutate({ response });
  browser.begun = begun;
  expect(await refusal(browser.api.users.signInWithPasskey.mutate({ response }))).toMatchObject(tooLate);
  // Of another one's challenge.
  await browser.api.users.passkeyOptions.mutate();
  expect(await refusal(browser.api.users.signInWithPasskey.mutate({ response }))).toMatchObject({
    code: "UNAUTHORIZED",
    message: notChecked,
  });
  // One that was begun to sign in makes no key, and one account's makes none for another.
  const bob = await town.resident("Bob");
  const { options: made } = await ana.api.users.beginPasskey.mutate({ password });
  const key = { name: "A phone", response: new Authenticator(town.config.publicUrl).create(made) };
  bob.begun = ana.begun;
  expect(await refusal(bob.api.users.addPasskey.mutate(key))).toMatchObject(tooLate);
  await ana.api.users.passkeyOptions.mutate();
  expect(await refusal(ana.api.users.addPasskey.mutate(key))).toMatchObject(tooLate);
});

test("it has to be of this site, by a person who showed themselves, and by the key that is known", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const device = new Authenticator(town.config.publicUrl);
  for (const otherwise of [{ origin: "https://example.org" }, { unverified: true }]) {
    const { options } = await ana.api.users.beginPasskey.mutate({ password });
    const response = device.create(options, otherwise);
    expect(await refusal(ana.api.users.addPasskey.mutate({ name: "A phone", response }))).toMatchObject({
      code: "BAD_REQUEST",
      message: notChecked,
    });
  }
  await addPasskey(town, ana, device);
  for (const otherwise of [{ origin: "https://example.org" }, { unverified: true }, { count: 1 }])
    expect(await refusal(signIn(town.browser(), device, otherwise))).toMatchObject({
      code: "UNAUTHORIZED",
      message: notChecked,
    });
  const other = new Authenticator(town.config.publicUrl);
  expect(await refusal(signIn(town.browser(), Object.assign(other, { id: device.id })))).toMatchObject({
    code: "UNAUTHORIZED",
  });
  const response = { id: "x", response: {}, rest: [{}] };
  await ana.api.users.passkeyOptions.mutate();
  expect(await refusal(ana.api.users.signInWithPasskey.mutate({ response }))).toMatchObject({
    code: "UNAUTHORIZED",
  });
  await ana.api.users.beginPasskey.mutate({ password });
  expect(await refusal(ana.api.users.addPasskey.mutate({ name: "x", response }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  await signIn(town.browser(), device);
});

test("one that is removed signs in no more, and nobody removes another's", async () => {
  await using town = await startTown();
  const [ana, bob] = [await town.resident("Ana"), await town.resident("Bob")];
  const device = await addPasskey(town, ana);
  const { id } = device;
  expect(await refusal(bob.api.users.removePasskey.mutate({ id, password }))).toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await refusal(ana.api.users.removePasskey.mutate({ id, password: "a guess" }))).toMatchObject({
    code: "FORBIDDEN",
  });
  await ana.api.users.removePasskey.mutate({ id, password });
  expect((await ana.api.users.access.query()).passkeys).toEqual([]);
  expect(await refusal(signIn(town.browser(), device))).toMatchObject({
    code: "UNAUTHORIZED",
    message: "That passkey was removed from its account. Please sign in with your password.",
  });
});

test("a passkey may be asked for after the password: a recovery code stands in for it", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const turn = (on: boolean, secret = password) =>
    ana.api.users.setPasskeyStep.mutate({ on, password: secret });
  expect(await refusal(turn(true))).toMatchObject({ code: "CONFLICT" });
  const device = await addPasskey(town, ana);
  expect(await refusal(turn(true, "a guess"))).toMatchObject({ code: "FORBIDDEN" });
  const { codes } = await turn(true);
  expect(codes).toHaveLength(10);
  const login = { email: ana.email, password };
  expect(await refusal(town.browser().api.users.signIn.mutate(login))).toMatchObject({
    code: "FORBIDDEN",
    field: "code",
  });
  expect(await refusal(town.browser().api.users.signIn.mutate({ ...login, code: "123456" }))).toMatchObject({
    code: "UNAUTHORIZED",
  });
  await town.browser().api.users.signIn.mutate({ ...login, code: codes![0]! });
  await signIn(town.browser(), device);
  // With the last passkey the step goes: nobody shuts themselves out.
  await ana.api.users.removePasskey.mutate({ id: device.id, password });
  expect(await ana.api.users.access.query()).toMatchObject({ passkeyStep: false, codesLeft: 0 });
  await town.browser().api.users.signIn.mutate(login);
});
