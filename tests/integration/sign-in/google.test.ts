import { expect, test } from "vitest";
import { setSiteSetting } from "../../../src/server/site/queries.ts";
import { ApiClient } from "../../support/api-client.ts";
import { client, OpenIdProvider } from "../../support/openid.ts";
import { forThisTest } from "../../support/site-with.ts";
import { password, startTestSite, type Browser, type TestSite } from "../../support/test-site.ts";

const publicUrl = "http://reprise.test";

async function startGoogleSite(settings: Record<string, string> = {}) {
  const google = forThisTest(await OpenIdProvider.start(`${publicUrl}/google/callback`));
  const testSite = forThisTest(
    await startTestSite({
      PUBLIC_URL: publicUrl,
      GOOGLE_CLIENT_ID: client.id,
      GOOGLE_CLIENT_SECRET: client.secret,
      GOOGLE_ISSUER: google.issuer,
      ...settings,
    }),
  );
  return { testSite, google };
}

/** Signs in through the provider, and returns where the site redirects. */
async function signInWithGoogle(
  testSite: TestSite,
  google: OpenIdProvider,
  login: string,
  change: (callback: URL) => void = () => undefined,
): Promise<{ browser: Browser; location: string | null }> {
  const browser = testSite.browser();
  const start = await fetch(`${testSite.url}/google?next=/settings`, { redirect: "manual" });
  const cookie = start.headers
    .getSetCookie()
    .map((header) => header.split(";")[0])
    .join("; ");
  const callback = new URL(await google.agree(start.headers.get("location") ?? "", login, publicUrl));
  change(callback);
  const answer = await fetch(testSite.url + callback.pathname + callback.search, {
    redirect: "manual",
    headers: { cookie },
  });
  const session = answer.headers.getSetCookie().find((header) => header.startsWith("session="));
  browser.cookie = session?.split(";")[0] ?? "";
  return { browser, location: answer.headers.get("location") };
}

/** Returns tokens as issued to a client that requests them itself. */
async function tokensOf(
  google: OpenIdProvider,
  clientId: string,
  login: string,
): Promise<{ access_token: string; id_token: string }> {
  const verifier = "v".repeat(64);
  const challenge = Buffer.from(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)),
  ).toString("base64url");
  const redirect = `${publicUrl}/google/callback`;
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    scope: "openid email profile",
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const code =
    new URL(await google.agree(`${google.issuer}/auth?${query}`, login, publicUrl)).searchParams.get(
      "code",
    ) ?? "";
  const answer = await fetch(`${google.issuer}/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(client.secret)}`).toString("base64")}`,
    },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
    }),
  });
  return (await answer.json()) as { access_token: string; id_token: string };
}

const googleAuth = (testSite: TestSite, accessToken: string) =>
  new ApiClient(testSite).call("POST", "/google-auth", { accessToken });

test("creates an account at the first sign-in with Google, and finds the same one at the next", async () => {
  const { testSite, google } = await startGoogleSite();
  const first = await signInWithGoogle(testSite, google, "ana");
  expect(first.location).toBe("/select-interests");
  const me = await first.browser.api.users.me.query();
  expect(me).toMatchObject({ email: "ana@example.org", name: "ana", username: "ana" });
  const second = await signInWithGoogle(testSite, google, "ana");
  expect((await second.browser.api.users.me.query())?.id).toBe(me?.id);
});

test("counts new accounts, but not returning ones, towards the daily sign-up limit of their network", async () => {
  const { testSite, google } = await startGoogleSite({ RATE_LIMIT: "on" });
  await testSite.write((tx) => setSiteSetting(tx, "dailySignUps", "1"));
  const signInAs = async (login: string) => (await signInWithGoogle(testSite, google, login)).location;
  expect(await signInAs("dora")).toBe("/select-interests");
  expect(await signInAs("emil")).toBe("/signin?google=failed");
  expect(await signInAs("dora")).toBe("/select-interests");
  expect(testSite.rows("select email from users")).toEqual([{ email: "dora@example.org" }]);
});

test("links a confirmed account with the same address, and keeps its password", async () => {
  const { testSite, google } = await startGoogleSite();
  const ana = await testSite.createAccount("Ana");
  google.people.set("ana", { email: ana.email.toUpperCase(), email_verified: true, name: "Ana from Google" });
  const { browser } = await signInWithGoogle(testSite, google, "ana");
  expect(await browser.api.users.me.query()).toMatchObject({ id: ana.me.id, name: "Ana" });
  await expect(
    testSite.browser().api.users.signIn.mutate({ email: ana.email, password: "correct horse battery" }),
  ).resolves.toBeTruthy();
});

test("unlinks a Google account linked since an address change when that is undone, and keeps an older one", async () => {
  const { testSite, google } = await startGoogleSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  google.people.set("ben", { email: ben.email, email_verified: true, name: "Ben" });
  await signInWithGoogle(testSite, google, "ben");
  await testSite.run("update users set google_linked_at = google_linked_at - 8 * 86400000");
  for (const [person, email] of [
    [ana, "thief@example.org"],
    [ben, "thief2@example.org"],
  ] as const) {
    await person.api.users.changeEmail.mutate({ email, password });
    await person.api.users.followEmailLink.mutate({
      token: await testSite.mailedToken(email, "change-email"),
    });
  }
  google.people.set("thief", { email: "thief@example.org", email_verified: true, name: "Thief" });
  const thief = await signInWithGoogle(testSite, google, "thief");
  expect((await thief.browser.api.users.me.query())?.id).toBe(ana.me.id);
  for (const { email } of [ana, ben])
    await testSite
      .browser()
      .api.users.followEmailLink.mutate({ token: await testSite.mailedToken(email, "change-email") });
  const second = await signInWithGoogle(testSite, google, "thief");
  expect((await second.browser.api.users.me.query())?.id).not.toBe(ana.me.id);
  const returning = await signInWithGoogle(testSite, google, "ben");
  expect((await returning.browser.api.users.me.query())?.id).toBe(ben.me.id);
});

test("drops the name and password of an unconfirmed account with the same address", async () => {
  const { testSite, google } = await startGoogleSite();
  await testSite
    .browser()
    .api.users.signUp.mutate({ name: "Not Ana", email: "ana@example.org", password: "set by a stranger" });
  const token = await testSite.mailedToken("ana@example.org", "verify-email");
  const { browser } = await signInWithGoogle(testSite, google, "ana");
  expect((await browser.api.users.me.query())?.name).toBe("ana");
  // Nor does the sign-up's link, which went to Ana.
  await expect(browser.api.users.verifyEmail.mutate({ token })).rejects.toThrow(/already used/);
  await expect(
    testSite.browser().api.users.signIn.mutate({ email: "ana@example.org", password: "set by a stranger" }),
  ).rejects.toThrow(/don’t match/);
});

test("refuses an address that Google has not confirmed", async () => {
  const { testSite, google } = await startGoogleSite();
  google.people.set("eve", { email: "ana@example.org", email_verified: false, name: "Eve" });
  const { browser, location } = await signInWithGoogle(testSite, google, "eve");
  expect(location).toBe("/signin?google=failed");
  expect(await browser.api.users.me.query()).toBeNull();
});

test("refuses a callback with a state that this browser did not start", async () => {
  const { testSite, google } = await startGoogleSite();
  const { location } = await signInWithGoogle(testSite, google, "ana", (callback) =>
    callback.searchParams.set("state", "of somebody else"),
  );
  expect(location).toBe("/signin?google=failed");
});

test("accepts ID and access tokens issued to this site over REST, and none issued to another", async () => {
  const { testSite, google } = await startGoogleSite();
  const ownTokens = await tokensOf(google, client.id, "ana");
  for (const token of [ownTokens.id_token, ownTokens.access_token]) {
    const answer = await googleAuth(testSite, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      user: { email: "ana@example.org", token: expect.any(String) },
      message: expect.any(String),
    });
  }
  const otherTokens = await tokensOf(google, "another-site", "ana");
  for (const token of [
    otherTokens.id_token,
    otherTokens.access_token,
    "made up",
    ownTokens.id_token.slice(0, -4),
  ]) {
    const answer = await googleAuth(testSite, token);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ success: false, message: expect.stringMatching(/Google/) });
  }
});

test("offers no Google sign-in without credentials", async () => {
  await using testSite = await startTestSite();
  expect((await testSite.browser().api.users.site.query()).google).toBe(false);
  expect((await googleAuth(testSite, "anything")).status).toBe(404);
});

test("redirects with a repeated `next` parameter, and answers 503 over REST while Google is unreachable", async () => {
  const { testSite, google } = await startGoogleSite();
  expect((await fetch(`${testSite.url}/google?next=/a&next=/b`, { redirect: "manual" })).status).toBe(302);
  const { access_token: token } = await tokensOf(google, client.id, "ana");
  await google[Symbol.asyncDispose]();
  const answer = await googleAuth(testSite, token);
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    success: false,
    message: expect.stringContaining("We can’t reach Google"),
  });
});
