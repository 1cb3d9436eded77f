import { afterEach, beforeEach, expect, test } from "vitest";
import { endSessions } from "../../../src/server/sign-in/end-sessions.ts";
import { updateUser } from "../../../src/server/profiles/queries.ts";
import type { MailedLink } from "../../support/browser.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { formats, readFeed } from "../../support/feeds.ts";
import { upload } from "../../support/pictures.ts";
import {
  aBlog,
  password,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* The feed of what Eve follows, at an address that only she knows. Ana and Ben write. */

let testSite: TestSite;
let boss: SignedInBrowser;
let ana: SignedInBrowser;
let ben: SignedInBrowser;
let eve: SignedInBrowser;

beforeEach(async () => {
  testSite = await startTestSite();
  boss = await testSite.createAccount("Boss");
  [ana, ben, eve] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    await testSite.createAccount("Eve"),
  ];
});
afterEach(() => testSite[Symbol.asyncDispose]());

const pathOf = async (person: SignedInBrowser) => {
  const { address } = await person.api.users.ownFeed.mutate({ password });
  expect(address.startsWith(`${testSite.config.publicUrl}/following/`)).toBe(true);
  return address.slice(testSite.config.publicUrl.length);
};
const fetchFeed = (path: string, headers: Record<string, string> = {}) =>
  fetch(testSite.url + path, { headers });
const titles = async (path: string) => {
  const titlesByFormat = await Promise.all(
    formats.map(async ([file]) => {
      const answer = await fetchFeed(`${path}/${file}`);
      expect(answer.status).toBe(200);
      return (await readFeed(file, await answer.text())).entries.map(({ title }) => title);
    }),
  );
  expect(titlesByFormat[1]).toEqual(titlesByFormat[0]);
  expect(titlesByFormat[2]).toEqual(titlesByFormat[0]);
  return titlesByFormat[0];
};
const publish = (person: SignedInBrowser, title: string, more: Record<string, unknown> = {}) =>
  person.api.blogs.create.mutate(aBlog({ title, tags: [], ...more }));
const follow = (person: SignedInBrowser) =>
  eve.api.social.follow.mutate({ userId: person.me.id, follow: true });

test("contains blogs by followed people and with followed tags, as far as its owner can read them", async () => {
  const path = await pathOf(eve);
  await publish(ana, "Public");
  const hidden = await publish(ana, "For followers", { private: true });
  await publish(ana, "A draft", { draft: true });
  await publish(ben, "Of another");
  const tagged = await publish(ben, "With the tag", { tags: ["owls"] });
  await publish(eve, "Her own", { tags: ["owls"] });
  expect(await titles(path)).toEqual([]);
  await follow(ana);
  expect(await titles(path)).toEqual(["For followers", "Public"]);
  await eve.api.users.updateSettings.mutate({ interests: ["owls", "two words"] });
  expect(await titles(path)).toEqual(["With the tag", "For followers", "Public"]);
  await eve.api.social.mute.mutate({ userId: ben.me.id, muted: true });
  expect(await titles(path)).toEqual(["For followers", "Public"]);
  await eve.api.social.mute.mutate({ userId: ben.me.id, muted: false });
  await eve.api.users.updateSettings.mutate({ mutedWords: ["followers"] });
  expect(await titles(path)).toEqual(["With the tag", "Public"]);
  await eve.api.users.updateSettings.mutate({ mutedWords: [] });
  await ben.api.blogs.update.mutate({ id: tagged.id, private: true });
  await ana.api.blogs.update.mutate({ id: hidden.id, draft: true });
  expect(await titles(path)).toEqual(["Public"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await titles(path)).toEqual(["Public"]);
  await ana.api.social.removeFollower.mutate({ userId: eve.me.id });
  expect(await titles(path)).toEqual([]);
});

test("leaves out blocked and suspended accounts and blogs taken down", async () => {
  const path = await pathOf(eve);
  const { id } = await publish(ana, "Public");
  await follow(ana);
  const userId = ana.me.id;
  await boss.api.moderation.limit.mutate({ userId, limited: true, reason: "Rude." });
  // Its followers see a limited account.
  expect(await titles(path)).toEqual(["Public"]);
  await boss.api.moderation.limit.mutate({ userId, limited: false });
  await boss.api.moderation.report.mutate({ kind: "blog", id, reason: "other" });
  await boss.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason: "Spam." });
  expect(await titles(path)).toEqual([]);
  await boss.api.moderation.restore.mutate({ blogId: id });
  await ana.api.blogs.update.mutate({ id, draft: false });
  expect(await titles(path)).toEqual(["Public"]);
  await ana.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  expect(await titles(path)).toEqual([]);
  await ana.api.social.block.mutate({ userId: eve.me.id, blocked: false });
  await follow(ana);
  expect(await titles(path)).toEqual(["Public"]);
  await boss.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." });
  expect(await titles(path)).toEqual([]);
});

test("contains the newest twenty blogs of all that is followed", async () => {
  for (let count = 1; count <= 12; count++) {
    await publish(ana, `Ana ${count}`, { tags: ["owls"] });
    await publish(ben, `Ben ${count}`, { tags: ["owls"] });
  }
  await follow(ana);
  await follow(ben);
  await eve.api.users.updateSettings.mutate({ interests: ["owls"] });
  const shownTitles = await titles(await pathOf(eve));
  expect([shownTitles?.length, shownTitles?.[0], shownTitles?.[1], shownTitles?.at(-1)]).toEqual([
    20,
    "Ben 12",
    "Ana 12",
    "Ana 3",
  ]);
});

test("gives signed addresses of pictures that are not public", async () => {
  const [cover, textPicture] = [await upload(ana), await upload(ana)];
  const image = { type: "image", attrs: { src: textPicture.src } };
  const document = { type: "doc", content: [{ type: "paragraph", content: [image] }] };
  await publish(ana, "For followers", { private: true, coverId: cover.id, document });
  await follow(ana);
  const path = await pathOf(eve);
  for (const [file] of formats) {
    const { entries } = await readFeed(file, await (await fetchFeed(`${path}/${file}`)).text());
    const src = /<img src="([^"]+)"/.exec(entries[0]?.html ?? "")?.[1]?.replaceAll("&amp;", "&") ?? "";
    for (const address of [src, entries[0]?.picture?.url ?? ""]) {
      const feedPath = address.slice(testSite.config.publicUrl.length);
      expect(feedPath).toContain("?until=");
      expect((await fetchFeed(feedPath)).status).toBe(200);
      expect((await fetchFeed(feedPath.split("?")[0]!)).status).toBe(404);
    }
  }
});

test("is not cached by shared caches, and answers 304 to a known ETag or date", async () => {
  await publish(ana, "Public");
  await follow(ana);
  const path = `${await pathOf(eve)}/feed.xml`;
  const answer = await fetchFeed(path);
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  expect(answer.headers.get("x-robots-tag")).toContain("noindex");
  const etag = answer.headers.get("etag")!;
  expect((await fetchFeed(path, { "if-none-match": etag })).status).toBe(304);
  expect((await fetchFeed(path, { "if-none-match": "*" })).status).toBe(304);
  // A feed has a date once a second has passed since its last change.
  const since = await until(async () => (await fetchFeed(path)).headers.get("last-modified"), "a date");
  expect((await fetchFeed(path, { "if-modified-since": since })).status).toBe(304);
  await publish(ana, "More");
  expect((await fetchFeed(path, { "if-none-match": etag })).status).toBe(200);
  expect((await fetchFeed(path, { "if-modified-since": since })).status).toBe(200);
});

test("keeps its address until that is renewed, and answers old and altered addresses with 404", async () => {
  const path = await pathOf(eve);
  expect(await pathOf(eve)).toBe(path);
  expect(await pathOf(ana)).not.toBe(path);
  const { address } = await eve.api.users.ownFeed.mutate({ password, renew: true });
  expect(await pathOf(eve)).toBe(address.slice(testSite.config.publicUrl.length));
  const expectNoFeed = async (feedAddress: string) => {
    for (const [file] of formats) {
      const answer = await fetchFeed(`${feedAddress}/${file}`);
      expect([answer.status, await answer.text()]).toEqual([404, "There is no feed at this address.\n"]);
    }
  };
  await expectNoFeed(path);
  const now = await pathOf(eve);
  expect(await titles(now)).toEqual([]);
  const others = (await pathOf(ana)).slice("/following/".length);
  await expectNoFeed(
    `/following/${now.slice("/following/".length, "/following/".length + 32)}${others.slice(32)}`,
  );
  await expectNoFeed(now.slice(0, -1));
  await expectNoFeed("/following/x");
  await expectNoFeed(`/following/${"0".repeat(32)}`);
  await expectRefusal(testSite.browser().api.users.ownFeed.mutate({ password }), "UNAUTHORIZED");
  const stored =
    JSON.stringify(testSite.rows("select * from users")) +
    JSON.stringify(testSite.rows("select * from meta"));
  expect(stored).not.toContain(now.slice(-43));
});

test("shows and renews its address for the password only, where there is one", async () => {
  const path = await pathOf(eve);
  for (const renew of [false, true])
    for (const guess of ["a guess", "", undefined])
      await expectRefusal(
        eve.api.users.ownFeed.mutate({ renew, ...(guess === undefined ? {} : { password: guess }) }),
        { code: "FORBIDDEN", field: "password" },
      );
  expect(await pathOf(eve)).toBe(path);
  await testSite.write((tx) => updateUser(tx, eve.me.id, { passwordHash: null }));
  expect((await eve.api.users.ownFeed.mutate({})).address).toContain(path);
});

test("gets a new address whenever the other sessions of its owner are ended", async () => {
  const { users } = eve.api;
  const mailed = (kind: MailedLink, email = eve.email) => testSite.mailedToken(email, kind);
  let secret = password;
  const acts: Record<string, () => Promise<unknown>> = {
    "a new password": () =>
      users.changePassword.mutate({ current: secret, password: (secret = "another long secret") }),
    "revoke all others": () => users.revokeOtherSessions.mutate(),
    "the command line": () => testSite.write((tx) => endSessions(tx, eve.me.id)),
    "a reset": async () => {
      await users.forgotPassword.mutate({ email: eve.email });
      const token = await mailed("reset-password");
      await users.resetPassword.mutate({ token, password: (secret = "a third long secret") });
    },
    "a new email address": async () => {
      await users.changeEmail.mutate({ email: "eve@new.example", password: secret });
      await users.followEmailLink.mutate({ token: await mailed("change-email", "eve@new.example") });
    },
    "the link that undoes it": async () =>
      users.followEmailLink.mutate({ token: await mailed("change-email") }),
  };
  for (const [name, act] of Object.entries(acts)) {
    if (!(await users.me.query())) await users.signIn.mutate({ email: eve.email, password: secret });
    const { address } = await users.ownFeed.mutate({ password: secret });
    const path = `${address.slice(testSite.config.publicUrl.length)}/feed.json`;
    expect((await fetchFeed(path)).status, name).toBe(200);
    await act();
    expect((await fetchFeed(path)).status, name).toBe(404);
  }
});

test("ends with the account, and is not found while the account is suspended", async () => {
  const [path, bens] = [`${await pathOf(eve)}/feed.json`, `${await pathOf(ben)}/feed.json`];
  const userId = eve.me.id;
  expect((await fetchFeed(path)).status).toBe(200);
  await boss.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." });
  expect((await fetchFeed(path)).status).toBe(404);
  await boss.api.moderation.suspend.mutate({ userId, suspended: false });
  expect((await fetchFeed(path)).status).toBe(200);
  expect((await fetchFeed(bens)).status).toBe(200);
  await ben.api.users.remove.mutate({ password });
  expect((await fetchFeed(bens)).status).toBe(404);
});

test("limits requests for wrong addresses and repeated ones for a feed", async () => {
  await using rateLimitedSite = await startTestSite({ RATE_LIMIT: "on" });
  const one = await rateLimitedSite.createAccount("One");
  const { address } = await one.api.users.ownFeed.mutate({ password });
  const path = address.slice(rateLimitedSite.config.publicUrl.length);
  const statuses = async (feedPath: string, times: number) => {
    const received = new Set<number>();
    for (let count = 0; count < times; count++)
      received.add((await fetch(`${rateLimitedSite.url}${feedPath}/feed.json`)).status);
    return [...received];
  };
  expect(await statuses(path, 241)).toEqual([200, 429]);
  expect(await statuses("/following/nobodys", 51)).toEqual([404, 429]);
  const last = await fetch(`${rateLimitedSite.url}${path}/feed.json`);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
});
