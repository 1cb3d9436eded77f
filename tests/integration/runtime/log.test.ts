import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openBrowser, password } from "../../support/browser.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { failWrites } from "../../support/failing-writes.ts";
import { paint, send } from "../../support/pictures.ts";
import { startSmtpServer } from "../../support/smtp-server.ts";
import { PushService } from "../../support/push-service.ts";
import { besideServer } from "../../support/second-database.ts";
import { startServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { aBlog, aComment } from "../../support/sample-content.ts";

/* The log of a server in a process of its own, in use and under failures, as described in docs/privacy.md. */

interface LogLine {
  level: number;
  msg: string;
  call?: string;
  status?: number;
  oneOf?: number;
  address?: string;
  err?: { type: string; message: string; code?: string; status?: string; stack: string };
}

async function startLoggedServer(settings: Record<string, string>) {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-log-"));
  let log = "";
  const server = await startServer(
    { DATA_DIR: dataDir, LOG_LEVEL: "trace", ...settings },
    { onLog: (text) => (log += text) },
  );
  return {
    dataDir,
    url: server.url,
    text: () => log,
    lines: () =>
      log
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as LogLine),
    stop: server.stop,
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

test("logs no texts, names, addresses or secrets of people, whatever fails", async () => {
  let isRefusing = false;
  await using smtpServer = await startSmtpServer({
    onRecipient: () =>
      isRefusing
        ? {
            responseCode: 550,
            message: "No box of Anabel Torresquilla at anabel.t@example.org, said 198.51.100.7",
          }
        : undefined,
  });
  await using site = await startLoggedServer({
    SMTP_URL: smtpServer.url,
    LOG_SAMPLE: "1",
    TRUST_PROXY: "on",
  });
  const headers = {
    "x-forwarded-for": "203.0.113.77",
    "user-agent": "Curiosobrowser/7.1",
    origin: site.url,
  };
  const email = "anabel.t@example.org";
  const ana = openBrowser(site.url);
  const token = async (kind: string) =>
    await until(
      () =>
        smtpServer.receivedEmails
          .map(({ text = "" }) => new RegExp(`/${kind}/([\\w-]+)`).exec(text)?.[1])
          .findLast(Boolean),
      `a mail with a ${kind} link`,
    );
  const json = (body: object) => ({
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

  // An account.
  await ana.api.users.signUp.mutate({ name: "Anabel Torresquilla", email, password });
  const confirmToken = await token("verify-email");
  await ana.fetch(`/verify-email/${confirmToken}`, { headers });
  await ana.api.users.verifyEmail.mutate({ token: confirmToken });
  const wrongPassword = "horse-battery-wrongly";
  await ana.fetch("/trpc/users.signIn", json({ email, password: wrongPassword }));
  await ana.fetch("/api/v1/signin", json({ email, password: wrongPassword }));
  const { viewer } = await ana.api.users.signIn.mutate({ email, password });
  const session = ana.cookie;
  const restSignIn = await fetch(`${site.url}/api/v1/signin`, json({ email, password }));
  const bearer = ((await restSignIn.json()) as { user: { token: string } }).user.token;
  await fetch(`${site.url}/api/v1/notifications`, {
    headers: { ...headers, authorization: `Bearer ${bearer}` },
  });
  await ana.api.users.forgotPassword.mutate({ email });
  const resetToken = await token("reset-password");
  await ana.fetch(`/reset-password/${resetToken}`, { headers });

  // Texts and searches.
  const blog = await ana.api.blogs.create.mutate(
    aBlog({ title: "Quokkas of Rottnest", tags: ["marsupials"] }),
  );
  await ana.api.comments.create.mutate(aComment(blog, { text: "Zephyrs over heathland" }));
  await ana.api.blogs.search.query({ query: "sesquipedalian wombat" });
  for (const address of [
    "/search?q=sesquipedalian",
    "/api/v1/search?query=sesquipedalian",
    "/api/v1/no-such/sesquipedalian",
    "/trpc/sesquipedalian",
    "/trpc/sesquipedalian,blogs.list?batch=1&input=sesquipedalian",
    `/signup?invitation=sesquipedalian`,
    `/google/callback?code=sesquipedalian&state=x`,
    `/unsubscribe/sesquipedalian`,
    `/${viewer.username}/liked-blogs`,
    `/blog/${blog.slug}?from=sesquipedalian`,
    "/sesquipedalian/%E0%A4%A",
    `/${"sesquipedalian".repeat(500)}`,
  ])
    await ana.fetch(address, { headers });
  await ana.fetch("/api/v1/signin", { ...json({}), body: '{"email": "anabel.t@example.org", password' });
  const form = new FormData();
  form.append("file", new Blob(["no picture at all"], { type: "image/png" }), "sesquipedalian.png");
  await ana.fetch("/media", { method: "POST", headers, body: form });
  await send(ana, await paint(200, 100));
  const socket = new ana.Socket(ana.socketUrl);
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send('{"id":1,"method":"query","params":{"path":"sesquipedalian"}}');
  socket.send("sesquipedalian {");

  // Failures of mail, push and the database.
  isRefusing = true;
  await ana.api.users.forgotPassword.mutate({ email });
  await until(() => site.text().includes('"job":"mail"'), "a mail that failed");
  await using service = await PushService.start((await ana.api.push.state.query()).key);
  await ana.api.push.subscribe.mutate(service.subscribe("https://pushes.invalid/push/sesquipedalian"));
  const ben = openBrowser(site.url);
  isRefusing = false;
  await ben.api.users.signUp.mutate({ name: "Ben", email: "ben@example.org", password });
  await until(
    () => smtpServer.receivedEmails.some(({ to }) => JSON.stringify(to).includes("ben@example.org")),
    "a mail",
  );
  await ben.api.users.verifyEmail.mutate({ token: await token("verify-email") });
  await ben.api.users.signIn.mutate({ email: "ben@example.org", password });
  await ben.api.comments.create.mutate(aComment(blog, { text: "Zephyrs over heathland" }));
  await until(() => site.text().includes('"job":"push"'), "a push that failed");
  await besideServer(site.dataDir, (database) =>
    failWrites(
      database,
      "insert on comments",
      'Not "Zephyrs over heathland" by anabel.t@example.org (203.0.113.77) at /blog/quokkas',
    ),
  );
  await expect(
    ben.api.comments.create.mutate(aComment(blog, { text: "Zephyrs over heathland" })),
  ).rejects.toThrow("went wrong");
  await ben.fetch("/healthz");
  await until(() => site.lines().some(({ msg }) => msg === "a procedure failed"), "the failure");
  await ana.close();
  await ben.close();
  await site.stop();

  const log = site.text();
  const needles = {
    email,
    "the other's address": "ben@example.org",
    "a name": "Torresquilla",
    "a username": viewer.username,
    password,
    "a wrong password": wrongPassword,
    "a session": session.split("=")[1]!,
    "the other session": ben.cookie.split("=")[1]!,
    "what the browser is known by": ana.known.split("=")[1]!,
    "a bearer token": bearer,
    "a token of a mail": confirmToken,
    "another token of a mail": resetToken,
    "a title": "quokkas",
    "an address of a blog": blog.slug,
    "a comment": "heathland",
    "a tag": "marsupials",
    "what somebody looked for": "sesquipedalian",
    "who asked": "203.0.113.77",
    "the machine that asked": "127.0.0.1:5",
    "what the mail server said": "198.51.100.7",
    "what they asked with": "Curiosobrowser",
    "a push service": "pushes.invalid",
  };
  for (const [name, needle] of Object.entries(needles)) {
    expect([name, needle.length > 6]).toEqual([name, true]);
    expect([name, log.toLowerCase().includes(needle.toLowerCase())]).toEqual([name, false]);
  }

  // Yet an operator learns what failed, where, and how often.
  const lines = site.lines();
  const failed = lines.find(({ msg }) => msg === "a procedure failed");
  expect(failed?.err).toMatchObject(
    isPostgres
      ? { type: "DrizzleQueryError", cause: { code: "P0001" } }
      : { type: "SqliteError", code: "SQLITE_CONSTRAINT_TRIGGER" },
  );
  expect(failed?.err?.stack).toMatch(isPostgres ? /at async addComment \(/ : /at addComment \(/);
  expect(lines.find((line) => line.call === "POST /trpc/comments.create" && line.status === 500)?.level).toBe(
    40,
  );
  expect(lines.some((line) => line.call === "POST /trpc/users.signIn" && line.status === 401)).toBe(true);
  expect(lines.some((line) => line.call === "GET /trpc/…,blogs.list")).toBe(true);
  const mail = lines.find(({ msg }) => msg === "a job failed and will not be retried");
  expect(mail?.err).toMatchObject({ message: expect.stringMatching(/550 …$/), cause: { status: "550" } });
  expect(lines.some(({ err }) => err?.code === "ENOTFOUND" || err?.code === "EAI_AGAIN")).toBe(true);
  expect(log).not.toContain('"address"');
});

test("logs one of LOG_SAMPLE successful responses, marked as such, and each of the others", async () => {
  await using site = await startLoggedServer({ LOG_SAMPLE: "5", LOG_LEVEL: "info", LOG_ADDRESSES: "on" });
  const answeredWith = (status: number) =>
    site.lines().filter((line) => line.msg === "answered" && line.status === status);
  const before = answeredWith(200).length;
  for (let time = 0; time < 20; time++) await (await fetch(`${site.url}/api/v1/blogs`)).text();
  for (let time = 0; time < 4; time++)
    await (await fetch(`${site.url}/api/v1/blogs`, { method: "POST", body: "{}" })).text();
  await (await fetch(`${site.url}/readyz`)).text();
  await until(() => answeredWith(401).length === 4, "what was refused");
  const sampled = answeredWith(200)
    .slice(before)
    .filter(({ call }) => call === "GET /api/v1/blogs");
  expect(sampled).toHaveLength(4);
  expect(sampled.every(({ oneOf, address }) => oneOf === 5 && address === "127.0.0.1")).toBe(true);
  expect(answeredWith(401).every(({ oneOf }) => oneOf === undefined)).toBe(true);
});

test("writes readable lines with LOG_FORMAT pretty, with nothing more in them", async () => {
  await using site = await startLoggedServer({ LOG_FORMAT: "pretty", LOG_SAMPLE: "off", LOG_LEVEL: "info" });
  await (await fetch(`${site.url}/api/v1/blogs?search=owls`)).text();
  await (await fetch(`${site.url}/api/v1/blogs?secret=owls`, { method: "POST", body: "{}" })).text();
  await until(() => site.text().includes("answered"), "what was refused");
  const lines = site.text().split("\n");
  expect(lines.filter((line) => line.includes("answered"))).toEqual([
    expect.stringMatching(
      /^\[\d\d:\d\d:\d\d\] INFO: answered \{"call":"POST \/api\/v1\/blogs","status":401,"ms":[\d.]+\}$/,
    ),
  ]);
  expect(site.lines()).toEqual([]);
  expect(site.text()).not.toContain("owls");
});

test("logs no open page's socket as a failed response", async () => {
  await using site = await startLoggedServer({ LOG_SAMPLE: "1", LOG_LEVEL: "info" });
  const socket = new WebSocket(`${site.url.replace("http", "ws")}/trpc`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const closing = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await closing;
  await (await fetch(`${site.url}/healthz`)).text();
  await until(() => site.lines().some(({ call }) => call === "GET /healthz"), "the line of the answer");
  expect(site.lines().filter(({ call }) => call === "GET /trpc")).toEqual([]);
});
