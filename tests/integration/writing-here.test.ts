import { expect, test } from "vitest";
import { Bus } from "../../src/server/live/bus.ts";
import { WritingPresence, maxPagesPerWriter } from "../../src/server/live/writing-presence.ts";
import { newId } from "../../src/server/ids.ts";
import type { WritersEvent } from "../../src/shared/live.ts";
import { lastPosition, writersAtOnce } from "../../src/shared/writing.ts";
import { aCommit } from "../support/writing.ts";
import { aBlog, followTopics, refusal, startTown, until, type Resident, type Town } from "../support/town.ts";

/* Who has a text open, and where: told to those who write there, and stored nowhere. */

const quick = { linger: 60, pause: 5 };
const aTown = (settings: Record<string, string> = {}, times: object = quick) =>
  startTown(settings, {}, { writingPresence: times });

async function aText(town: Town, who: Resident, change = {}) {
  const { id } = await who.api.blogs.create.mutate(aBlog(change));
  const { epoch, seq } = await who.api.blogs.openWriting.mutate({ id });
  return { id, epoch, seq };
}

/** A page that has the text open, in a browser of its own. */
function open(town: Town, who: { cookie: string }, id: string, client = newId()) {
  const browser = town.browser(who.cookie);
  const heard = followTopics(browser, [`writing:${id}`, `here:${id}:${client}`]);
  const now = () => heard.events("writers").at(-1);
  return {
    ...heard,
    client,
    browser,
    now,
    place: () => now()?.writers.find((one) => one.client === client)?.place ?? null,
    shows: (expected: (now: WritersEvent) => boolean, what: string) =>
      until(() => now() !== undefined && expected(now()!), `${what}, not ${JSON.stringify(now())}`),
    move: (at: { seq?: number; anchor?: number; head?: number } = {}) =>
      browser.api.blogs.here.mutate({ id, client, seq: 1, anchor: 1, head: 1, ...at }),
  };
}
const count = (page: ReturnType<typeof open>, many: number) =>
  page.shows(({ writers }) => writers.length === many, `${many} who write`);
const stored = (town: Town) =>
  town.rows<{ count: number }>("select count(*) count from live_events")[0]!.count;

test("who writes in a text hears who else does and where, at once when they come; whoever leaves or is cut off is gone", async () => {
  await using town = await aTown();
  const ana = await town.resident("Ana Torres");
  const { id } = await aText(town, ana);
  const before = stored(town);
  const one = open(town, ana, id);
  await count(one, 1);
  expect(one.now()).toEqual({
    kind: "writers",
    writers: [{ client: one.client, person: expect.anything(), place: 0, arrived: 1, caret: null }],
    waiting: [],
  });
  expect(one.now()!.writers[0]!.person).toMatchObject({ id: ana.me.id, name: "Ana Torres" });
  const two = open(town, ana, id);
  await count(one, 2);
  await two.move({ seq: 1, anchor: 2, head: 5 });
  const seen = ({ writers }: WritersEvent) =>
    writers.some(({ client, caret }) => client === two.client && caret?.anchor === 2 && caret.head === 5);
  await one.shows(seen, "the caret of the other");
  // Who comes later learns it, and of a text elsewhere nobody hears.
  const three = open(town, ana, id);
  await three.shows(seen, "the caret of who was there");
  const other = await aText(town, ana);
  const elsewhere = open(town, ana, other.id);
  await count(elsewhere, 1);
  // The name is what it is by now.
  await ana.api.users.updateProfile.mutate({ name: "Ana T.", username: ana.me.username, bio: "" });
  await one.shows(({ writers }) => writers.every(({ person }) => person.name === "Ana T."), "the new name");

  three.stop();
  await count(one, 2);
  two.browser.cut();
  // Its line comes back by itself, before it is forgotten or after.
  await two.shows(({ writers }) => writers.length === 2, "being back");
  await two.browser.close();
  await count(one, 1);
  expect(one.place()).toBe(0);
  expect(elsewhere.events("writers").every(({ writers }) => writers.length <= 1)).toBe(true);
  const facts = town.rows<{ fact: string }>(`select fact from live_events where seq > ${before}`);
  expect(facts.filter(({ fact }) => /caret|"writers"/.test(fact))).toEqual([]);
  await elsewhere.browser.close();
  await one.browser.close();
  await until(() => town.app.parts.writingPresence.rooms === 0, "nobody being anywhere");
});

test("strangers and guests hear nothing and are nowhere, and nobody speaks for another's page", async () => {
  await using town = await aTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const { id } = await aText(town, ana);
  const hers = open(town, ana, id);
  await count(hers, 1);
  await hers.move({ anchor: 3, head: 3 });
  for (const who of [eve, { cookie: "" }]) {
    const page = open(town, who, id);
    await page.live();
    expect(page.events("accessLost").length).toBe(2);
    // As the very page that is there, too.
    for (const client of [page.client, hers.client])
      expect(
        (await refusal(page.browser.api.blogs.here.mutate({ id, client, seq: 1, anchor: 9, head: 9 }))).code,
      ).toBe(who === eve ? "FORBIDDEN" : "UNAUTHORIZED");
    expect(page.events("writers")).toEqual([]);
  }
  // A page that is not there is nowhere, and what is no place is refused.
  await ana.api.blogs.here.mutate({ id, client: newId(), seq: 1, anchor: 2, head: 2 });
  for (const wrong of [
    { head: lastPosition + 1 },
    { anchor: -1 },
    { seq: 0 },
    { head: 1.5 },
    { name: "Somebody" },
  ])
    expect((await refusal(hers.move(wrong))).code).toBe("BAD_REQUEST");
  await hers.move({ anchor: 4, head: 4 });
  await hers.shows(({ writers }) => writers[0]?.caret?.head === 4, "where it is");
  expect(hers.events("writers").every(({ writers }) => writers.length <= 1)).toBe(true);
  // Of a text that is deleted nothing more is told.
  await ana.api.blogs.remove.mutate({ id });
  await until(() => hers.events("accessLost").length === 2, "being gone");
  const told = hers.events("writers").length;
  expect((await refusal(hers.move())).code).toBe("NOT_FOUND");
  await until(() => town.app.parts.writingPresence.rooms === 0, "being nowhere");
  expect(hers.events("writers").length).toBe(told);
});

test("eight pages write at once; the ninth reads along, is refused with a reason, and writes when one leaves", async () => {
  await using town = await aTown();
  const ana = await town.resident("Ana");
  const { id, epoch, seq } = await aText(town, ana);
  const pages = [];
  for (let at = 0; at < writersAtOnce; at++) {
    pages.push(open(town, ana, id));
    await count(pages[0]!, at + 1);
  }
  expect(pages[0]!.now()!.writers.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const ninth = open(town, ana, id);
  await ninth.shows(({ waiting }) => waiting.includes(ninth.client), "waiting");
  expect(ninth.place()).toBe(null);
  const push = (client: string, number = 1) =>
    ana.api.blogs.pushCommit.mutate({ ...aCommit(id, { client, number }), epoch, seq });
  const refused = await refusal(push(ninth.client));
  expect(refused).toMatchObject({ code: "CONFLICT", field: "client" });
  expect(refused.message).toContain("Eight people are already writing here.");
  // Nor one that does not say that it is there; those who are go on.
  expect((await refusal(push(newId()))).field).toBe("client");
  expect(await push(pages[3]!.client)).toMatchObject({ kind: "stored" });
  // It has no caret, and sees the others'.
  await ninth.move({ anchor: 2, head: 2 });
  await pages[3]!.move({ anchor: 3, head: 3 });
  await ninth.shows(({ writers }) => writers[3]?.caret?.head === 3, "the caret of another");
  await ninth.heard("writing.committed");

  pages[3]!.stop();
  await until(() => ninth.place() === 3, "having its place");
  expect(await push(ninth.client)).toMatchObject({ kind: "stored" });
  expect(ninth.now()).toMatchObject({ waiting: [] });
  // What was stored before is answered as it was, with or without a place.
  expect(await push(pages[3]!.client)).toMatchObject({ kind: "stored" });
  expect((await refusal(push(pages[3]!.client, 2))).field).toBe("client");
});

/** Who is there, without a server. */
function aRoom() {
  const here = new WritingPresence(
    new Bus(),
    (id) => Promise.resolve({ id, username: id, name: id, picture: null }),
    quick,
  );
  const told = () => here.topicOf("text").current()?.event as WritersEvent;
  return {
    here,
    told,
    come: (user: string, page: string) => here.joinWriters("text", user, page).join(() => {}),
  };
}

test("nobody is kept out by another's many pages, of which a few are known, and which give up the one that is silent longest", async () => {
  const { here, told, come } = aRoom();
  here.topicOf("text").join(() => undefined);
  const leave = Array.from({ length: 2 * maxPagesPerWriter }, (_none, at) => come("ana", `a${at}`));
  await until(() => told().writers.length === writersAtOnce, "the first");
  expect(told().waiting.length).toBe(maxPagesPerWriter - writersAtOnce);
  for (const page of [0, 1, 3, 4, 5, 6, 7])
    expect(here.moveCaret("text", "ana", `a${page}`, { seq: 1, anchor: 1, head: 1 })).toBe(true);
  const bensPage = come("ben", "b0");
  await until(() => told().writers.some(({ person }) => person.id === "ben"), "Ben");
  expect(here.mayWrite("text", "ana", "a2")).toBe(false);
  expect(here.mayWrite("text", "ben", "b0")).toBe(true);
  expect(told().writers.length).toBe(writersAtOnce);
  // By the name of her page he has nothing to say.
  expect(here.moveCaret("text", "ben", "a1", { seq: 1, anchor: 9, head: 9 })).toBe(false);
  expect(here.mayWrite("text", "ben", "a1")).toBe(false);
  // His second page waits, as hers do.
  come("ben", "b1");
  expect(here.mayWrite("text", "ben", "b1")).toBe(false);
  for (const one of leave) one();
  bensPage();
  await until(() => told().writers.length === 1, "all but one being gone");
  expect(told().writers[0]).toMatchObject({ client: "b1", person: { id: "ben" } });
});

test("carets move so often and no more", async () => {
  await using town = await aTown({ RATE_LIMIT: "on" });
  const ana = await town.resident("Ana");
  const { id } = await aText(town, ana);
  const page = open(town, ana, id);
  await count(page, 1);
  let refused: { code: string } | undefined;
  for (let at = 0; at < 100 && !refused; at++) {
    const moved = await Promise.allSettled(Array.from({ length: 10 }, () => page.move({ head: at + 1 })));
    const failed = moved.find(({ status }) => status === "rejected");
    if (failed) refused = await refusal(Promise.reject((failed as PromiseRejectedResult).reason));
  }
  expect(refused?.code).toBe("TOO_MANY_REQUESTS");
  // Writing is counted apart.
  expect((await ana.api.blogs.openWriting.mutate({ id })).id).toBe(id);
});

test("whoever is taken out of its authors is gone from those who write at once, however long a page is waited for", async () => {
  await using town = await aTown({}, { linger: 600_000, pause: 5 });
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const { id } = await aText(town, ana);
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const hers = open(town, ana, id);
  const his = open(town, ben, id);
  await count(hers, 2);
  await his.move({ anchor: 2 });
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  await count(hers, 1);
  expect(hers.now()!.writers[0]!.person.name).toBe("Ana");
});
