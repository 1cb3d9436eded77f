import { expect, test } from "vitest";
import { deliver, mailDelivery } from "../../../src/server/mail/delivery.ts";
import { isAboutRecipient, mailProblem, withoutAccount } from "../../../src/server/mail/mail-problem.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { reprise } from "../../support/command.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { freePort } from "../../support/server.ts";
import { startSmtpServer } from "../../support/smtp-server.ts";
import { followTopic, startTestSite, until } from "../../support/test-site.ts";

test("goes by the last email whether the site can send emails, and shows a change in administrators' open pages", async () => {
  const port = await freePort();
  await using testSite = await startTestSite({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  const setup = () => boss.api.administration.setup.query();
  expect(await setup()).toMatchObject({ done: { mail: false }, mail: { state: "untried" } });
  const [bossStream, anasStream] = [followTopic(boss, "me"), followTopic(ana, "me")];
  await Promise.all([bossStream.waitForStart(), anasStream.waitForStart()]);

  await testSite.browser().api.users.forgotPassword.mutate({ email: ana.email });
  await bossStream.waitFor("viewer.reportsChanged");
  expect(await setup()).toMatchObject({
    done: { mail: false },
    mail: {
      state: "fails",
      deliveredAt: null,
      problem: `127.0.0.1:${port} refuses the connection. Check the host and the port in SMTP_URL.`,
    },
  });
  await expectRefusal(boss.api.administration.sendTestMail.mutate(), {
    code: "BAD_REQUEST",
    message: expect.stringContaining("refuses the connection"),
  });

  await using smtpServer = await startSmtpServer({ port });
  const { message } = await boss.api.administration.sendTestMail.mutate();
  expect(message).toContain(boss.email);
  expect(smtpServer.receivedEmails.map((mail) => [mail.to].flat()[0]?.text)).toEqual([boss.email]);
  expect(smtpServer.receivedEmails[0]?.subject).toBe("Test email from Reprise");
  expect(await setup()).toMatchObject({ done: { mail: true }, mail: { state: "works", problem: "" } });
  expect(anasStream.events("viewer.reportsChanged")).toEqual([]);
});

test("sends a test email to the administrator alone, a few times an hour", async () => {
  await using smtpServer = await startSmtpServer();
  await using testSite = await startTestSite({ SMTP_URL: smtpServer.url, RATE_LIMIT: "on" });
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  await expectRefusal(ana.api.administration.sendTestMail.mutate(), "FORBIDDEN");
  for (let sent = 0; sent < 10; sent++) await boss.api.administration.sendTestMail.mutate();
  await expectRefusal(boss.api.administration.sendTestMail.mutate(), "TOO_MANY_REQUESTS");
  expect(smtpServer.receivedEmails).toHaveLength(10);
});

test("does not take a refused recipient for a broken mail server, but a refused relay", async () => {
  let refused = "5.1.1 No such user here";
  await using smtpServer = await startSmtpServer({
    onRecipient: () => ({ responseCode: 550, message: refused }),
  });
  await using testSite = await startTestSite({ SMTP_URL: smtpServer.url });
  const boss = await testSite.createAccount("Boss");
  const { services } = testSite.app;
  const send = () =>
    deliver(services, { to: "a@example.org", subject: "a", text: "a" }, newId(), () => Promise.resolve());
  const mail = async () => (await boss.api.administration.setup.query()).mail;
  await expect(send()).rejects.toThrow("No such user");
  expect(await mail()).toMatchObject({ state: "untried" });
  refused = "5.7.1 <a@example.org>: Relay access denied";
  await expect(send()).rejects.toThrow("Relay access");
  expect(await mail()).toMatchObject({
    state: "fails",
    problem: `${new URL(smtpServer.url).host} refuses the email: “550 5.7.1 <…>: Relay access denied”.`,
  });
});

test("tests the mail server from the command line, and doctor goes by the last email", async () => {
  await using smtpServer = await startSmtpServer();
  await using testSite = await startTestSite();
  const { dataDir } = testSite.config;
  const run = (args: string[], smtpUrl = smtpServer.url) => reprise(dataDir, args, { SMTP_URL: smtpUrl });
  const doctor = (smtpUrl?: string) => run(["doctor"], smtpUrl);
  expect(await run(["mail", "test", "ana@example.org"])).toMatchObject({
    code: 0,
    output: expect.stringContaining("Sent to ana@example.org"),
  });
  expect(smtpServer.receivedEmails).toHaveLength(1);
  expect(await doctor()).toMatchObject({ code: 0, output: expect.stringContaining("accepted the last one") });

  const dead = `smtp://ana:secretowl@127.0.0.1:${await freePort()}`;
  const failed = await run(["mail", "test", "ana@example.org"], dead);
  expect(failed).toMatchObject({ code: 1, error: expect.stringContaining("refuses the connection") });
  expect(failed.error).not.toContain("secretowl");
  expect(await doctor(dead)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/Emails: the last one failed, .*refuses the connection/),
  });
  // Another server may work where this one does not.
  const { read } = testSite.app.services.database;
  expect(await mailDelivery(read, { smtpUrl: smtpServer.url })).toMatchObject({ state: "untried" });
  expect(await run(["mail", "test", "ana@example.org"], "")).toMatchObject({
    code: 1,
    output: expect.stringContaining("No mail server is set"),
  });
});

test("says why an email was not sent without the account at the mail server", async () => {
  const url = "smtp://owl%40example.org:hunter%2122@mail.example.org:587";
  const failure = (code: string, message: string, response?: string) =>
    Object.assign(new Error(message), { code, ...(response ? { response, responseCode: 535 } : {}) });
  expect(mailProblem(failure("EAUTH", "Invalid login: 535 Bad hunter!22", "535 Bad hunter!22"), url)).toBe(
    "mail.example.org:587 refuses the user name or the password in SMTP_URL.",
  );
  expect(mailProblem(failure("ETIMEDOUT", "Greeting never received"), url)).toContain("doesn’t answer");
  expect(mailProblem(failure("EDNS", "getaddrinfo ENOTFOUND mail.example.org"), url)).toContain(
    "no server at the name mail.example.org",
  );
  const plain = Buffer.from("\0owl@example.org\0hunter!22").toString("base64");
  for (const repeated of ["hunter!22", "hunter%2122", "owl@example.org", plain])
    expect(withoutAccount(`No ${repeated} here`, url)).toBe("No … here");
  expect(isAboutRecipient(failure("EENVELOPE", "", "550 5.1.1 No such user"))).toBe(true);
  expect(isAboutRecipient(failure("EENVELOPE", "", "550 5.1.8 Bad sender"))).toBe(false);
  expect(isAboutRecipient(failure("EAUTH", "", "535 5.7.8 Bad password"))).toBe(false);
});

test("keeps the password of the mail server out of the list of jobs", async () => {
  await using smtpServer = await startSmtpServer({
    onRecipient: () => ({ responseCode: 450, message: "Not for hunter!22" }),
  });
  const { host } = new URL(smtpServer.url);
  await using testSite = await startTestSite({ SMTP_URL: `smtp://x:hunter%2122@${host}` });
  const boss = await testSite.createAccount("Boss");
  await testSite.browser().api.users.forgotPassword.mutate({ email: boss.email });
  const [job] = await until(async () => {
    const { jobs } = await boss.api.administration.jobs.query({});
    return jobs[0]?.error ? jobs : undefined;
  }, "the first attempt");
  expect(job?.error).toContain("Not for …");
});
