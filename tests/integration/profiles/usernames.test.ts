import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { storeAliases } from "../../../src/server/blogs/aliases.ts";
import { reservedUsernames } from "../../../src/server/database/schema/profiles.ts";
import { addAccount } from "../../../src/server/sign-in/sign-up.ts";
import { deleteExpiredAccountData } from "../../../src/server/accounts/housekeeping.ts";
import { limits } from "../../../src/shared/limits.ts";
import { skeletonOf } from "../../../src/shared/username-skeleton.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  password,
  refusal,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const rename = (person: SignedInBrowser, username: string) =>
  person.api.users.updateProfile.mutate({ username });
const usernameTooSimilar = {
  code: "CONFLICT",
  field: "username",
  message: "That username is too like one that is taken. Please choose another.",
};
const usernameTaken = { ...usernameTooSimilar, message: "That username is taken. Please choose another." };
const usernameOfficial = {
  ...usernameTooSimilar,
  message: "That username could be taken for the site’s own. Please choose another.",
};
const days = (count: number) => count * 24 * 60 * 60 * 1000;
/** Shortens the remaining time of reserved usernames. */
const shortenReservations = (testSite: TestSite, time: number) =>
  testSite.write(async (tx) => {
    for (const { username, until } of await tx.drizzle.select().from(reservedUsernames))
      await execute(
        tx,
        `update reserved_usernames set until = ${until - time} where username = '${username}'`,
      );
  });

test("refuses a username that is too similar to another person's", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  await rename(ana, "paul.morris");
  for (const username of ["paulmorris", "pau1-morris", "PAUL_M0RRIS", "paul.rnorris", "paui.morris"])
    expect(await refusal(rename(eve, username)), username).toMatchObject(usernameTooSimilar);
  await expectRefusal(rename(eve, "paul.morris"), usernameTaken);
  expect((await rename(eve, "paula.morris")).username).toBe("paula.morris");
  // A name similar to one's own is allowed.
  expect((await rename(ana, "paul-morris")).username).toBe("paul-morris");
  await expectRefusal(rename(eve, "pau1morris"), usernameTooSimilar);
  const eves = await ApiClient.of(testSite, eve);
  expect(await eves.call("PATCH", `/users/${eve.me.id}`, { username: "paulmorris" })).toMatchObject({
    status: 409,
    body: { success: false, field: "username" },
  });
});

test("refuses a username that is too similar to the site's own names", async () => {
  await using testSite = await startTestSite({ SITE_NAME: "Night Owls" });
  const eve = await testSite.createAccount("Eve");
  const officialNames = [
    "administrator",
    "moderator",
    "staff",
    "official",
    "adm1n",
    "supp0rt",
    "s-e-t-t-i-n-g-s",
  ];
  for (const username of [...officialNames, "nightowls", "night.0wls", "no_reply"])
    expect(await refusal(rename(eve, username)), username).toMatchObject(usernameOfficial);
  for (const username of ["admin", "support", "upload"])
    expect(await refusal(rename(eve, username)), username).toMatchObject({ code: "BAD_REQUEST" });
  expect((await rename(eve, "nightowl")).username).toBe("nightowl");
});

test("makes a dissimilar username at sign-up, and refuses a similar one at the command line", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await rename(ana, "paul.morris");
  const { services } = testSite.app;
  const add = (name: string, username?: string) =>
    addAccount(services, {
      name,
      email: `${Math.random().toString(36).slice(2)}@example.org`,
      password,
      ...(username ? { username } : {}),
    });
  for (const name of ["Paul Morris", "Administrator", "Moderator"])
    expect((await add(name)).username, name).toMatch(/^[a-z]+\d+$/);
  const paul = await testSite.createAccount("Paul Morris");
  expect(paul.me.username).toMatch(/^paulmorris\d+$/);
  await expect(add("Paul", "paulmorris")).rejects.toMatchObject({ code: "conflict", field: "username" });
  await expect(add("Paul", "moderator")).rejects.toMatchObject({ code: "conflict", field: "username" });
  for (const { username, username_skeleton: skeleton } of testSite.rows<{
    username: string;
    username_skeleton: string;
  }>("select username, username_skeleton from users"))
    expect(skeleton, username).toBe(skeletonOf(username));
});

test("accepts one of several similar usernames taken concurrently", async () => {
  await using testSite = await startTestSite();
  const people = await Promise.all(["Ana", "Bob", "Cleo", "Dan"].map(testSite.createAccount));
  const names = ["owl.town", "owltown", "0wltown", "owl-town"];
  const results = await Promise.allSettled(people.map((person, index) => rename(person, names[index] ?? "")));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("reserves a given-up username for its owner, and redirects it to them", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const guest = testSite.browser();
  await rename(ana, "ana.writes");
  const before = await guest.fetch("/ana.writes");
  expect(before.status).toBe(200);
  await rename(ana, "ana.reads");

  const redirectOf = async (path: string, browser: { fetch: typeof guest.fetch } = guest) => {
    const { status, headers } = await browser.fetch(path);
    return [status, headers.get("location")];
  };
  expect(await redirectOf("/ana.writes")).toEqual([301, "/ana.reads"]);
  expect(await redirectOf("/ana.writes", eve)).toEqual([301, "/ana.reads"]);
  expect(await redirectOf("/Ana.Writes?page=2")).toEqual([301, "/ana.reads?page=2"]);
  expect(await redirectOf("/ana.writes/liked-blogs?page=2")).toEqual([301, "/ana.reads/liked-blogs?page=2"]);
  expect(await redirectOf("/followers/ana.writes?page=2")).toEqual([301, "/followers/ana.reads?page=2"]);
  expect(await redirectOf("/following/ana.writes")).toEqual([301, "/following/ana.reads"]);

  await expectRefusal(rename(eve, "ana.writes"), usernameTaken);
  await expectRefusal(rename(eve, "anawrites"), usernameTooSimilar);
  expect((await testSite.createAccount("Ana Writes")).me.username).toMatch(/^anawrites\d+$/);
  // The owner takes it back; now the other one redirects.
  expect((await rename(ana, "ana.writes")).username).toBe("ana.writes");
  expect((await redirectOf("/ana.writes"))[0]).toBe(200);
  expect(await redirectOf("/ana.reads")).toEqual([301, "/ana.writes"]);
});

/** Returns what a guest gets for a username: page, lists, feeds, REST and tRPC. */
async function resultsAt(testSite: TestSite, username: string) {
  const guest = testSite.browser();
  const paths = ["", "/liked-blogs", "/feed.xml", "/atom.xml", "/feed.json"].map(
    (path) => `/${username}${path}`,
  );
  const answers: Record<string, string | null> = {};
  for (const path of [...paths, `/followers/${username}`, `/following/${username}`]) {
    const { status, headers } = await guest.fetch(path);
    answers[path.replace(username, "*")] = status === 301 ? headers.get("location") : String(status);
  }
  const { status, body } = await new ApiClient(testSite).call("GET", `/users/${username}`);
  const profile = guest.api.users.profile.query({ username });
  return {
    ...answers,
    rest: status === 200 ? (body.user as { username: string }).username : String(status),
    call: await profile.then(({ username: name }) => name).catch(() => "404"),
  };
}

/** The results of all of them where a username redirects. */
const redirectsTo = (username: string) => ({
  "/*": `/${username}`,
  "/*/liked-blogs": `/${username}/liked-blogs`,
  "/*/feed.xml": `/${username}/feed.xml`,
  "/*/atom.xml": `/${username}/atom.xml`,
  "/*/feed.json": `/${username}/feed.json`,
  "/followers/*": `/followers/${username}`,
  "/following/*": `/following/${username}`,
  rest: username,
  call: username,
});

test("redirects a given-up username until another person takes it, after a month at the earliest", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  await rename(ana, "ana.writes");
  await rename(ana, "ana.reads");
  await shortenReservations(testSite, days(limits.username.heldDays) - 60_000);
  await expectRefusal(rename(eve, "ana.writes"), usernameTaken);
  for (const time of [0, days(3650)]) {
    await shortenReservations(testSite, time + 120_000);
    await deleteExpiredAccountData(testSite.app.services.database, Date.now());
    expect(await resultsAt(testSite, "ana.writes")).toEqual(redirectsTo("ana.reads"));
  }
  // No sign-up and no import gets it automatically.
  await rename(eve, "first");
  await rename(eve, "second");
  await shortenReservations(testSite, days(limits.username.heldDays));
  expect((await testSite.createAccount("First")).me.username).toMatch(/^first\d+$/);
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  expect(await testSite.write((tx) => storeAliases(tx, id, ["/first", "/free"]))).toEqual(["/first"]);

  expect((await rename(eve, "ana.writes")).username).toBe("ana.writes");
  expect(await resultsAt(testSite, "ana.writes")).toMatchObject({
    "/*": "200",
    "/*/feed.xml": "200",
    rest: "ana.writes",
  });
  expect(
    await testSite.rows("select username from reserved_usernames where username = 'ana.writes'"),
  ).toEqual([]);
  // It redirects to its last owner.
  await rename(eve, "eve.again");
  expect(await resultsAt(testSite, "ana.writes")).toEqual(redirectsTo("eve.again"));
});

test("reserves the username of a deleted account without a redirect", async () => {
  const [testSite, , ana, eve] = await siteWith("Administrator", "Ana", "Eve");
  await rename(ana, "ana.writes");
  await rename(ana, "ana.reads");
  await ana.api.users.remove.mutate({ password });
  for (const username of ["ana.writes", "ana.reads"]) {
    expect((await eve.fetch(`/${username}`)).status, username).toBe(404);
    expect(await refusal(rename(eve, username)), username).toMatchObject(usernameTaken);
  }
  await shortenReservations(testSite, days(limits.username.heldDays));
  await deleteExpiredAccountData(testSite.app.services.database, Date.now());
  expect(testSite.rows("select username from reserved_usernames")).toEqual([]);
  expect((await rename(eve, "ana.reads")).username).toBe("ana.reads");
});

test("limits username changes, except back to an own earlier one", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const names = ["ana.one", "ana.two", "ana.three"];
  for (const username of names) await rename(ana, username);
  const error = await refusal(rename(ana, "ana.four"));
  expect(error).toMatchObject({ code: "TOO_MANY_REQUESTS", field: "username" });
  expect(error.message).toBe(
    "A username can be changed 3 times in 30 days. Please wait 30 days, or use an earlier one of yours.",
  );
  // Other fields are saved with the unchanged username, and an own earlier username is allowed.
  expect(await ana.api.users.updateProfile.mutate({ username: "ana.three", bio: "Owls." })).toMatchObject({
    username: "ana.three",
    bio: "Owls.",
  });
  expect((await rename(ana, "ana.one")).username).toBe("ana.one");
  await shortenReservations(testSite, days(limits.username.heldDays));
  expect((await rename(ana, "ana.four")).username).toBe("ana.four");
});
