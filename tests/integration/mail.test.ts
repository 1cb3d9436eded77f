import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { simpleParser } from "mailparser";
import { expect, test } from "vitest";
import { jobsTopic } from "../../src/server/live/signals.ts";
import { openBrowser, signUpIn } from "../support/browser.ts";
import { postOffice, type PostOffice } from "../support/post-office.ts";
import { freePort, startServer } from "../support/server.ts";
import { password, startTown, until, type Town } from "../support/town.ts";

/** Asks for a link to confirm an address that has just signed up. */
const signUp = (town: Town, email = "ana@example.org") =>
  signUpIn(town.browser(), { name: "Ana", email, password });
const jobs = (town: Town) =>
  town.rows<{
    payload: string;
    attempts: number;
    last_error: string | null;
    failed_at: number | null;
    due_at: number;
  }>("select payload, attempts, last_error, failed_at, due_at from jobs where name = 'mail'");
/** As if the time until the next attempt had passed. */
async function letTimePass(town: Town): Promise<void> {
  await town.write(async (tx) => {
    tx.drizzle.run("update jobs set due_at = 0 where name = 'mail'");
    tx.signal(jobsTopic);
  });
}
const recipients = (office: PostOffice) => office.mails.map((mail) => [mail.to].flat()[0]?.text);

test("the mail of a sign-up goes over SMTP to the person alone, with a link that works once", async () => {
  await using office = await postOffice();
  await using town = await startTown({
    SMTP_URL: office.url,
    MAIL_FROM: "Post <post@example.org>",
    PUBLIC_URL: "https://blog.example.org",
  });
  const guest = town.browser();
  guest.cookie = "";
  const answer = await guest.fetch("/trpc/users.signUp", {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://blog.example.org" },
    body: JSON.stringify({ name: "Åsa Öberg", email: "asa@example.org", password: "long enough" }),
  });
  expect(answer.status).toBe(200);
  const mail = await until(() => office.mails[0], "the mail");
  expect(mail.from?.text).toContain("post@example.org");
  expect([mail.to].flat().map((to) => to?.text)).toEqual(["asa@example.org"]);
  expect(mail.text).toContain("Åsa Öberg");
  const token = /https:\/\/blog\.example\.org\/verify-email\/([\w-]+)/.exec(mail.text ?? "")?.[1] ?? "";
  const verify = () => fetch(`${town.url}/api/v1/verify-email/${token}`);
  expect((await verify()).status).toBe(200);
  expect((await verify()).status).toBe(400);
});

test("a mail that is put off is sent again later, and arrives once", async () => {
  await using office = await postOffice({
    onRecipient: (attempt) =>
      attempt <= 2 ? { responseCode: 450, message: "Greylisted, come back later" } : undefined,
  });
  await using town = await startTown({ SMTP_URL: office.url });
  await signUp(town);
  await until(() => jobs(town)[0]?.last_error?.includes("Greylisted"), "the first attempt");
  expect(jobs(town)).toMatchObject([{ attempts: 1, failed_at: null }]);
  await letTimePass(town);
  await until(() => jobs(town)[0]?.attempts === 2 && (jobs(town)[0]?.due_at ?? 0) > 0, "the second attempt");
  await letTimePass(town);
  await until(() => jobs(town).length === 0, "the mail's way");
  expect(recipients(office)).toEqual(["ana@example.org"]);
});

test("a mail server that is down loses no mail: it goes out once the server is back", async () => {
  const port = await freePort();
  await using town = await startTown({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await signUp(town);
  await until(() => jobs(town)[0]?.last_error?.includes("ECONNREFUSED"), "the first attempt");
  await using office = await postOffice({ port });
  await letTimePass(town);
  await until(() => recipients(office).includes("ana@example.org"), "the mail");
  await until(() => jobs(town).length === 0);
});

test("a mail server that says nothing ends an attempt after a while, and holds up no other work", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as { port: number };
  try {
    await using town = await startTown({ SMTP_URL: `smtp://127.0.0.1:${port}/?greetingTimeout=300` });
    await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => signUp(town, `${name}@example.org`)));
    await until(() => jobs(town).filter((job) => job.last_error?.includes("Greeting")).length === 6);
  } finally {
    silent.close();
  }
});

test("a mail that is refused for good is kept without its link, and is not counted against whoever asked", async () => {
  await using office = await postOffice({
    onRecipient: () => ({ responseCode: 550, message: "No such user here" }),
  });
  await using town = await startTown({ SMTP_URL: office.url, RATE_LIMIT: "on" });
  await signUp(town);
  const guest = town.browser();
  // More often than an hour allows: none of them arrived.
  for (let asked = 1; asked <= 7; asked++) {
    await guest.api.users.resendVerification.mutate({ email: "ana@example.org" });
    await until(() => jobs(town).filter((job) => job.failed_at !== null).length === asked + 1);
  }
  expect(office.attempts()).toBe(8);
  for (const job of jobs(town)) {
    expect(job).toMatchObject({ attempts: 1, last_error: expect.stringContaining("No such user here") });
    expect(JSON.parse(job.payload)).toEqual({
      mail: { to: "ana@example.org", subject: expect.stringContaining("Confirm") },
    });
  }
});

test("a server that is killed while it sends a mail sends it after its restart, known by the same id", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-mail-"));
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await using office = await postOffice({ onMail: () => answered });
  const settings = { DATA_DIR: dataDir, SMTP_URL: office.url, LOG_LEVEL: "silent" };
  const server = await startServer(settings);
  const browser = openBrowser(server.url);
  await browser.api.users.signUp.mutate({ name: "Ana", email: "ana@example.org", password });
  await until(() => office.mails.length === 1, "the mail's first way");
  await server.kill();
  await browser.close();
  answer();
  // Whoever was killed has its lease for a while yet.
  const store = new Sqlite(path.join(dataDir, "reprise.db"));
  expect(store.prepare("update jobs set leased_until = 0 where name = 'mail'").run().changes).toBe(1);
  await using again = await startServer(settings);
  await until(() => office.mails.length === 2, "the mail's second way");
  expect(office.mails[1]?.messageId).toBe(office.mails[0]?.messageId);
  expect(office.mails[1]?.text).toBe(office.mails[0]?.text);
  await until(
    () => store.prepare("select count(*) from jobs where name = 'mail'").pluck().get() === 0,
    "the end of the job",
  );
  store.close();
  await again.kill();
  await rm(dataDir, { recursive: true, force: true });
});

test("where no mail goes out, as much is written as where one does", async () => {
  await using town = await startTown();
  const ana = await town.moveIn("Ana");
  await until(() => jobs(town).length === 0);
  const written = async (email: string) => {
    const told: string[] = [];
    const stop = town.app.parts.bus.listen(jobsTopic, () => void told.push("asked"));
    await town.browser().api.users.forgotPassword.mutate({ email });
    stop();
    return told;
  };
  expect(await written("nobody@example.org")).toEqual(await written(ana.email));
  await until(async () => (await town.mailsTo(ana.email)).length === 2);
  await until(() => jobs(town).length === 0, "the end of a mail to nobody");
});

test("a mail that is kept as a file has its link in one line, and a mail program reads it as it was written", async () => {
  await using town = await startTown();
  const email = "zoe@example.org";
  await town.browser().api.users.signUp.mutate({ name: "Zoë Ørsted", email, password });
  const { outboxDir } = town.config;
  const name = await until(async () => (await readdir(outboxDir)).find((file) => file.endsWith(".eml")));
  const file = await readFile(path.join(outboxDir, name), "utf8");
  const [link = ""] = /https?:\/\/\S+\/verify-email\/[\w-]{40,}/.exec(file) ?? [];
  expect(link.length).toBeGreaterThan(70);
  const { text = "", to } = await simpleParser(file);
  expect(text.split("\n").map((line) => line.trim())).toContain(link);
  expect(text).toContain("Zoë Ørsted");
  expect(to).toMatchObject({ text: email });
});

test("mails that were kept as files are for their owner's eyes, and go after 30 days", async () => {
  await using town = await startTown();
  await signUp(town);
  const { outboxDir } = town.config;
  const name = await until(async () => (await readdir(outboxDir)).find((file) => file.endsWith(".eml")));
  const file = path.join(outboxDir, name);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(path.join(outboxDir, "notes.txt"), "the operator's own");
  const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
  for (const old of [name, "notes.txt"]) await utimes(path.join(outboxDir, old), days(29), days(29));
  await town.app.parts.mailer.sweep(Date.now());
  expect(await readdir(outboxDir)).toContain(name);
  for (const old of [name, "notes.txt"]) await utimes(path.join(outboxDir, old), days(31), days(31));
  await town.app.parts.mailer.sweep(Date.now());
  expect(await readdir(outboxDir)).toEqual(["notes.txt"]);
});

test("a log that is kept names the file of a mail and not its link", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-log-"));
  let log = "";
  await using server = await startServer(
    { DATA_DIR: dataDir, LOG_LEVEL: "info" },
    { onLog: (text) => (log += text) },
  );
  const browser = openBrowser(server.url);
  await browser.api.users.signUp.mutate({ name: "Ana", email: "ana@example.org", password });
  await until(() => log.includes("the mail was kept as a file"), "the mail");
  const [file = ""] = /[\w-]+\.eml/.exec(log) ?? [];
  const mail = await readFile(path.join(dataDir, "outbox", file), "utf8");
  expect(mail).toMatch(/verify-email\/[\w-]{40,}/);
  expect(log).not.toContain("verify-email");
  await browser.close();
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

test("a mail carries no address that somebody put into a name", async () => {
  await using town = await startTown();
  const greeting = async (name: string, email: string) => {
    await town.browser().api.users.signUp.mutate({ name, email, password });
    await until(async () => (await town.mailsTo(email)).length === 1);
    return /Hello[^\n]*,/.exec((await town.mailsTo(email))[0] ?? "")?.[0];
  };
  expect(await greeting("you won, see https://evil.example/x", "a@example.org")).toBe("Hello,");
  expect(await greeting("you won at evil.example", "b@example.org")).toBe("Hello,");
  expect(await greeting("Dr. Ana María Ruiz", "c@example.org")).toMatch(/^Hello Dr. Ana Mar/);
});
