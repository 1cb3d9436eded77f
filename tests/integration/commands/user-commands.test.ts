import { expect, test } from "vitest";
import { reprise } from "../../support/command.ts";
import { aBlog, followTopic, refusal, startTestSite, until, type TestSite } from "../../support/test-site.ts";

const runUserCommand = (testSite: TestSite, ...args: string[]) =>
  reprise(testSite.config.dataDir, ["user", ...args, "--json"], { PUBLIC_URL: testSite.config.publicUrl });

test("shows an account at the command line, found by address or username", { tags: ["more"] }, async () => {
  await using testSite = await startTestSite();
  const eve = await testSite.createAccount("Eve");
  await eve.api.blogs.create.mutate(aBlog());
  expect((await runUserCommand(testSite, "show", eve.email.toUpperCase())).json).toMatchObject({
    id: eve.me.id,
    confirmed: expect.any(String),
    blogs: 1,
    sessions: 1,
    signsIn: ["password"],
  });
  const { output } = await reprise(testSite.config.dataDir, ["user", "show", eve.me.username]);
  expect(output).toContain(eve.email);
  expect(await runUserCommand(testSite, "show", "nobody")).toMatchObject({
    code: 1,
    error: "There is no account nobody. /admin/people lists them all.",
  });
});

test("returns a reset link at the command line while email does not work", async () => {
  // Nothing listens on this port.
  await using testSite = await startTestSite({ SMTP_URL: "smtp://127.0.0.1:9" });
  const email = "boris@example.org";
  const added = (await runUserCommand(testSite, "add", "boris", "--email", email)).json;
  const { password: given } = added as { password: string };
  const browser = testSite.browser();
  await browser.api.users.signIn.mutate({ email, password: given });
  await browser.api.users.sessions.query();
  const { link } = (await runUserCommand(testSite, "reset-password", "boris")).json as { link: string };
  expect(link).toMatch(new RegExp(`^${testSite.config.publicUrl}/reset-password/[\\w-]{43}$`));
  const token = link.split("/").at(-1) ?? "";
  await testSite.browser().api.users.resetPassword.mutate({ token, password: "a better one than before" });
  expect(await refusal(testSite.browser().api.users.signIn.mutate({ email, password: given }))).toMatchObject(
    {
      code: "UNAUTHORIZED",
    },
  );
  expect(await refusal(browser.api.users.sessions.query())).toMatchObject({ code: "UNAUTHORIZED" });
});

test(
  "closes connections of sessions ended at the command line, and no one else's",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
    const pages = [ana, eve].map((person) => followTopic(person, "feed"));
    for (const page of pages) await page.waitForStart();
    const closeCodes: number[] = [];
    for (const socket of eve.sockets) socket.on("close", (code: number) => closeCodes.push(code));
    expect((await runUserCommand(testSite, "sessions", eve.me.username)).json).toMatchObject({
      ended: false,
      sessions: [{}],
    });
    expect(closeCodes).toEqual([]);
    expect((await runUserCommand(testSite, "sessions", eve.me.username, "--end")).json).toMatchObject({
      ended: true,
    });
    await until(() => closeCodes.length > 0, "the end of her socket");
    expect(closeCodes).toEqual([4401]);
    expect(await refusal(eve.api.users.sessions.query())).toMatchObject({ code: "UNAUTHORIZED" });
    expect(ana.sockets.every((socket) => socket.readyState === socket.OPEN)).toBe(true);
    expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);
  },
);

test("logs each command that changes an account's access, once, in the audit log", async () => {
  await using testSite = await startTestSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  await runUserCommand(testSite, "add", "dora", "--email", "dora@example.org", "--admin");
  await runUserCommand(testSite, "reset-2fa", eve.me.username);
  await runUserCommand(testSite, "reset-password", eve.me.username);
  await runUserCommand(testSite, "make-admin", eve.me.username);
  // The second time no session is left.
  for (let time = 0; time < 2; time++) await runUserCommand(testSite, "sessions", eve.me.username, "--end");
  const { entries } = await ana.api.moderation.log.query({});
  expect(entries.map(({ actor, act, name }) => [actor, act, name]).toReversed()).toEqual(
    [
      ["add", "dora"],
      ["administrator", "dora"],
      ["reset-2fa", eve.me.username],
      ["reset", eve.me.username],
      ["administrator", eve.me.username],
      ["sign-out", eve.me.username],
    ].map((line) => ["command-line", ...line]),
  );
});

test("makes and unmakes administrators, but never takes the last one", { tags: ["more"] }, async () => {
  await using testSite = await startTestSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const admins = () =>
    testSite
      .rows<{ username: string }>("select username from users where is_admin = 1")
      .map(({ username }) => username);
  expect(await runUserCommand(testSite, "make-admin", ana.me.username, "--undo")).toMatchObject({
    code: 1,
    error: expect.stringContaining("no administrator"),
  });
  const limit = (limited: boolean) => ana.api.moderation.limit.mutate({ userId: eve.me.id, limited });
  await limit(true);
  expect(await runUserCommand(testSite, "make-admin", eve.me.username)).toMatchObject({
    code: 1,
    error: expect.stringContaining("is limited"),
  });
  await limit(false);
  const page = followTopic(eve, "me");
  await page.waitForStart();
  await runUserCommand(testSite, "make-admin", eve.me.username);
  await page.waitFor("viewer.profileChanged");
  expect(admins()).toEqual([ana.me.username, eve.me.username]);
  await runUserCommand(testSite, "make-admin", ana.me.username, "--undo");
  expect(admins()).toEqual([eve.me.username]);
});

test("writes links at the command line to the server's address, unless PUBLIC_URL is set", async () => {
  const PUBLIC_URL = "https://blog.example";
  await using site = await startTestSite({ PUBLIC_URL });
  const ana = await site.createAccount("Ana");
  const linkWith = async (settings: Record<string, string>) => {
    const args = ["user", "reset-password", ana.me.username, "--json"];
    const { json } = await reprise(site.config.dataDir, args, settings);
    return new URL((json as { link: string }).link).origin;
  };
  expect(await linkWith({})).toBe(PUBLIC_URL);
  expect(await linkWith({ PUBLIC_URL: "https://other.example" })).toBe("https://other.example");
});
