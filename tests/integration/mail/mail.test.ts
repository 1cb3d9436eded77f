import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { simpleParser } from "mailparser";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { openBrowser, submitSignUp } from "../../support/browser.ts";
import { startSmtpServer, type TestSmtpServer } from "../../support/smtp-server.ts";
import { changeBeside, rowsBeside } from "../../support/second-database.ts";
import { freePort, startServer } from "../../support/server.ts";
import { password, startTestSite, until, type TestSite } from "../../support/test-site.ts";

/** Signs up, which sends a link to confirm the address. */
const signUp = (testSite: TestSite, email = "ana@example.org") =>
  submitSignUp(testSite.browser(), { name: "Ana", email, password });
const jobs = (testSite: TestSite) =>
  testSite.rows<{
    payload: string;
    attempts: number;
    last_error: string | null;
    failed_at: number | null;
    due_at: number;
  }>("select payload, attempts, last_error, failed_at, due_at from jobs where name = 'mail'");
/** Makes the next attempt due. */
async function makeDue(testSite: TestSite): Promise<void> {
  await testSite.write(async (tx) => {
    await execute(tx, "update jobs set due_at = 0 where name = 'mail'");
    tx.signal(jobsTopic);
  });
}
const recipients = (smtpServer: TestSmtpServer) =>
  smtpServer.receivedEmails.map((mail) => [mail.to].flat()[0]?.text);

test("sends a sign-up's email over SMTP to that person only, with a link that works once", async () => {
  await using smtpServer = await startSmtpServer();
  await using testSite = await startTestSite({
    SMTP_URL: smtpServer.url,
    MAIL_FROM: "Post <post@example.org>",
    PUBLIC_URL: "https://blog.example.org",
  });
  const guest = testSite.browser();
  guest.cookie = "";
  const answer = await guest.fetch("/trpc/users.signUp", {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://blog.example.org" },
    body: JSON.stringify({ name: "Åsa Öberg", email: "asa@example.org", password: "long enough" }),
  });
  expect(answer.status).toBe(200);
  const mail = await until(() => smtpServer.receivedEmails[0], "the mail");
  expect(mail.from?.text).toContain("post@example.org");
  expect([mail.to].flat().map((to) => to?.text)).toEqual(["asa@example.org"]);
  expect(mail.text).toContain("Åsa Öberg");
  const token = /https:\/\/blog\.example\.org\/verify-email\/([\w-]+)/.exec(mail.text ?? "")?.[1] ?? "";
  const verify = () => fetch(`${testSite.url}/api/v1/verify-email/${token}`);
  expect((await verify()).status).toBe(200);
  expect((await verify()).status).toBe(400);
});

test("retries an email that is greylisted, and delivers it once", async () => {
  await using smtpServer = await startSmtpServer({
    onRecipient: (attempt) =>
      attempt <= 2 ? { responseCode: 450, message: "Greylisted, come back later" } : undefined,
  });
  await using testSite = await startTestSite({ SMTP_URL: smtpServer.url });
  await signUp(testSite);
  await until(() => jobs(testSite)[0]?.last_error?.includes("Greylisted"), "the first attempt");
  expect(jobs(testSite)).toMatchObject([{ attempts: 1, failed_at: null }]);
  await makeDue(testSite);
  await until(
    () => jobs(testSite)[0]?.attempts === 2 && (jobs(testSite)[0]?.due_at ?? 0) > 0,
    "the second attempt",
  );
  await makeDue(testSite);
  await until(() => jobs(testSite).length === 0, "the mail's way");
  expect(recipients(smtpServer)).toEqual(["ana@example.org"]);
});

test("loses no email while the mail server is down, and sends it once that is back", async () => {
  const port = await freePort();
  await using testSite = await startTestSite({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await signUp(testSite);
  await until(() => jobs(testSite)[0]?.last_error?.includes("ECONNREFUSED"), "the first attempt");
  await using smtpServer = await startSmtpServer({ port });
  await makeDue(testSite);
  await until(() => recipients(smtpServer).includes("ana@example.org"), "the mail");
  await until(() => jobs(testSite).length === 0);
});

test("ends attempts at a silent mail server after a timeout, six of them at once", async () => {
  const silentServer = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silentServer.once("listening", resolve));
  const { port } = silentServer.address() as { port: number };
  try {
    await using testSite = await startTestSite({ SMTP_URL: `smtp://127.0.0.1:${port}/?greetingTimeout=300` });
    await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => signUp(testSite, `${name}@example.org`)));
    await until(() => jobs(testSite).filter((job) => job.last_error?.includes("Greeting")).length === 6);
  } finally {
    silentServer.close();
  }
});

test("deletes the link of an email refused for good, and does not count it against the rate limit", async () => {
  await using smtpServer = await startSmtpServer({
    onRecipient: () => ({ responseCode: 550, message: "No such user here" }),
  });
  await using testSite = await startTestSite({ SMTP_URL: smtpServer.url, RATE_LIMIT: "on" });
  await signUp(testSite);
  const guest = testSite.browser();
  // More than the limit of an hour: none of them arrived.
  for (let attempt = 1; attempt <= 7; attempt++) {
    await guest.api.users.resendVerification.mutate({ email: "ana@example.org" });
    await until(() => jobs(testSite).filter((job) => job.failed_at !== null).length === attempt + 1);
  }
  expect(smtpServer.attempts()).toBe(8);
  for (const job of jobs(testSite)) {
    expect(job).toMatchObject({ attempts: 1, last_error: expect.stringContaining("No such user here") });
    expect(JSON.parse(job.payload)).toEqual({
      mail: { to: "ana@example.org", subject: expect.stringContaining("Confirm") },
    });
  }
});

test("a server killed while it sends an email sends it again after its restart, with the same message id", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-mail-"));
  let answer = () => {};
  const answerSent = new Promise<void>((resolve) => (answer = resolve));
  await using smtpServer = await startSmtpServer({ onMail: () => answerSent });
  const settings = { DATA_DIR: dataDir, SMTP_URL: smtpServer.url, LOG_LEVEL: "silent" };
  const server = await startServer(settings);
  const browser = openBrowser(server.url);
  await browser.api.users.signUp.mutate({ name: "Ana", email: "ana@example.org", password });
  await until(() => smtpServer.receivedEmails.length === 1, "the mail's first way");
  await server.kill();
  await browser.close();
  answer();
  // The killed server's lease lasts a while longer.
  expect(await changeBeside(dataDir, "update jobs set leased_until = 0 where name = 'mail'")).toBe(1);
  await using restarted = await startServer(settings);
  await until(() => smtpServer.receivedEmails.length === 2, "the mail's second way");
  expect(smtpServer.receivedEmails[1]?.messageId).toBe(smtpServer.receivedEmails[0]?.messageId);
  expect(smtpServer.receivedEmails[1]?.text).toBe(smtpServer.receivedEmails[0]?.text);
  await until(
    async () => (await rowsBeside(dataDir, "select 1 from jobs where name = 'mail'")).length === 0,
    "the end of the job",
  );
  await restarted.kill();
  await rm(dataDir, { recursive: true, force: true });
});

test("enqueues as much for an unknown address as for that of an account", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.signUpAndSignIn("Ana");
  await until(() => jobs(testSite).length === 0);
  const jobSignalsFor = async (email: string) => {
    const signals: string[] = [];
    const stopListening = testSite.app.services.bus.listen(jobsTopic, () => void signals.push("asked"));
    await testSite.browser().api.users.forgotPassword.mutate({ email });
    stopListening();
    return signals;
  };
  expect(await jobSignalsFor("nobody@example.org")).toEqual(await jobSignalsFor(ana.email));
  await until(async () => (await testSite.mailsTo(ana.email)).length === 2);
  await until(() => jobs(testSite).length === 0, "the end of a mail to nobody");
});

test("writes an email file that mail programs parse, with its link in one line", async () => {
  await using testSite = await startTestSite();
  const email = "zoe@example.org";
  await testSite.browser().api.users.signUp.mutate({ name: "Zoë Ørsted", email, password });
  const { outboxDir } = testSite.config;
  const name = await until(async () => (await readdir(outboxDir)).find((file) => file.endsWith(".eml")));
  const file = await readFile(path.join(outboxDir, name), "utf8");
  const [link = ""] = /https?:\/\/\S+\/verify-email\/[\w-]{40,}/.exec(file) ?? [];
  expect(link.length).toBeGreaterThan(70);
  const { text = "", to, headers } = await simpleParser(file);
  expect(text.split("\n").map((line) => line.trim())).toContain(link);
  expect(text).toContain("Zoë Ørsted");
  expect(to).toMatchObject({ text: email });
  // Programs guess the encoding of a file without these.
  expect(headers.get("content-type")).toEqual({ value: "text/plain", params: { charset: "utf-8" } });
  expect(headers.get("content-transfer-encoding")).toBe("8bit");
});

test("begins no header of an email on the line after its name, which some programs read as empty", async () => {
  await using testSite = await startTestSite({
    PUBLIC_URL: `https://${"a-long-subdomain.".repeat(4)}example.org`,
  });
  const { mailer } = testSite.app.services;
  const unsubscribe = `https://${"a-long-subdomain.".repeat(4)}example.org/unsubscribe/${"t".repeat(60)}`;
  const headers = { "List-Unsubscribe": `<${unsubscribe}>` };
  await mailer.send({ to: "zoe@example.org", subject: "Zoë’s news", text: "Hello", headers }, newId());
  const [file = ""] = await testSite.mailsTo("zoe@example.org");
  expect(file).toContain(`List-Unsubscribe: <${unsubscribe}>\r\n`);
  expect(file).toContain("a-long-subdomain.example.org>\r\n");
  expect(file).not.toMatch(/^[\w-]+:\s*$/m);
});

test("makes email files readable by their owner only, and deletes them after 30 days", async () => {
  await using testSite = await startTestSite();
  await signUp(testSite);
  const { outboxDir } = testSite.config;
  const name = await until(async () => (await readdir(outboxDir)).find((file) => file.endsWith(".eml")));
  const file = path.join(outboxDir, name);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(path.join(outboxDir, "notes.txt"), "the operator's own");
  const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
  for (const fileName of [name, "notes.txt"])
    await utimes(path.join(outboxDir, fileName), days(29), days(29));
  await testSite.app.services.mailer.sweep(Date.now());
  expect(await readdir(outboxDir)).toContain(name);
  for (const fileName of [name, "notes.txt"])
    await utimes(path.join(outboxDir, fileName), days(31), days(31));
  await testSite.app.services.mailer.sweep(Date.now());
  expect(await readdir(outboxDir)).toEqual(["notes.txt"]);
});

test("logs the file of an email, but not its link", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-log-"));
  let log = "";
  await using server = await startServer(
    { DATA_DIR: dataDir, LOG_LEVEL: "info" },
    { onLog: (text) => (log += text) },
  );
  const browser = openBrowser(server.url);
  await browser.api.users.signUp.mutate({ name: "Ana", email: "ana@example.org", password });
  await until(() => log.includes("the email was stored as a file"), "the mail");
  const [file = ""] = /[\w-]+\.eml/.exec(log) ?? [];
  const mail = await readFile(path.join(dataDir, "outbox", file), "utf8");
  expect(mail).toMatch(/verify-email\/[\w-]{40,}/);
  expect(log).not.toContain("verify-email");
  await browser.close();
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

test("leaves a name that contains a web address out of an email", async () => {
  await using testSite = await startTestSite();
  const greetingFor = async (name: string, email: string) => {
    await testSite.browser().api.users.signUp.mutate({ name, email, password });
    await until(async () => (await testSite.mailsTo(email)).length === 1);
    return /Hello[^\n]*,/.exec((await testSite.mailsTo(email))[0] ?? "")?.[0];
  };
  expect(await greetingFor("you won, see https://evil.example/x", "a@example.org")).toBe("Hello,");
  expect(await greetingFor("you won at evil.example", "b@example.org")).toBe("Hello,");
  expect(await greetingFor("Dr. Ana María Ruiz", "c@example.org")).toMatch(/^Hello Dr. Ana Mar/);
});
