import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { solveTask } from "../../support/browser.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { client, OpenIdProvider } from "../../support/openid.ts";
import { forThisTest } from "../../support/site-with.ts";
import { password, refusal, startTestSite } from "../../support/test-site.ts";

/* Sign-ins and sign-ups whose requests reach different servers of one site. */

const publicUrl = "http://reprise.test";

async function startTwo(settings: Record<string, string> = {}) {
  const one = forThisTest(await startTestSite({ PUBLIC_URL: publicUrl, ...settings }));
  const { dataDir } = one.config;
  const other = forThisTest(await startTestSite({ PUBLIC_URL: publicUrl, ...settings, DATA_DIR: dataDir }));
  return { one, other, ana: await one.createAccount("Ana") };
}

describe.skipIf(!isPostgres)("two servers on one PostgreSQL", () => {
  test("wrong passwords on both count together", async () => {
    const { one, other, ana } = await startTwo({ RATE_LIMIT: "on" });
    const signIn = (testSite: typeof one, secret: string) =>
      testSite.browser().api.users.signIn.mutate({ email: ana.email, password: secret });
    for (let count = 0; count < 5; count++)
      for (const testSite of [one, other]) await expectRefusal(signIn(testSite, "a guess"), "UNAUTHORIZED");
    for (const testSite of [one, other]) await expectRefusal(signIn(testSite, password), "TOO_MANY_REQUESTS");
    const stored = JSON.stringify(one.rows("select * from rate_limits"));
    expect(stored).toContain("signInPair:");
    for (const readable of [ana.email, "127.0.0.1"]) expect(stored).not.toContain(readable);
  });

  test("a password that was reset on one signs in on the other at a locked-out address", async () => {
    const { one, other, ana } = await startTwo({ RATE_LIMIT: "on" });
    const signIn = (secret: string) =>
      other.browser().api.users.signIn.mutate({ email: ana.email, password: secret });
    for (let count = 0; count < 10; count++) await expectRefusal(signIn("a guess"), "UNAUTHORIZED");
    await expectRefusal(signIn(password), "TOO_MANY_REQUESTS");
    await ana.api.users.forgotPassword.mutate({ email: ana.email });
    const token = await one.mailedToken(ana.email, "reset-password");
    await one.browser().api.users.resetPassword.mutate({ token, password: "an even better one" });
    expect((await signIn("an even better one")).viewer.id).toBe(ana.me.id);
  });

  test("a passkey that is begun on one is added and signs in on the other, once", async () => {
    const { one, other, ana } = await startTwo();
    const device = new Authenticator(publicUrl);
    const { options: setup } = await ana.api.users.beginPasskey.mutate({ password });
    const anaThere = Object.assign(other.browser(ana.cookie), { begun: ana.begun });
    const key = { name: "A phone", response: device.create(setup) };
    await anaThere.api.users.addPasskey.mutate(key);
    const tooLate = { code: "BAD_REQUEST", message: "That took too long. Please try again." };
    await expectRefusal(ana.api.users.addPasskey.mutate(key), tooLate);
    const [browser, browserThere] = [one.browser(), other.browser()];
    const { options } = await browser.api.users.passkeyOptions.mutate();
    browserThere.begun = browser.begun;
    const response = device.get(options);
    const { viewer } = await browserThere.api.users.signInWithPasskey.mutate({ response });
    expect(viewer.id).toBe(ana.me.id);
    for (const { api } of [browser, browserThere])
      await expectRefusal(api.users.signInWithPasskey.mutate({ response }), tooLate);
  });

  test("a sign-in with Google that waits for its second step on one is finished on the other, once", async () => {
    const google = forThisTest(await OpenIdProvider.start(`${publicUrl}/google/callback`));
    const { one, other, ana } = await startTwo({
      GOOGLE_CLIENT_ID: client.id,
      GOOGLE_CLIENT_SECRET: client.secret,
      GOOGLE_ISSUER: google.issuer,
    });
    const { secret } = await ana.api.users.beginApp.mutate({ password });
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { codes } = await ana.api.users.confirmApp.mutate({ code });
    google.people.set("ana", { email: ana.email, email_verified: true, name: "Ana" });
    const start = await fetch(`${one.url}/google`, { redirect: "manual" });
    const [cookie = ""] = start.headers.getSetCookie().map((header) => header.split(";")[0] ?? "");
    const callback = new URL(await google.agree(start.headers.get("location") ?? "", "ana", publicUrl));
    const browser = one.browser();
    const answer = await browser.fetch(callback.pathname + callback.search, { headers: { cookie } });
    expect(answer.headers.get("location")).toContain("step=google");
    // The identity that Google confirmed is in the cookie, and nobody can read it there.
    expect(Buffer.from(browser.begun.split("=")[1] ?? "", "base64url").toString()).not.toContain(ana.email);
    const browserThere = Object.assign(other.browser(), { begun: browser.begun });
    const wrong = await refusal(browserThere.api.users.finishGoogle.mutate({ code: "a wrong code" }));
    expect(wrong.field).toBe("code");
    const { viewer } = await browserThere.api.users.finishGoogle.mutate({ code: codes[0]! });
    expect(viewer.id).toBe(ana.me.id);
    for (const [index, { api }] of [browser, browserThere].entries())
      await expectRefusal(api.users.finishGoogle.mutate({ code: codes[1 + index]! }), {
        code: "UNAUTHORIZED",
        message: "That took too long. Please go back and try again with Google.",
      });
  });

  test("a task of one is accepted by the other, once", async () => {
    const { one, other } = await startTwo();
    const [tasks, tasksThere] = [one, other].map(({ app }) => app.services.proofOfWork);
    const solution = solveTask(await tasks!.issue());
    expect(await tasksThere!.redeem(solution)).toBe(true);
    expect([await tasks!.redeem(solution), await tasksThere!.redeem(solution)]).toEqual([false, false]);
  });
});
