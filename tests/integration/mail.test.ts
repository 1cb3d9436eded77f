import type { AddressInfo } from "node:net";
import { simpleParser, type ParsedMail } from "mailparser";
import { SMTPServer } from "smtp-server";
import { expect, test } from "vitest";
import { password, startTown, until } from "../support/town.ts";

/** A real mail server on loopback that keeps what it is given. */
async function postOffice(): Promise<{ url: string; mails: ParsedMail[] } & AsyncDisposable> {
  const mails: ParsedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: (stream, _session, done) => {
      const kept = simpleParser(stream).then((mail) => mails.push(mail));
      // oxlint-disable-next-line promise/no-callback-in-promise -- the server's own way to be told
      kept.then(() => done(), done);
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

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

test("a mail server that is down loses no sign-up: the mail can be asked for again", async () => {
  await using town = await startTown({ SMTP_URL: "smtp://127.0.0.1:1" });
  const guest = town.browser();
  await expect(
    guest.api.users.signUp.mutate({ name: "Ana", email: "ana@example.org", password: "long enough" }),
  ).resolves.toHaveProperty("message");
  await expect(
    guest.api.users.resendVerification.mutate({ email: "ana@example.org" }),
  ).resolves.toHaveProperty("message");
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
