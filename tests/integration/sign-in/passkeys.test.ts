import { expect, onTestFinished, test, vi } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { createDatabaseFolder } from "../../support/new-database.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  password,
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
  const [testSite, ana] = await siteWith("Ana");
  await expectRefusal(ana.api.users.beginPasskey.mutate({ password: "a guess" }), {
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
  const [testSite, ana] = await siteWith("Ana");
  const device = await addPasskey(testSite, ana);
  const browser = testSite.browser();
  const { options } = await browser.api.users.passkeyOptions.mutate();
  const response = device.get(options);
  const expiredError = { code: "BAD_REQUEST", message: "That took too long. Please try again." };
  await expectRefusal(testSite.browser().api.users.signInWithPasskey.mutate({ response }), expiredError);
  const { begun } = browser;
  await browser.api.users.signInWithPasskey.mutate({ response });
  // Nor by another way to write the same bytes.
  for (const again of [begun, `${begun}=`]) {
    browser.begun = again;
    await expectRefusal(browser.api.users.signInWithPasskey.mutate({ response }), expiredError);
  }
  // Signed for another challenge.
  await browser.api.users.passkeyOptions.mutate();
  await expectRefusal(browser.api.users.signInWithPasskey.mutate({ response }), {
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
  await expectRefusal(bob.api.users.addPasskey.mutate(key), expiredError);
  await ana.api.users.passkeyOptions.mutate();
  await expectRefusal(ana.api.users.addPasskey.mutate(key), expiredError);
});

test("a challenge ends after its time, and is refused if it was changed", async () => {
  const [testSite] = await siteWith("Ana");
  const { challenges } = testSite.app.services;
  const sealed = await challenges.begin("passkey", { challenge: "x" });
  expect(await challenges.find("passkey", sealed)).toEqual({ challenge: "x" });
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 + 1 });
  expect(await challenges.find("passkey", sealed)).toBeUndefined();
  vi.useRealTimers();
  const changed = sealed.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
  for (const refused of [changed, sealed.slice(0, 20), "x", "", null])
    expect(await challenges.take("passkey", refused)).toBeUndefined();
  for (const kind of ["making", "google"] as const)
    expect(await challenges.take(kind, sealed)).toBeUndefined();
  expect(await challenges.take("passkey", sealed)).toEqual({ challenge: "x" });
});

test.skipIf(isPostgres)(
  "a challenge ends with the process, which alone knows whether it was used",
  async () => {
    const DATA_DIR = await createDatabaseFolder("reprise-challenge-");
    const before = await startTestSite({ DATA_DIR });
    const sealed = await before.app.services.challenges.begin("passkey", { challenge: "x" });
    await before.app.close();
    await using after = await startTestSite({ DATA_DIR });
    expect(await after.app.services.challenges.take("passkey", sealed)).toBeUndefined();
  },
);

test("requires the origin of the site, a page of its own, user verification, a rising counter and the stored key", async () => {
  const [testSite, ana] = await siteWith("Ana");
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
    await expectRefusal(ana.api.users.addPasskey.mutate({ name: "A phone", response }), {
      code: "BAD_REQUEST",
      message: invalidPasskey,
    });
  }
  await addPasskey(testSite, ana, device);
  for (const change of [...changes, { count: 1 }])
    await expectRefusal(signIn(testSite.browser(), device, change), {
      code: "UNAUTHORIZED",
      message: invalidPasskey,
    });
  const other = new Authenticator(testSite.config.publicUrl);
  await expectRefusal(signIn(testSite.browser(), Object.assign(other, { id: device.id })), "UNAUTHORIZED");
  const response = { id: "x", response: {}, rest: [{}] };
  await ana.api.users.passkeyOptions.mutate();
  await expectRefusal(ana.api.users.signInWithPasskey.mutate({ response }), "UNAUTHORIZED");
  await ana.api.users.beginPasskey.mutate({ password });
  await expectRefusal(ana.api.users.addPasskey.mutate({ name: "x", response }), "BAD_REQUEST");
  await signIn(testSite.browser(), device);
});

test("a removed passkey signs in no more, and no one can remove another person's", async () => {
  const [testSite, ana, bob] = await siteWith("Ana", "Bob");
  const device = await addPasskey(testSite, ana);
  const { id } = device;
  await expectRefusal(bob.api.users.removePasskey.mutate({ id, password }), "NOT_FOUND");
  await expectRefusal(ana.api.users.removePasskey.mutate({ id, password: "a guess" }), "FORBIDDEN");
  await ana.api.users.removePasskey.mutate({ id, password });
  expect((await ana.api.users.access.query()).passkeys).toEqual([]);
  await expectRefusal(signIn(testSite.browser(), device), {
    code: "UNAUTHORIZED",
    message: "That passkey was removed from its account. Please sign in with your password.",
  });
});

test("a passkey can be required after the password, with recovery codes in its place", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const setStep = (on: boolean, secret = password) =>
    ana.api.users.setPasskeyStep.mutate({ on, password: secret });
  await expectRefusal(setStep(true), "CONFLICT");
  const device = await addPasskey(testSite, ana);
  await expectRefusal(setStep(true, "a guess"), "FORBIDDEN");
  const { codes } = await setStep(true);
  expect(codes).toHaveLength(10);
  const login = { email: ana.email, password };
  await expectRefusal(testSite.browser().api.users.signIn.mutate(login), {
    code: "FORBIDDEN",
    field: "code",
  });
  await expectRefusal(
    testSite.browser().api.users.signIn.mutate({ ...login, code: "123456" }),
    "UNAUTHORIZED",
  );
  await testSite.browser().api.users.signIn.mutate({ ...login, code: codes![0]! });
  await signIn(testSite.browser(), device);
  // The step ends with the last passkey, so that people do not lock themselves out.
  await ana.api.users.removePasskey.mutate({ id: device.id, password });
  expect(await ana.api.users.access.query()).toMatchObject({ passkeyStep: false, codesLeft: 0 });
  await testSite.browser().api.users.signIn.mutate(login);
});
