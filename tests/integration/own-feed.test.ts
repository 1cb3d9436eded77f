import { afterEach, beforeEach, expect, test } from "vitest";
import { formats, readFeed } from "../support/feeds.ts";
import { upload } from "../support/pictures.ts";
import { aBlog, password, refusal, startTown, type Resident, type Town } from "../support/town.ts";

/* What Eve follows, at an address that she alone knows. Ana and Ben write. */

let town: Town;
let boss: Resident;
let ana: Resident;
let ben: Resident;
let eve: Resident;

beforeEach(async () => {
  town = await startTown();
  boss = await town.resident("Boss");
  [ana, ben, eve] = [await town.resident("Ana"), await town.resident("Ben"), await town.resident("Eve")];
});
afterEach(() => town[Symbol.asyncDispose]());

const pathOf = async (who: Resident) => {
  const { address } = await who.api.users.ownFeed.query();
  expect(address.startsWith(`${town.config.publicUrl}/following/`)).toBe(true);
  return address.slice(town.config.publicUrl.length);
};
const ask = (path: string, headers: Record<string, string> = {}) => fetch(town.url + path, { headers });
const titles = async (path: string) => {
  const found = await Promise.all(
    formats.map(async ([file]) => {
      const answer = await ask(`${path}/${file}`);
      expect(answer.status).toBe(200);
      return (await readFeed(file, await answer.text())).entries.map(({ title }) => title);
    }),
  );
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
  return found[0];
};
const publish = (who: Resident, title: string, more: Record<string, unknown> = {}) =>
  who.api.blogs.create.mutate(aBlog({ title, tags: [], ...more }));
const follow = (who: Resident) => eve.api.social.follow.mutate({ userId: who.me.id, follow: true });

test("it has what those write whom one follows and what has the tags that one follows, as one may read it", async () => {
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

test("a wall, and what moderators decide, hold in it as everywhere", async () => {
  const path = await pathOf(eve);
  const { id } = await publish(ana, "Public");
  await follow(ana);
  const userId = ana.me.id;
  await boss.api.moderation.limit.mutate({ userId, limited: true, reason: "Rude." });
  // Its followers see it.
  expect(await titles(path)).toEqual(["Public"]);
  await boss.api.moderation.limit.mutate({ userId, limited: false });
  await boss.api.moderation.report.mutate({ kind: "blog", id, reason: "other" });
  await boss.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "hide", reason: "Spam." });
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

test("the newest twenty of all are in it, however many one follows", async () => {
  for (let count = 1; count <= 12; count++) {
    await publish(ana, `Ana ${count}`, { tags: ["owls"] });
    await publish(ben, `Ben ${count}`, { tags: ["owls"] });
  }
  await follow(ana);
  await follow(ben);
  await eve.api.users.updateSettings.mutate({ interests: ["owls"] });
  const found = await titles(await pathOf(eve));
  expect([found?.length, found?.[0], found?.[1], found?.at(-1)]).toEqual([20, "Ben 12", "Ana 12", "Ana 3"]);
});

test("pictures that are not everybody's are fetched by signed addresses, and make no other feed of it", async () => {
  const [cover, inText] = [await upload(ana), await upload(ana)];
  const image = { type: "image", attrs: { src: inText.src } };
  const document = { type: "doc", content: [{ type: "paragraph", content: [image] }] };
  await publish(ana, "For followers", { private: true, coverId: cover.id, document });
  await follow(ana);
  const path = await pathOf(eve);
  for (const [file] of formats) {
    const { entries } = await readFeed(file, await (await ask(`${path}/${file}`)).text());
    const src = /<img src="([^"]+)"/.exec(entries[0]?.html ?? "")?.[1]?.replaceAll("&amp;", "&") ?? "";
    for (const address of [src, entries[0]?.picture?.url ?? ""]) {
      const at = address.slice(town.config.publicUrl.length);
      expect(at).toContain("?until=");
      expect((await ask(at)).status).toBe(200);
      expect((await ask(at.split("?")[0]!)).status).toBe(404);
    }
  }
});

test("it is kept by nobody else, and who has it is told that it still holds", async () => {
  await publish(ana, "Public");
  await follow(ana);
  const path = `${await pathOf(eve)}/feed.xml`;
  const answer = await ask(path);
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  expect(answer.headers.get("x-robots-tag")).toContain("noindex");
  const etag = answer.headers.get("etag")!;
  expect((await ask(path, { "if-none-match": etag })).status).toBe(304);
  await publish(ana, "More");
  expect((await ask(path, { "if-none-match": etag })).status).toBe(200);
});

test("its address is the same until it is renewed, which ends it, and opens nothing else", async () => {
  const path = await pathOf(eve);
  expect(await pathOf(eve)).toBe(path);
  expect(await pathOf(ana)).not.toBe(path);
  const { address } = await eve.api.users.renewOwnFeed.mutate();
  expect(await pathOf(eve)).toBe(address.slice(town.config.publicUrl.length));
  const gone = async (at: string) => {
    for (const [file] of formats) {
      const answer = await ask(`${at}/${file}`);
      expect([answer.status, await answer.text()]).toEqual([404, "There is no feed at this address.\n"]);
    }
  };
  await gone(path);
  const now = await pathOf(eve);
  expect(await titles(now)).toEqual([]);
  const others = (await pathOf(ana)).slice("/following/".length);
  await gone(`/following/${now.slice("/following/".length, "/following/".length + 32)}${others.slice(32)}`);
  await gone(now.slice(0, -1));
  await gone("/following/x");
  await gone(`/following/${"0".repeat(32)}`);
  expect((await refusal(town.browser().api.users.ownFeed.query())).code).toBe("UNAUTHORIZED");
  expect((await refusal(town.browser().api.users.renewOwnFeed.mutate())).code).toBe("UNAUTHORIZED");
  const stored =
    JSON.stringify(town.rows("select * from users")) + JSON.stringify(town.rows("select * from meta"));
  expect(stored).not.toContain(now.slice(-43));
});

test("it ends with the account, and rests while the account is shut", async () => {
  const [path, bens] = [`${await pathOf(eve)}/feed.json`, `${await pathOf(ben)}/feed.json`];
  const userId = eve.me.id;
  expect((await ask(path)).status).toBe(200);
  await boss.api.moderation.suspend.mutate({ userId, suspended: true, reason: "Spam." });
  expect((await ask(path)).status).toBe(404);
  await boss.api.moderation.suspend.mutate({ userId, suspended: false });
  expect((await ask(path)).status).toBe(200);
  expect((await ask(bens)).status).toBe(200);
  await ben.api.users.remove.mutate({ password });
  expect((await ask(bens)).status).toBe(404);
});

test("wrong addresses and all too many looks are bounded", async () => {
  await using strict = await startTown({ RATE_LIMIT: "on" });
  const one = await strict.resident("One");
  const { address } = await one.api.users.ownFeed.query();
  const path = address.slice(strict.config.publicUrl.length);
  const statuses = async (at: string, times: number) => {
    const found = new Set<number>();
    for (let count = 0; count < times; count++)
      found.add((await fetch(`${strict.url}${at}/feed.json`)).status);
    return [...found];
  };
  expect(await statuses(path, 241)).toEqual([200, 429]);
  expect(await statuses("/following/nobodys", 51)).toEqual([404, 429]);
  const last = await fetch(`${strict.url}${path}/feed.json`);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
});
