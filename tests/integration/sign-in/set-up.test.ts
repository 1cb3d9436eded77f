import { once } from "node:events";
import { readFile, rm, stat } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { writeSetUpLink } from "../../../src/server/sign-in/set-up.ts";
import { users } from "../../../src/server/database/schema/profiles.ts";
import { readConfig } from "../../../src/server/runtime/config.ts";
import { completeSignup } from "../../../src/server/sign-in/sign-up-approval.ts";
import { reprise } from "../../support/command.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { createDatabaseFolder } from "../../support/new-database.ts";
import { password, refusal, startTestSite, type TestSite } from "../../support/test-site.ts";

/* The first administrator of a site that strangers can find. */

const startNewSite = (settings: Record<string, string> = {}) =>
  startTestSite(settings, { setUpByLink: true });
const linkFile = ({ config }: TestSite) => path.join(config.dataDir, "setup-link");
const secretOf = async (site: TestSite) => (await readFile(linkFile(site), "utf8")).trim().split("#")[1]!;
const account = { name: "Ana Torres", email: "ana@site.example", password };
const setUp = (site: TestSite, secret: string, change: object = {}) =>
  site.browser().api.users.setUp.mutate({ ...account, secret, ...change });
const page = async (site: TestSite, address: string) => {
  const { status, headers } = await fetch(site.url + address, { redirect: "manual" });
  return [status, headers.get("location")];
};

test.each([
  ["http://localhost:3000", false],
  ["http://reprise.localhost", false],
  ["http://127.0.0.1:3000", false],
  ["http://127.9.9.9", false],
  ["http://[::1]:3000", false],
  ["https://blog.example.org", true],
  ["http://192.168.1.5:3000", true],
  ["http://localhost.example.org", true],
  ["http://127.0.0.1.example.org", true],
])("at %s the first administrator comes by the link: %s", (PUBLIC_URL, expected) => {
  expect(readConfig({ PUBLIC_URL }).setUpByLink).toBe(expected);
});

test("at an address that others reach the first administrator comes by the link, whatever PUBLIC_URL is", () => {
  for (const HOST of ["0.0.0.0", "::", "192.168.1.5"])
    expect(readConfig({ HOST }).setUpByLink, HOST).toBe(true);
  for (const HOST of ["127.0.0.1", "localhost", "::1"])
    expect(readConfig({ HOST }).setUpByLink, HOST).toBe(false);
});

test("is not set up again once its last account is deleted, and strangers cannot sign up", async () => {
  await using site = await startNewSite();
  const ana = site.browser();
  await ana.api.users.setUp.mutate({ ...account, secret: await secretOf(site) });
  expect(await page(site, "/home")).toEqual([200, null]);
  await ana.api.users.remove.mutate({ password });
  expect(await page(site, "/signup")).toEqual([302, "/setup"]);
  // As the next start does.
  await writeSetUpLink(site.app.services);
  const { viewer } = await site
    .browser()
    .api.users.setUp.mutate({ ...account, secret: await secretOf(site) });
  expect(viewer.isAdmin).toBe(true);
});

test("says that a new site is not set up on every page and call, and serves what monitors and pages need", async () => {
  await using site = await startNewSite();
  for (const address of ["/", "/home", "/blog/owls", "/signup", "/nobody", "/verify-email/x", "/home?page=2"])
    expect(await page(site, address), address).toEqual([302, "/setup"]);
  const html = await (await fetch(`${site.url}/home`)).text();
  expect(html).toContain("This site isn’t set up yet");
  const secret = await secretOf(site);
  expect(html).not.toContain(secret);
  for (const address of ["/healthz", "/readyz", "/favicon.svg", "/manifest.webmanifest", "/setup"])
    expect((await page(site, address))[0], address).toBe(200);
  for (const [method, call] of [
    ["POST", "/signup"],
    ["GET", "/blogs"],
    ["DELETE", "/delete-account"],
  ] as const) {
    const answer = await fetch(`${site.url}/api/v1${call}`, {
      method,
      ...(method === "POST" && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(account),
      }),
    });
    expect([answer.status, answer.headers.get("access-control-allow-origin")], call).toEqual([503, "*"]);
    expect(await answer.json()).toMatchObject({
      success: false,
      message: expect.stringContaining("isn’t set up yet"),
    });
  }
  const guest = site.browser();
  for (const call of [
    guest.api.users.signUp.mutate(account),
    guest.api.users.resetPassword.mutate({ token: "x", password }),
    guest.api.blogs.list.query({}),
  ])
    await expectRefusal(call, "SERVICE_UNAVAILABLE");
  const { status } = await fetch(`${site.url}/trpc/users.me,blogs.list?batch=1&input=%7B%7D`);
  expect(status).toBe(503);
  expect((await fetch(`${site.url}/feed.xml`)).status).toBe(503);
  // A socket passes, what only looks like one does not.
  const pretended = request(`${site.url}/trpc/users.signUp`, {
    method: "POST",
    headers: { upgrade: "x" },
  }).end();
  const [answer] = (await once(pretended, "response")) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(503);
  expect(site.rows("select id from users")).toEqual([]);
});

test("creates one administrator by the link, however often it is opened, and then works like any site", async () => {
  await using site = await startNewSite();
  const secret = await secretOf(site);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect((await stat(linkFile(site))).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(site.rows("select * from meta"))).not.toContain(secret);
  for (const wrong of ["", "x", secret.slice(1), `${secret}x`])
    await expectRefusal(setUp(site, wrong), "FORBIDDEN");
  // Link scanners.
  for (let count = 0; count < 3; count++) await fetch(`${site.url}/setup`);
  await expectRefusal(setUp(site, secret, { password: "password1" }), { field: "password" });

  const results = await Promise.allSettled(
    ["one@site.example", "two@site.example", "three@site.example"].map((email) =>
      setUp(site, secret, { email }),
    ),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(site.rows("select is_admin, verified_at is not null as verified from users")).toEqual([
    { is_admin: 1, verified: 1 },
  ]);
  await expect(stat(linkFile(site))).rejects.toThrow("ENOENT");
  await expectRefusal(setUp(site, secret), {
    code: "FORBIDDEN",
    message: "This site is already set up. Please sign in.",
  });
  expect(await page(site, "/home")).toEqual([200, null]);
  expect(await page(site, "/setup")).toEqual([302, "/signin"]);
  const ben = await site.signUpAndSignIn("Ben");
  expect(site.rows("select is_admin from users where id <> (select min(id) from users)")).toEqual([
    { is_admin: 0 },
  ]);
  expect(ben.me.isAdmin).toBe(false);
});

test("signs the administrator in with the account that takes the place of a stranger's sign-up", async () => {
  await using site = await startNewSite();
  site.config.setUpByLink = false;
  await site.browser().api.users.signUp.mutate({ ...account, name: "Eve" });
  const token = await site.mailedToken(account.email, "verify-email");
  site.config.setUpByLink = true;
  // The stranger's link makes nobody administrator, also where it is opened first.
  const [{ id } = { id: "" }] = site.rows<{ id: string }>("select id from users");
  await site.write((tx) =>
    completeSignup(tx, site.config, { id, verifiedAt: null }, { answer: null, invitation: null }),
  );
  expect(site.rows("select is_admin from users")).toEqual([{ is_admin: 0 }]);
  await site.write(async (tx) => {
    await tx.drizzle.update(users).set({ verifiedAt: null });
  });
  const ana = site.browser();
  const { viewer } = await ana.api.users.setUp.mutate({ ...account, secret: await secretOf(site) });
  expect(viewer).toMatchObject({ name: "Ana Torres", email: account.email, isAdmin: true });
  expect(await ana.api.users.me.query()).toMatchObject({ id: viewer.id });
  await expectRefusal(site.browser().api.users.verifyEmail.mutate({ token }), "BAD_REQUEST");
});

test("keeps its link until it is used, makes one without the file, and limits guesses", async () => {
  const DATA_DIR = await createDatabaseFolder("reprise-set-up-");
  const start = () => startNewSite({ DATA_DIR, RATE_LIMIT: "on" });
  const site = await start();
  const secret = await secretOf(site);
  await site.app.close();
  const second = await start();
  expect(await secretOf(second)).toBe(secret);
  await rm(linkFile(second));
  await expectRefusal(setUp(second, secret), "FORBIDDEN");
  await second.app.close();
  await using third = await start();
  const now = await secretOf(third);
  expect(now).not.toBe(secret);
  for (let guess = 0; guess < 100; guess++)
    if ((await refusal(setUp(third, secret))).code === "TOO_MANY_REQUESTS") break;
  await expectRefusal(setUp(third, secret), "TOO_MANY_REQUESTS");
});

test("is set up by the command line, and needs no link where an account is", async () => {
  await using site = await startNewSite();
  expect((await page(site, "/home"))[0]).toBe(302);
  const args = ["user", "add", "ana", "--email", account.email, "--admin"];
  await reprise(site.config.dataDir, args, { PUBLIC_URL: "https://blog.example.org" });
  expect(await page(site, "/home")).toEqual([200, null]);
  await expectRefusal(setUp(site, await secretOf(site)), "FORBIDDEN");
  await writeSetUpLink(site.app.services);
  await expect(stat(linkFile(site))).rejects.toThrow("ENOENT");
});
