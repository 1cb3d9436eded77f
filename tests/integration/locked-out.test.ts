import { expect, test } from "vitest";
import { hashSecret } from "../../src/server/ids.ts";
import { setStored } from "../../src/server/users/site-queries.ts";
import { tidyAccounts } from "../../src/server/users/housekeeping.ts";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient } from "../support/api-client.ts";
import { password, refusal, startTown, until, type Browser, type Town } from "../support/town.ts";

/* Who gets in whatever strangers try, and who does not. Behind a proxy, so that people have addresses of their own. */

const wrongPair = { code: "UNAUTHORIZED", message: "That email address and password don’t match." };
const tooMany = { code: "TOO_MANY_REQUESTS" };
const settings = { RATE_LIMIT: "on", TRUST_PROXY: "on" };

/** Signs in from an address, as a browser's page does. */
const signInFrom = (address: string, browser: Browser, email: string, secret = password) =>
  call(address, browser, "signIn", { email, password: secret });

async function call(address: string, browser: Browser, procedure: string, input: object): Promise<void> {
  const response = await browser.fetch(`/trpc/users.${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { error?: { message: string; data: object } };
  if (answer.error) throw Object.assign(new Error(answer.error.message), { data: answer.error.data });
}

/** As many wrong passwords as one pair of address and account, or one address, has. */
async function guess(town: Town, address: string, emails: string[]): Promise<void> {
  const thief = town.browser();
  for (const email of emails)
    expect(await refusal(signInFrom(address, thief, email, "a guess"))).toEqual(wrongPair);
}
const times = <T>(count: number, value: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => value(index));
const known = (town: Town) => town.rows<{ user_id: string }>("select user_id from known_browsers").length;

/** Sign-ups cost no work here: their number is what counts. */
const nobodyWorks = (town: Town) => town.write((tx) => setStored(tx, "signUpWork", "off"));

test("strangers who guess lock nobody out but themselves", async () => {
  await using town = await startTown(settings);
  const ana = await town.resident("Ana");
  await guess(
    town,
    "203.0.113.1",
    times(10, () => ana.email),
  );
  expect(await refusal(signInFrom("203.0.113.1", town.browser(), ana.email))).toMatchObject(tooMany);
  expect(await refusal(signInFrom("203.0.113.1", town.browser(), ana.email.toUpperCase()))).toMatchObject(
    tooMany,
  );
  const answer = await town.browser().fetch("/trpc/users.signIn", {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.1" },
    body: JSON.stringify({ email: ana.email, password }),
  });
  const { error } = (await answer.json()) as { error: { data: { retryAfter: number } } };
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, String(error.data.retryAfter)]);
  // Somewhere else, with nothing but the password.
  await signInFrom("203.0.113.2", town.browser(), ana.email);
  // There, for somebody else.
  await signInFrom("203.0.113.1", town.browser(), (await town.resident("Bob")).email);
});

test("a household with IPv6 is one address, whatever addresses it makes", async () => {
  await using town = await startTown(settings);
  const ana = await town.resident("Ana");
  for (let index = 1; index <= 10; index++) await guess(town, `2001:db8:1:2::${index}`, [ana.email]);
  expect(await refusal(signInFrom("2001:db8:1:2:ffff::9", town.browser(), ana.email))).toMatchObject(tooMany);
  await signInFrom("2001:db8:1:3::1", town.browser(), ana.email);
});

test("a browser that signed in before gets in where its address has had enough", async () => {
  await using town = await startTown(settings);
  const ana = await town.resident("Ana");
  await ana.api.users.signOut.mutate();
  await guess(
    town,
    "203.0.113.1",
    times(50, (index) => `${index}@example.org`),
  );
  expect(await refusal(signInFrom("203.0.113.1", town.browser(), ana.email))).toMatchObject(tooMany);
  await signInFrom("203.0.113.1", ana, ana.email);
  // What strangers did is not forgiven for it.
  expect(await refusal(signInFrom("203.0.113.1", town.browser(), ana.email))).toMatchObject(tooMany);
});

test("a browser that is known to one account is a stranger's to the others", async () => {
  await using town = await startTown(settings);
  const [ana, bob] = [await town.resident("Ana"), await town.resident("Bob")];
  await guess(
    town,
    "203.0.113.1",
    times(10, () => bob.email),
  );
  expect(await refusal(signInFrom("203.0.113.1", ana, bob.email))).toMatchObject(tooMany);
  // Both at one browser: it is known to each.
  await signInFrom("203.0.113.2", ana, bob.email);
  await signInFrom("203.0.113.1", ana, bob.email);
  await guess(
    town,
    "203.0.113.1",
    times(10, () => ana.email),
  );
  await signInFrom("203.0.113.1", ana, ana.email);
});

test("a known browser's cookie is no way to guess without end", async () => {
  await using town = await startTown(settings);
  const ana = await town.resident("Ana");
  const stolen = town.browser();
  stolen.known = ana.known;
  for (let tries = 0; tries < 20; tries++)
    expect(await refusal(signInFrom(`203.0.113.${tries}`, stolen, ana.email, "a guess"))).toEqual(wrongPair);
  expect(await refusal(signInFrom("203.0.113.99", stolen, ana.email))).toMatchObject(tooMany);
  // Whoever has another browser, or none of hers, is not held up by it.
  await signInFrom("203.0.113.98", town.browser(), ana.email);
});

test("whoever has just chosen a new password gets in, in this browser and at this address", async () => {
  await using town = await startTown(settings);
  const ana = await town.resident("Ana");
  const token = async () => {
    await ana.api.users.forgotPassword.mutate({ email: ana.email });
    return town.mailedToken(ana.email, "reset-password");
  };
  await guess(town, "203.0.113.1", [
    ...times(10, () => ana.email),
    ...times(40, (index) => `${index}@example.org`),
  ]);
  const phone = town.browser();
  // So many wrong links have been tried from there, too.
  for (let tries = 0; tries < 50; tries++)
    await call("203.0.113.1", phone, "resetPassword", { token: `x${tries}`, password }).catch(
      () => undefined,
    );
  await call("203.0.113.1", phone, "resetPassword", { token: await token(), password: "an even better one" });
  await signInFrom("203.0.113.1", phone, ana.email, "an even better one");
  // The mail was opened elsewhere than the site; and for a while only.
  const laptop = town.browser();
  for (let tries = 0; tries < 5; tries++)
    expect(await refusal(signInFrom("203.0.113.1", laptop, ana.email, "a typo"))).toEqual(wrongPair);
  await signInFrom("203.0.113.1", laptop, ana.email, "an even better one");
  for (let tries = 0; tries < 20; tries++)
    expect(await refusal(signInFrom("203.0.113.1", town.browser(), ana.email, "a typo"))).toEqual(wrongPair);
  expect(await refusal(signInFrom("203.0.113.1", town.browser(), ana.email))).toMatchObject(tooMany);
});

test("a new password forgets every browser but the one that chose it; ending all other sessions does so too", async () => {
  await using town = await startTown(settings);
  const ana = await town.resident("Ana");
  const [laptop, library] = [town.browser(), town.browser()];
  for (const browser of [laptop, library]) await signInFrom("203.0.113.2", browser, ana.email);
  expect(known(town)).toBe(3);
  await ana.api.users.revokeOtherSessions.mutate();
  expect(known(town)).toBe(1);
  await signInFrom("203.0.113.2", laptop, ana.email);
  await ana.api.users.forgotPassword.mutate({ email: ana.email });
  const token = await town.mailedToken(ana.email, "reset-password");
  await laptop.api.users.resetPassword.mutate({ token, password: "an even better one" });
  expect(known(town)).toBe(1);
  await guess(
    town,
    "203.0.113.1",
    times(10, () => ana.email),
  );
  expect(await refusal(signInFrom("203.0.113.1", ana, ana.email, "an even better one"))).toMatchObject(
    tooMany,
  );
  await signInFrom("203.0.113.1", laptop, ana.email, "an even better one");
});

test("a browser's cookie is for this site alone, signs nobody in, and the store has only its hash", async () => {
  await using town = await startTown({ PUBLIC_URL: "https://reprise.example" });
  const ana = await town.resident("Ana");
  const response = await ana.fetch("/trpc/users.signIn", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ana.email, password }),
  });
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith("__Host-browser="));
  expect(cookie).toMatch(
    /^__Host-browser=[\w-]{43}; HttpOnly; Max-Age=31536000; Path=\/; SameSite=Lax; Secure$/,
  );
  const secret = ana.known.split("=")[1] ?? "";
  const stored = JSON.stringify(town.rows("select * from known_browsers"));
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(hashSecret(secret));
  const thief = town.browser(`__Host-session=${secret}; ${ana.known}`);
  expect(await thief.api.users.me.query()).toBeNull();
});

test("an account knows its twenty newest browsers, a program is none, and who stays away for a year is forgotten", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const client = new ApiClient(town);
  for (let index = 0; index < 5; index++) {
    const { headers } = await client.call("POST", "/signin", { email: ana.email, password });
    expect(headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["session"]);
  }
  expect(known(town)).toBe(1);
  const page = await client.call("POST", "/signin", { email: ana.email, password }, { origin: town.url });
  expect(page.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["session", "browser"]);
  const foreign = { origin: "https://elsewhere.example" };
  await client.call("POST", "/signin", { email: ana.email, password }, foreign);
  expect(known(town)).toBe(2);
  for (let index = 0; index < limits.browser.most; index++)
    await town.browser().api.users.signIn.mutate({ email: ana.email, password });
  expect(known(town)).toBe(limits.browser.most);
  await tidyAccounts(town.app.parts.database, Date.now() + limits.browser.keptFor - 60_000);
  expect(known(town)).toBe(limits.browser.most);
  await tidyAccounts(town.app.parts.database, Date.now() + limits.browser.keptFor + 60_000);
  expect(known(town)).toBe(0);
});

test("forgotten passwords, sign-ups and links sent again are counted apart", async () => {
  await using town = await startTown(settings);
  await nobodyWorks(town);
  const guest = town.browser();
  const from = "203.0.113.1";
  const up = (index: number) => ({ name: "Ana", email: `${index}@example.org`, password });
  const at = (index: number) => ({ email: `${index}@example.org` });
  await town.write((tx) => setStored(tx, "dailySignUps", "3"));
  for (let index = 0; index < 3; index++) await call(from, guest, "signUp", up(index));
  expect(await refusal(call(from, guest, "signUp", up(3)))).toMatchObject(tooMany);
  for (let index = 0; index < 20; index++) await call(from, guest, "forgotPassword", at(100 + index));
  expect(await refusal(call(from, guest, "forgotPassword", at(120)))).toMatchObject(tooMany);
  for (let index = 0; index < 20; index++) await call(from, guest, "resendVerification", at(100 + index));
  expect(await refusal(call(from, guest, "resendVerification", at(120)))).toMatchObject(tooMany);
  await call("203.0.113.2", guest, "forgotPassword", at(0));
});

test("a stranger does not use up the mails that somebody may be sent", async () => {
  await using town = await startTown(settings);
  await nobodyWorks(town);
  const ana = await town.resident("Ana");
  const stranger = town.browser();
  const mails = async (what: string) =>
    (await town.mailsTo(ana.email)).filter((mail) => mail.includes(what)).length;
  const up = { name: "Ana", email: ana.email, password };
  for (let index = 0; index < 10; index++) await call("203.0.113.1", stranger, "signUp", up);
  for (let index = 0; index < 10; index++)
    await call("203.0.113.1", stranger, "forgotPassword", { email: ana.email });
  await until(async () => (await mails("reset-password")) === 5);
  await call("203.0.113.2", town.browser(), "forgotPassword", { email: ana.email });
  await until(async () => (await mails("reset-password")) === 6);
  expect(await mails("You already have an account")).toBe(5);
  // However many strangers there are, a mailbox has its bound.
  for (let index = 0; index < 30; index++)
    await call(`198.51.100.${index}`, stranger, "forgotPassword", { email: ana.email });
  await until(async () => (await mails("reset-password")) === 20);
});

test("whoever knows the password of an account that waits is told where its link is, once enough were sent", async () => {
  await using town = await startTown(settings);
  await nobodyWorks(town);
  const ana = town.browser();
  await call("203.0.113.1", ana, "signUp", { name: "Ana", email: "ana@example.org", password });
  const signIn = () => refusal(signInFrom("203.0.113.1", ana, "ana@example.org"));
  for (let index = 0; index < 4; index++)
    expect((await signIn()).message).toBe(
      "Please confirm your email address first: we’ve sent you the link again.",
    );
  expect((await signIn()).message).toBe(
    "Please confirm your email address first: the link is in the emails we sent you.",
  );
});
