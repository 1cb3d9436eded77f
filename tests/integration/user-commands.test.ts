import { expect, test } from "vitest";
import { reprise } from "../support/command.ts";
import { aBlog, listen, password, refusal, startTown, until, watch, type Town } from "../support/town.ts";

const user = (town: Town, ...words: string[]) =>
  reprise(town.config.dataDir, ["user", ...words, "--json"], { PUBLIC_URL: town.config.publicUrl });

test("who is there is listed and shown by the command line", { tags: ["more"] }, async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const eve = await town.resident("Eve");
  await eve.api.blogs.create.mutate(aBlog());
  const all = (await user(town, "list")).json as { username: string; blogs: number; isAdmin: boolean }[];
  expect(all.map(({ username, isAdmin, blogs }) => [username, isAdmin, blogs])).toEqual([
    [ana.me.username, true, 0],
    [eve.me.username, false, 1],
  ]);
  expect((await user(town, "list", "eVE")).json).toMatchObject([{ username: eve.me.username }]);
  expect((await user(town, "list", "%")).json).toEqual([]);
  expect((await user(town, "show", eve.email.toUpperCase())).json).toMatchObject({
    id: eve.me.id,
    confirmed: expect.any(String),
    sessions: 1,
    signsIn: ["password"],
  });
  const { out } = await reprise(town.config.dataDir, ["user", "show", eve.me.username]);
  expect(out).toContain(eve.email);
  expect(await user(town, "show", "nobody")).toMatchObject({
    code: 1,
    error: 'There is no account nobody: "user list" shows them all.',
  });
});

test("where no mail goes out, whoever runs the site confirms an address and gives a link for a new password", async () => {
  // Nothing listens there.
  await using town = await startTown({ SMTP_URL: "smtp://127.0.0.1:9" });
  const browser = town.browser();
  const email = "boris@example.org";
  await browser.api.users.signUp.mutate({ name: "Boris", email, password });
  expect(await refusal(browser.api.users.signIn.mutate({ email, password }))).toMatchObject({
    message: expect.stringContaining("confirm"),
  });
  expect((await user(town, "verify", email)).json).toEqual({ username: "boris", confirmed: true });
  expect((await user(town, "verify", "boris")).json).toEqual({ username: "boris", confirmed: false });
  expect((await browser.api.users.signIn.mutate({ email, password })).viewer).toMatchObject({
    username: "boris",
  });

  const { link } = (await user(town, "reset-password", "boris")).json as { link: string };
  expect(link).toMatch(new RegExp(`^${town.config.publicUrl}/reset-password/[\\w-]{43}$`));
  const token = link.split("/").at(-1) ?? "";
  await town.browser().api.users.resetPassword.mutate({ token, password: "a better one than before" });
  expect(await refusal(town.browser().api.users.signIn.mutate({ email, password }))).toMatchObject({
    code: "UNAUTHORIZED",
  });
  expect(await refusal(browser.api.users.sessions.query())).toMatchObject({ code: "UNAUTHORIZED" });
});

test(
  "sessions that the command line ends close at once what they have open, and nobody else's",
  { tags: ["more"] },
  async () => {
    await using town = await startTown();
    const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
    const pages = [ana, eve].map((person) => listen(person, "feed"));
    for (const page of pages) await page.live();
    const closed: number[] = [];
    for (const socket of eve.sockets) socket.on("close", (code: number) => closed.push(code));
    expect((await user(town, "sessions", eve.me.username)).json).toMatchObject({
      ended: false,
      sessions: [{}],
    });
    expect(closed).toEqual([]);
    expect((await user(town, "sessions", eve.me.username, "--end")).json).toMatchObject({ ended: true });
    await until(() => closed.length > 0, "the end of her socket");
    expect(closed).toEqual([4401]);
    expect(await refusal(eve.api.users.sessions.query())).toMatchObject({ code: "UNAUTHORIZED" });
    expect(ana.sockets.every((socket) => socket.readyState === socket.OPEN)).toBe(true);
    expect((await ana.api.users.sessions.query()).sessions).toHaveLength(1);
  },
);

test("an account that the command line suspends is signed out and not found, until it is opened again", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const blog = await eve.api.blogs.create.mutate(aBlog());
  const page = watch(ana, blog.id);
  const own = listen(eve, "feed");
  for (const each of [page, own]) await each.live();
  const closed: number[] = [];
  for (const socket of eve.sockets) socket.on("close", (code: number) => closed.push(code));
  const suspended = user(town, "suspend", eve.me.username, "--reason", "Spam.");
  expect((await suspended).json).toEqual({ username: eve.me.username, suspended: true });
  await page.heard("accessLost");
  await until(() => closed.length > 0, "the end of her socket");
  expect((await ana.api.blogs.list.query({})).blogs).toEqual([]);
  expect((await ana.api.moderation.log.query({})).entries).toMatchObject([
    { actor: "command-line", act: "suspend", name: eve.me.username, reason: "Spam." },
  ]);
  await user(town, "suspend", eve.me.username, "--undo");
  expect((await ana.api.blogs.list.query({})).blogs).toHaveLength(1);
});

test("an account that the command line deletes is gone from open pages, and its own are closed", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const blog = await eve.api.blogs.create.mutate(aBlog());
  const page = watch(ana, blog.id);
  const own = listen(eve, "feed");
  for (const each of [page, own]) await each.live();
  const closed: number[] = [];
  for (const socket of eve.sockets) socket.on("close", (code: number) => closed.push(code));
  expect(await user(town, "delete", eve.me.username)).toMatchObject({
    code: 2,
    error: "There is no terminal to ask on: say --yes where you are sure.",
  });
  expect((await user(town, "delete", eve.me.username, "--yes")).json).toMatchObject({
    deleted: true,
    whole: true,
  });
  await page.heard("accessLost");
  await until(() => closed.length > 0, "the end of her socket");
  expect(closed).toEqual([4401]);
  expect(town.rows("select username from users")).toEqual([{ username: ana.me.username }]);
});

test("an administrator is made and unmade, but never the last one", { tags: ["more"] }, async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const admins = () =>
    town
      .rows<{ username: string }>("select username from users where is_admin")
      .map(({ username }) => username);
  expect(await user(town, "make-admin", ana.me.username, "--undo")).toMatchObject({
    code: 1,
    error: expect.stringContaining("no administrator"),
  });
  // By the name that it had until now.
  await user(town, "silence", eve.me.username);
  expect(await user(town, "make-admin", eve.me.username)).toMatchObject({
    code: 1,
    error: expect.stringContaining("is limited"),
  });
  await user(town, "limit", eve.me.username, "--undo");
  await user(town, "make-admin", eve.me.username);
  expect(admins()).toEqual([ana.me.username, eve.me.username]);
  await user(town, "make-admin", ana.me.username, "--undo");
  expect(admins()).toEqual([eve.me.username]);
});
