import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { mailsTo } from "../../support/browser.ts";
import { siteWith } from "../../support/site-with.ts";
import { password, startTestSite, until, type Browser, type TestSite } from "../../support/test-site.ts";

/* People are alerted of a sign-in from a new browser or program. */

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const alertsTo = async (testSite: TestSite, email: string) =>
  (await mailsTo(testSite.config.outboxDir, email)).filter((mail) =>
    mail.includes("New sign-in to your account"),
  );
const signIn = (browser: Browser, email: string) =>
  browser.fetch("/trpc/users.signIn", {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": firefox },
    body: JSON.stringify({ email, password }),
  });
/** Resolves when all queued emails are sent. */
const emailsSent = async (testSite: TestSite) =>
  until(
    () => testSite.rows("select 1 from jobs where name = 'mail' and failed_at is null").length === 0,
    "the post",
  );

test("emails an alert about a new browser, not about a known one or the first", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await ana.api.users.signIn.mutate({ email: ana.email, password });
  await emailsSent(testSite);
  expect(await alertsTo(testSite, ana.email)).toEqual([]);
  const phone = testSite.browser();
  await signIn(phone, ana.email);
  await emailsSent(testSite);
  const [mail] = await alertsTo(testSite, ana.email);
  expect(mail).toContain("Firefox on Windows, from 127.0.0.1");
  expect(mail).toContain(`${testSite.config.publicUrl}/undo-access/`);
  await signIn(phone, ana.email);
  await emailsSent(testSite);
  expect(await alertsTo(testSite, ana.email)).toHaveLength(1);
});

test("emails an alert once about a program with a new name", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const login = { email: ana.email, password };
  const api = new ApiClient(testSite);
  await api.call("POST", "/signin", login);
  await emailsSent(testSite);
  expect(await alertsTo(testSite, ana.email)).toEqual([]);
  for (let index = 0; index < 2; index++)
    await api.call("POST", "/signin", login, { "user-agent": "reader/1.0" });
  await emailsSent(testSite);
  const mails = await alertsTo(testSite, ana.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("reader, from");
});

test("emails no alert about a wrong password, and at most 20 for many sign-ins", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  await testSite
    .browser()
    .api.users.signIn.mutate({ email: ana.email, password: "a guess" })
    .catch(() => undefined);
  await emailsSent(testSite);
  expect(await alertsTo(testSite, ana.email)).toEqual([]);
  for (let index = 0; index < 25; index++) await signIn(testSite.browser(), ana.email);
  await emailsSent(testSite);
  expect(await alertsTo(testSite, ana.email)).toHaveLength(20);
});
