import { expect, test } from "vitest";
import { reprise } from "../../support/command.ts";
import {
  aBlog,
  followTopic,
  password,
  refusal,
  startTestSite,
  until,
  followBlog,
  type TestSite,
} from "../../support/test-site.ts";

const runUserCommand = (testSite: TestSite, ...args: string[]) =>
  reprise(testSite.config.dataDir, ["user", ...args, "--json"], { PUBLIC_URL: testSite.config.publicUrl });

test("lists and shows accounts at the command line", { tags: ["more"] }, async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const eve = await testSite.createAccount("Eve");
  await eve.api.blogs.create.mutate(aBlog());
  const all = (await runUserCommand(testSite, "list")).json as {
    username: string;
    blogs: number;
    isAdmin: boolean;
  }[];
  expect(all.map(({ username, isAdmin, blogs }) => [username, isAdmin, blogs])).toEqual([
    [ana.me.username, true, 0],
    [eve.me.username, false, 1],
  ]);
  expect((await runUserCommand(testSite, "list", "eVE")).json).toMatchObject([{ username: eve.me.username }]);
  expect((await runUserCommand(testSite, "list", "%")).json).toEqual([]);
  expect((await runUserCommand(testSite, "show", eve.email.toUpperCase())).json).toMatchObject({
    id: eve.me.id,
    confirmed: expect.any(String),
    sessions: 1,
    signsIn: ["password"],
  });
  const { output } = await reprise(testSite.config.dataDir, ["user", "show", eve.me.username]);
  expect(output).toContain(eve.email);
  expect(await runUserCommand(testSite, "show", "nobody")).toMatchObject({
    code: 1,
    error: 'There is no account nobody: "user list" shows them all.',
  });
});

test("confirms an address and returns a reset link at the command line while email does not work", async () => {
  // Nothing listens on this port.
  await using testSite = await startTestSite({ SMTP_URL: "smtp://127.0.0.1:9" });
  const browser = testSite.browser();
  const email = "boris@example.org";
  await browser.api.users.signUp.mutate({ name: "Boris", email, password });
  expect(await refusal(browser.api.users.signIn.mutate({ email, password }))).toMatchObject({
    message: expect.stringContaining("confirm"),
  });
  expect((await runUserCommand(testSite, "verify", email)).json).toEqual({
    username: "boris",
    confirmed: true,
  });
  expect((await runUserCommand(testSite, "verify", "boris")).json).toEqual({
    username: "boris",
    confirmed: false,
  });
  expect((await browser.api.users.signIn.mutate({ email, password })).viewer).toMatchObject({
    username: "boris",
  });

  const { link } = (await runUserCommand(testSite, "reset-password", "boris")).json as { link: string };
  expect(link).toMatch(new RegExp(`^${testSite.config.publicUrl}/reset-password/[\\w-]{43}$`));
  const token = link.split("/").at(-1) ?? "";
  await testSite.browser().api.users.resetPassword.mutate({ token, password: "a better one than before" });
  expect(await refusal(testSite.browser().api.users.signIn.mutate({ email, password }))).toMatchObject({
    code: "UNAUTHORIZED",
  });
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

test("signs out and hides an account suspended at the command line until it is unsuspended", async () => {
  await using testSite = await startTestSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const blog = await eve.api.blogs.create.mutate(aBlog());
  const page = followBlog(ana, blog.id);
  const stream = followTopic(eve, "feed");
  for (const each of [page, stream]) await each.waitForStart();
  const closeCodes: number[] = [];
  for (const socket of eve.sockets) socket.on("close", (code: number) => closeCodes.push(code));
  const suspended = runUserCommand(testSite, "suspend", eve.me.username, "--reason", "Spam.");
  expect((await suspended).json).toEqual({ username: eve.me.username, suspended: true });
  await page.waitFor("accessLost");
  await until(() => closeCodes.length > 0, "the end of her socket");
  expect((await ana.api.blogs.list.query({})).blogs).toEqual([]);
  expect((await ana.api.moderation.log.query({})).entries).toMatchObject([
    { actor: "command-line", act: "suspend", name: eve.me.username, reason: "Spam." },
  ]);
  await runUserCommand(testSite, "suspend", eve.me.username, "--undo");
  expect((await ana.api.blogs.list.query({})).blogs).toHaveLength(1);
});

test("removes an account deleted at the command line from open pages, and closes its connections", async () => {
  await using testSite = await startTestSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const blog = await eve.api.blogs.create.mutate(aBlog());
  const page = followBlog(ana, blog.id);
  const stream = followTopic(eve, "feed");
  for (const each of [page, stream]) await each.waitForStart();
  const closeCodes: number[] = [];
  for (const socket of eve.sockets) socket.on("close", (code: number) => closeCodes.push(code));
  expect(await runUserCommand(testSite, "delete", eve.me.username)).toMatchObject({
    code: 2,
    error: "There is no terminal to ask on: say --yes where you are sure.",
  });
  expect((await runUserCommand(testSite, "delete", eve.me.username, "--yes")).json).toMatchObject({
    deleted: true,
    whole: true,
  });
  await page.waitFor("accessLost");
  await until(() => closeCodes.length > 0, "the end of her socket");
  expect(closeCodes).toEqual([4401]);
  expect(testSite.rows("select username from users")).toEqual([{ username: ana.me.username }]);
});

test("makes and unmakes administrators, but never takes the last one", { tags: ["more"] }, async () => {
  await using testSite = await startTestSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const admins = () =>
    testSite
      .rows<{ username: string }>("select username from users where is_admin")
      .map(({ username }) => username);
  for (const [name, option] of [
    ["make-admin", "--undo"],
    ["suspend", "--reason=Spam"],
    ["delete", "--yes"],
  ] as const)
    expect(await runUserCommand(testSite, name, ana.me.username, option)).toMatchObject({
      code: 1,
      error: expect.stringContaining("no administrator"),
    });
  await runUserCommand(testSite, "limit", eve.me.username);
  expect(await runUserCommand(testSite, "make-admin", eve.me.username)).toMatchObject({
    code: 1,
    error: expect.stringContaining("is limited"),
  });
  await runUserCommand(testSite, "limit", eve.me.username, "--undo");
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
