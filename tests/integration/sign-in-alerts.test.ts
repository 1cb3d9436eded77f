import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { mailsTo } from "../support/browser.ts";
import { password, startTown, until, type Browser, type Town } from "../support/town.ts";

/* Whoever has an account hears of a sign-in from where there was none before. */

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const told = async (town: Town, email: string) =>
  (await mailsTo(town.config.outboxDir, email)).filter((mail) =>
    mail.includes("New sign-in to your account"),
  );
const signIn = (browser: Browser, email: string) =>
  browser.fetch("/trpc/users.signIn", {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": firefox },
    body: JSON.stringify({ email, password }),
  });
/** What was posted before this has gone out. */
const posted = async (town: Town) =>
  until(
    () => town.rows("select 1 from jobs where name = 'mail' and failed_at is null").length === 0,
    "the post",
  );

test("a new browser is told of by mail, a known one and the first one are not", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await ana.api.users.signIn.mutate({ email: ana.email, password });
  await posted(town);
  expect(await told(town, ana.email)).toEqual([]);
  const phone = town.browser();
  await signIn(phone, ana.email);
  await posted(town);
  const [mail] = await told(town, ana.email);
  expect(mail).toContain("Firefox on Windows, from 127.0.0.1");
  expect(mail).toContain(`${town.config.publicUrl}/undo-access/`);
  await signIn(phone, ana.email);
  await posted(town);
  expect(await told(town, ana.email)).toHaveLength(1);
});

test("a program is told of where none of its name is signed in", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const login = { email: ana.email, password };
  const api = new ApiClient(town);
  await api.call("POST", "/signin", login);
  await posted(town);
  expect(await told(town, ana.email)).toEqual([]);
  for (let turn = 0; turn < 2; turn++)
    await api.call("POST", "/signin", login, { "user-agent": "reader/1.0" });
  await posted(town);
  const mails = await told(town, ana.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("reader, from");
});

test("a wrong password is told to nobody, and many sign-ins do not fill a mailbox", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const ana = await town.resident("Ana");
  await town
    .browser()
    .api.users.signIn.mutate({ email: ana.email, password: "a guess" })
    .catch(() => undefined);
  await posted(town);
  expect(await told(town, ana.email)).toEqual([]);
  for (let turn = 0; turn < 25; turn++) await signIn(town.browser(), ana.email);
  await posted(town);
  expect(await told(town, ana.email)).toHaveLength(20);
});
