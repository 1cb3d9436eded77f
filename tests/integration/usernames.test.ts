import { expect, test } from "vitest";
import { noteAliases } from "../../src/server/blogs/aliases.ts";
import { heldUsernames } from "../../src/server/database/schema/users.ts";
import { addAccount } from "../../src/server/users/accounts.ts";
import { tidyAccounts } from "../../src/server/users/housekeeping.ts";
import { limits } from "../../src/shared/limits.ts";
import { lookOf } from "../../src/shared/look-alike.ts";
import { ApiClient } from "../support/api-client.ts";
import { aBlog, password, refusal, startTown, type Resident, type Town } from "../support/town.ts";

const rename = (who: Resident, username: string) => who.api.users.updateProfile.mutate({ username });
const tooLike = {
  code: "CONFLICT",
  field: "username",
  message: "That username is too like one that is taken. Please choose another.",
};
const taken = { ...tooLike, message: "That username is taken. Please choose another." };
const ofTheSite = {
  ...tooLike,
  message: "That username could be taken for the site’s own. Please choose another.",
};
const days = (count: number) => count * 24 * 60 * 60 * 1000;
/** Names that are held are held for so much less. */
const later = (town: Town, time: number) =>
  town.write(async (tx) => {
    for (const { username, until } of await tx.drizzle.select().from(heldUsernames).all())
      await tx.drizzle.run(
        `update held_usernames set until = ${until - time} where username = '${username}'`,
      );
  });

test("nobody takes a username that could be taken for somebody else's", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  await rename(ana, "paul.morris");
  for (const username of ["paulmorris", "pau1-morris", "PAUL_M0RRIS", "paul.rnorris", "paui.morris"])
    expect(await refusal(rename(eve, username)), username).toMatchObject(tooLike);
  expect(await refusal(rename(eve, "paul.morris"))).toMatchObject(taken);
  expect((await rename(eve, "paula.morris")).username).toBe("paula.morris");
  // One's own is nobody else's.
  expect((await rename(ana, "paul-morris")).username).toBe("paul-morris");
  expect(await refusal(rename(eve, "pau1morris"))).toMatchObject(tooLike);
  const eves = await ApiClient.of(town, eve);
  expect(await eves.call("PATCH", `/users/${eve.me.id}`, { username: "paulmorris" })).toMatchObject({
    status: 409,
    body: { success: false, field: "username" },
  });
});

test("nobody takes a username that could be taken for the site's own", async () => {
  await using town = await startTown({ SITE_NAME: "Night Owls" });
  const eve = await town.resident("Eve");
  const words = ["administrator", "moderator", "staff", "official", "adm1n", "supp0rt", "s-e-t-t-i-n-g-s"];
  for (const username of [...words, "nightowls", "night.0wls", "no_reply"])
    expect(await refusal(rename(eve, username)), username).toMatchObject(ofTheSite);
  for (const username of ["admin", "support", "upload"])
    expect(await refusal(rename(eve, username)), username).toMatchObject({ code: "BAD_REQUEST" });
  expect((await rename(eve, "nightowl")).username).toBe("nightowl");
});

test("a username made at the sign-up, or at the command line, is like nobody's either", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await rename(ana, "paul.morris");
  const { parts } = town.app;
  const add = (name: string, username?: string) =>
    addAccount(parts, {
      name,
      email: `${Math.random().toString(36).slice(2)}@example.org`,
      password,
      ...(username ? { username } : {}),
    });
  for (const name of ["Paul Morris", "Administrator", "Moderator"])
    expect((await add(name)).username, name).toMatch(/^[a-z]+\d+$/);
  const paul = await town.resident("Paul Morris");
  expect(paul.me.username).toMatch(/^paulmorris\d+$/);
  await expect(add("Paul", "paulmorris")).rejects.toMatchObject({ code: "conflict", field: "username" });
  await expect(add("Paul", "moderator")).rejects.toMatchObject({ code: "conflict", field: "username" });
  for (const { username, look } of town.rows<{ username: string; look: string }>(
    "select username, look from users",
  ))
    expect(look, username).toBe(lookOf(username));
});

test("of many who take names alike at the same moment one gets it", async () => {
  await using town = await startTown();
  const people = await Promise.all(["Ana", "Bob", "Cleo", "Dan"].map(town.resident));
  const names = ["owl.town", "owltown", "0wltown", "owl-town"];
  const outcomes = await Promise.allSettled(people.map((who, index) => rename(who, names[index] ?? "")));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a username that was given up is held for its owner, and leads to them", async () => {
  await using town = await startTown();
  const [ana, eve, guest] = [await town.resident("Ana"), await town.resident("Eve"), town.browser()];
  await rename(ana, "ana.writes");
  const before = await guest.fetch("/ana.writes");
  expect(before.status).toBe(200);
  await rename(ana, "ana.reads");

  const led = async (path: string, who: { fetch: typeof guest.fetch } = guest) => {
    const { status, headers } = await who.fetch(path);
    return [status, headers.get("location")];
  };
  expect(await led("/ana.writes")).toEqual([301, "/ana.reads"]);
  expect(await led("/ana.writes", eve)).toEqual([301, "/ana.reads"]);
  expect(await led("/Ana.Writes?page=2")).toEqual([301, "/ana.reads?page=2"]);
  expect(await led("/ana.writes/liked-blogs?page=2")).toEqual([301, "/ana.reads/liked-blogs?page=2"]);
  expect(await led("/followers/ana.writes?page=2")).toEqual([301, "/followers/ana.reads?page=2"]);
  expect(await led("/following/ana.writes")).toEqual([301, "/following/ana.reads"]);

  expect(await refusal(rename(eve, "ana.writes"))).toMatchObject(taken);
  expect(await refusal(rename(eve, "anawrites"))).toMatchObject(tooLike);
  expect((await town.resident("Ana Writes")).me.username).toMatch(/^anawrites\d+$/);
  // Whoever had it takes it back, and then it is the other one that leads there.
  expect((await rename(ana, "ana.writes")).username).toBe("ana.writes");
  expect((await led("/ana.writes"))[0]).toBe(200);
  expect(await led("/ana.reads")).toEqual([301, "/ana.writes"]);
});

/** What is at a name, for whoever asks: page, lists, feeds, the API and the site's own calls. */
async function atName(town: Town, username: string) {
  const guest = town.browser();
  const paths = ["", "/liked-blogs", "/feed.xml", "/atom.xml", "/feed.json"].map(
    (path) => `/${username}${path}`,
  );
  const answers: Record<string, string | null> = {};
  for (const path of [...paths, `/followers/${username}`, `/following/${username}`]) {
    const { status, headers } = await guest.fetch(path);
    answers[path.replace(username, "*")] = status === 301 ? headers.get("location") : String(status);
  }
  const { status, body } = await new ApiClient(town).call("GET", `/users/${username}`);
  const called = guest.api.users.profile.query({ username });
  return {
    ...answers,
    rest: status === 200 ? (body.user as { username: string }).username : String(status),
    call: await called.then(({ username: name }) => name).catch(() => "404"),
  };
}

/** What all of them answer where a name leads to another. */
const ledTo = (username: string) => ({
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

test("a username that was given up leads to its owner for ever; after a month it is anybody's, and theirs alone", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  await rename(ana, "ana.writes");
  await rename(ana, "ana.reads");
  await later(town, days(limits.username.heldDays) - 60_000);
  expect(await refusal(rename(eve, "ana.writes"))).toMatchObject(taken);
  for (const time of [0, days(3650)]) {
    await later(town, time + 120_000);
    await tidyAccounts(town.app.parts.database, Date.now());
    expect(await atName(town, "ana.writes")).toEqual(ledTo("ana.reads"));
  }
  // By chance nobody gets it, and no import.
  await rename(eve, "first");
  await rename(eve, "second");
  await later(town, days(limits.username.heldDays));
  expect((await town.resident("First")).me.username).toMatch(/^first\d+$/);
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  expect(await town.write((tx) => noteAliases(tx, id, ["/first", "/free"]))).toEqual(["/first"]);

  expect((await rename(eve, "ana.writes")).username).toBe("ana.writes");
  expect(await atName(town, "ana.writes")).toMatchObject({
    "/*": "200",
    "/*/feed.xml": "200",
    rest: "ana.writes",
  });
  expect(await town.rows("select username from held_usernames where username = 'ana.writes'")).toEqual([]);
  // Who had it last is whom it leads to.
  await rename(eve, "eve.again");
  expect(await atName(town, "ana.writes")).toEqual(ledTo("eve.again"));
});

test("the username of an account that is gone is held, and leads nowhere", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  await rename(ana, "ana.writes");
  await rename(ana, "ana.reads");
  await ana.api.users.remove.mutate({ password });
  for (const username of ["ana.writes", "ana.reads"]) {
    expect((await eve.fetch(`/${username}`)).status, username).toBe(404);
    expect(await refusal(rename(eve, username)), username).toMatchObject(taken);
  }
  await later(town, days(limits.username.heldDays));
  await tidyAccounts(town.app.parts.database, Date.now());
  expect(town.rows("select username from held_usernames")).toEqual([]);
  expect((await rename(eve, "ana.reads")).username).toBe("ana.reads");
});

test("nobody gathers usernames by changing theirs", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const names = ["ana.one", "ana.two", "ana.three"];
  for (const username of names) await rename(ana, username);
  const refused = await refusal(rename(ana, "ana.four"));
  expect(refused).toMatchObject({ code: "TOO_MANY_REQUESTS", field: "username" });
  expect(refused.message).toBe(
    "A username can be changed 3 times in 30 days. Please wait 30 days, or use an earlier one of yours.",
  );
  // What else the form holds is saved with the name as it is, and a name of one's own is one's own.
  expect(await ana.api.users.updateProfile.mutate({ username: "ana.three", bio: "Owls." })).toMatchObject({
    username: "ana.three",
    bio: "Owls.",
  });
  expect((await rename(ana, "ana.one")).username).toBe("ana.one");
  await later(town, days(limits.username.heldDays));
  expect((await rename(ana, "ana.four")).username).toBe("ana.four");
});
