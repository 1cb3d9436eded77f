import { expect, test } from "vitest";
import { setStored } from "../../src/server/users/site-queries.ts";
import { ApiClient } from "../support/api-client.ts";
import { client, OpenIdProvider } from "../support/openid.ts";
import { password, startTown, type Browser, type Town } from "../support/town.ts";

const publicUrl = "http://reprise.test";

async function townWithGoogle(
  settings: Record<string, string> = {},
): Promise<{ town: Town; google: OpenIdProvider } & AsyncDisposable> {
  const google = await OpenIdProvider.start(`${publicUrl}/google/callback`);
  const town = await startTown({
    PUBLIC_URL: publicUrl,
    GOOGLE_CLIENT_ID: client.id,
    GOOGLE_CLIENT_SECRET: client.secret,
    GOOGLE_ISSUER: google.issuer,
    ...settings,
  });
  return {
    town,
    google,
    [Symbol.asyncDispose]: async () => {
      await town[Symbol.asyncDispose]();
      await google[Symbol.asyncDispose]();
    },
  };
}

/** Sets out for Google and comes back; answers with where the site then sends the browser. */
async function throughGoogle(
  town: Town,
  google: OpenIdProvider,
  login: string,
  change: (callback: URL) => void = () => undefined,
): Promise<{ browser: Browser; to: string | null }> {
  const browser = town.browser();
  const start = await fetch(`${town.url}/google?next=/settings`, { redirect: "manual" });
  const kept = start.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
  const callback = new URL(await google.agree(start.headers.get("location") ?? "", login, publicUrl));
  change(callback);
  const back = await fetch(town.url + callback.pathname + callback.search, {
    redirect: "manual",
    headers: { cookie: kept },
  });
  const session = back.headers.getSetCookie().find((cookie) => cookie.startsWith("session="));
  browser.cookie = session?.split(";")[0] ?? "";
  return { browser, to: back.headers.get("location") };
}

/** A token that the provider gives a client which asks by itself, as old clients do. */
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

const googleAuth = (town: Town, accessToken: string) =>
  new ApiClient(town).call("POST", "/google-auth", { accessToken });

test("somebody new continues with Google, chooses interests, and is the same person the next time", async () => {
  await using site = await townWithGoogle();
  const { town, google } = site;
  const first = await throughGoogle(town, google, "ana");
  expect(first.to).toBe("/select-interests");
  const me = await first.browser.api.users.me.query();
  expect(me).toMatchObject({ email: "ana@example.org", name: "ana", username: "ana" });
  const second = await throughGoogle(town, google, "ana");
  expect((await second.browser.api.users.me.query())?.id).toBe(me?.id);
});

test("whoever is new counts for the day of their network, and whoever comes back does not", async () => {
  await using there = await townWithGoogle({ RATE_LIMIT: "on" });
  const { town, google } = there;
  await town.write((tx) => setStored(tx, "dailySignUps", "1"));
  const come = async (login: string) => (await throughGoogle(town, google, login)).to;
  expect(await come("dora")).toBe("/select-interests");
  expect(await come("emil")).toBe("/signin?google=failed");
  expect(await come("dora")).toBe("/select-interests");
  expect(town.rows("select email from users")).toEqual([{ email: "dora@example.org" }]);
});

test("a confirmed account with the same address is linked, and its password still works", async () => {
  await using site = await townWithGoogle();
  const { town, google } = site;
  const ana = await town.resident("Ana");
  google.people.set("ana", { email: ana.email.toUpperCase(), email_verified: true, name: "Ana from Google" });
  const { browser } = await throughGoogle(town, google, "ana");
  expect(await browser.api.users.me.query()).toMatchObject({ id: ana.me.id, name: "Ana" });
  await expect(
    town.browser().api.users.signIn.mutate({ email: ana.email, password: "correct horse battery" }),
  ).resolves.toBeTruthy();
});

test("undoing an address unlinks the Google account that was linked in those days, and keeps an older one", async () => {
  await using site = await townWithGoogle();
  const { town, google } = site;
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  google.people.set("ben", { email: ben.email, email_verified: true, name: "Ben" });
  await throughGoogle(town, google, "ben");
  await town.write(
    async ({ drizzle }) =>
      void (await drizzle.run("update users set google_linked_at = google_linked_at - 8 * 86400000")),
  );
  for (const [who, email] of [
    [ana, "thief@example.org"],
    [ben, "thief2@example.org"],
  ] as const) {
    await who.api.users.changeEmail.mutate({ email, password });
    await who.api.users.followEmailLink.mutate({ token: await town.mailedToken(email, "change-email") });
  }
  google.people.set("thief", { email: "thief@example.org", email_verified: true, name: "Thief" });
  const thief = await throughGoogle(town, google, "thief");
  expect((await thief.browser.api.users.me.query())?.id).toBe(ana.me.id);
  for (const { email } of [ana, ben])
    await town
      .browser()
      .api.users.followEmailLink.mutate({ token: await town.mailedToken(email, "change-email") });
  const again = await throughGoogle(town, google, "thief");
  expect((await again.browser.api.users.me.query())?.id).not.toBe(ana.me.id);
  const back = await throughGoogle(town, google, "ben");
  expect((await back.browser.api.users.me.query())?.id).toBe(ben.me.id);
});

test("an account that never confirmed its address loses the name and password that somebody else may have given", async () => {
  await using site = await townWithGoogle();
  const { town, google } = site;
  await town
    .browser()
    .api.users.signUp.mutate({ name: "Not Ana", email: "ana@example.org", password: "set by a stranger" });
  const token = await town.mailedToken("ana@example.org", "verify-email");
  const { browser } = await throughGoogle(town, google, "ana");
  expect((await browser.api.users.me.query())?.name).toBe("ana");
  // Nor does the link of that sign-up bring it back, which went to Ana.
  await expect(browser.api.users.verifyEmail.mutate({ token })).rejects.toThrow(/already used/);
  await expect(
    town.browser().api.users.signIn.mutate({ email: "ana@example.org", password: "set by a stranger" }),
  ).rejects.toThrow(/don’t match/);
});

test("an address that Google has not confirmed signs nobody in", async () => {
  await using site = await townWithGoogle();
  const { town, google } = site;
  google.people.set("eve", { email: "ana@example.org", email_verified: false, name: "Eve" });
  const { browser, to } = await throughGoogle(town, google, "eve");
  expect(to).toBe("/signin?google=failed");
  expect(await browser.api.users.me.query()).toBeNull();
});

test("a callback that this browser did not set out for signs nobody in", async () => {
  await using site = await townWithGoogle();
  const { town, google } = site;
  const { to } = await throughGoogle(town, google, "ana", (callback) =>
    callback.searchParams.set("state", "of somebody else"),
  );
  expect(to).toBe("/signin?google=failed");
});

test("the API takes an ID token and an access token issued to this site, and none issued to another", async () => {
  await using site = await townWithGoogle();
  const { town, google } = site;
  const ours = await tokensOf(google, client.id, "ana");
  for (const token of [ours.id_token, ours.access_token]) {
    const answer = await googleAuth(town, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      user: { email: "ana@example.org", token: expect.any(String) },
      message: expect.any(String),
    });
  }
  const theirs = await tokensOf(google, "another-site", "ana");
  for (const token of [theirs.id_token, theirs.access_token, "made up", ours.id_token.slice(0, -4)]) {
    const answer = await googleAuth(town, token);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ success: false, message: expect.stringMatching(/Google/) });
  }
});

test("without credentials there is no Google sign-in", async () => {
  await using town = await startTown();
  expect((await town.browser().api.users.site.query()).google).toBe(false);
  expect((await googleAuth(town, "anything")).status).toBe(404);
});

test("an address that names its way back twice sets out; while Google does not answer, the API says so", async () => {
  const site = await townWithGoogle();
  await using town = site.town;
  const { google } = site;
  expect((await fetch(`${town.url}/google?next=/a&next=/b`, { redirect: "manual" })).status).toBe(302);
  const { access_token: token } = await tokensOf(google, client.id, "ana");
  await google[Symbol.asyncDispose]();
  const answer = await googleAuth(town, token);
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    success: false,
    message: expect.stringContaining("We can’t reach Google"),
  });
});
