import { expect, test } from "vitest";
import { Authenticator } from "../../support/authenticator.ts";
import {
  password,
  refusal,
  startTestSite,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Passkeys of an authenticator in software, accepted and refused. With a browser: tests/browser/passkeys.spec.ts. */

const invalidPasskey = "We couldn’t verify that passkey. Please try again.";

async function addPasskey(
  testSite: TestSite,
  person: SignedInBrowser,
  device = new Authenticator(testSite.config.publicUrl),
) {
  const { options } = await person.api.users.beginPasskey.mutate({ password });
  await person.api.users.addPasskey.mutate({ name: "A phone", response: device.create(options) });
  return device;
}
async function signIn(browser: Browser, device: Authenticator, change?: Parameters<Authenticator["get"]>[1]) {
  const { options } = await browser.api.users.passkeyOptions.mutate();
  return browser.api.users.signInWithPasskey.mutate({ response: device.get(options, change) });
}

test("a passkey alone signs in, in any browser that has it, and shows when it was used", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  expect(await refusal(ana.api.users.beginPasskey.mutate({ password: "a guess" }))).toMatchObject({
    code: "FORBIDDEN",
    field: "password",
  });
  const device = await addPasskey(testSite, ana);
  expect((await ana.api.users.access.query()).passkeys).toMatchObject([
    { id: device.id, name: "A phone", usedAt: null },
  ]);
  const browser = testSite.browser();
  const { viewer } = await signIn(browser, device);
  expect(viewer.id).toBe(ana.me.id);
  expect((await browser.api.users.me.query())?.id).toBe(ana.me.id);
  expect((await ana.api.users.access.query()).passkeys[0]?.usedAt).not.toBeNull();
  // The password alone works as before.
  await testSite.browser().api.users.signIn.mutate({ email: ana.email, password });
});

test("a challenge works once, in the browser that requested it, and for its purpose only", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const device = await addPasskey(testSite, ana);
  const browser = testSite.browser();
  const { options } = await browser.api.users.passkeyOptions.mutate();
  const response = device.get(options);
  const expiredError = { code: "BAD_REQUEST", message: "That took too long. Please try again." };
  expect(await refusal(testSite.browser().api.users.signInWithPasskey.mutate({ response }))).toMatchObject(
    expiredError,
  );
  const { begun } = browser;
  await browser.api.users.signInWithPasskey.mutate({ response });
  browser.begun = begun;
  expect(await refusal(browser.api.users.signInWithPasskey.mutate({ response }))).toMatchObject(expiredError);
  // Signed for another challenge.
  await browser.api.users.passkeyOptions.mutate();
  expect(await refusal(browser.api.users.signInWithPasskey.mutate({ response }))).toMatchObject({
    code: "UNAUTHORIZED",
    message: invalidPasskey,
  });
  // A challenge for signing in adds no passkey, and one of an account adds none to another.
  const bob = await testSite.createAccount("Bob");
  const { options: creationOptions } = await ana.api.users.beginPasskey.mutate({ password });
  const key = {
    name: "A phone",
    response: new Authenticator(testSite.config.publicUrl).create(creationOptions),
  };
  bob.begun = ana.begun;
  expect(await refusal(bob.api.users.addPasskey.mutate(key))).toMatchObject(expiredError);
  await ana.api.users.passkeyOptions.mutate();
  expect(await refusal(ana.api.users.addPasskey.mutate(key))).toMatchObject(expiredError);
});

test("requires the origin of the site, a page of its own, user verification, a rising counter and the stored key", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const device = new Authenticator(testSite.config.publicUrl);
  const changes = [
    { origin: "https://example.org" },
    { crossOrigin: true },
    { topOrigin: "https://example.org" },
    { crossOrigin: true, topOrigin: "https://example.org" },
    { unverified: true },
  ];
  for (const change of changes) {
    const { options } = await ana.api.users.beginPasskey.mutate({ password });
    const response = device.create(options, change);
    expect(await refusal(ana.api.users.addPasskey.mutate({ name: "A phone", response }))).toMatchObject({
      code: "BAD_REQUEST",
      message: invalidPasskey,
    });
  }
  await addPasskey(testSite, ana, device);
  for (const change of [...changes, { count: 1 }])
    expect(await refusal(signIn(testSite.browser(), device, change))).toMatchObject({
      code: "UNAUTHORIZED",
      message: invalidPasskey,
    });
  const other = new Authenticator(testSite.config.publicUrl);
  expect(await refusal(signIn(testSite.browser(), Object.assign(other, { id: device.id })))).toMatchObject({
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
  await signIn(testSite.browser(), device);
});

test("a removed passkey signs in no more, and no one can remove another person's", async () => {
  await using testSite = await startTestSite();
  const [ana, bob] = [await testSite.createAccount("Ana"), await testSite.createAccount("Bob")];
  const device = await addPasskey(testSite, ana);
  const { id } = device;
  expect(await refusal(bob.api.users.removePasskey.mutate({ id, password }))).toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await refusal(ana.api.users.removePasskey.mutate({ id, password: "a guess" }))).toMatchObject({
    code: "FORBIDDEN",
  });
  await ana.api.users.removePasskey.mutate({ id, password });
  expect((await ana.api.users.access.query()).passkeys).toEqual([]);
  expect(await refusal(signIn(testSite.browser(), device))).toMatchObject({
    code: "UNAUTHORIZED",
    message: "That passkey was removed from its account. Please sign in with your password.",
  });
});

test("a passkey can be required after the password, with recovery codes in its place", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const setStep = (on: boolean, secret = password) =>
    ana.api.users.setPasskeyStep.mutate({ on, password: secret });
  expect(await refusal(setStep(true))).toMatchObject({ code: "CONFLICT" });
  const device = await addPasskey(testSite, ana);
  expect(await refusal(setStep(true, "a guess"))).toMatchObject({ code: "FORBIDDEN" });
  const { codes } = await setStep(true);
  expect(codes).toHaveLength(10);
  const login = { email: ana.email, password };
  expect(await refusal(testSite.browser().api.users.signIn.mutate(login))).toMatchObject({
    code: "FORBIDDEN",
    field: "code",
  });
  expect(
    await refusal(testSite.browser().api.users.signIn.mutate({ ...login, code: "123456" })),
  ).toMatchObject({
    code: "UNAUTHORIZED",
  });
  await testSite.browser().api.users.signIn.mutate({ ...login, code: codes![0]! });
  await signIn(testSite.browser(), device);
  // The step ends with the last passkey, so that people do not lock themselves out.
  await ana.api.users.removePasskey.mutate({ id: device.id, password });
  expect(await ana.api.users.access.query()).toMatchObject({ passkeyStep: false, codesLeft: 0 });
  await testSite.browser().api.users.signIn.mutate(login);
});
