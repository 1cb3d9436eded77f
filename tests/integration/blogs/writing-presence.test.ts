import { expect, test } from "vitest";
import { Bus } from "../../../src/server/live/bus.ts";
import { WritingPresence, maxPagesPerWriter } from "../../../src/server/live/writing-presence.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import type { WritersEvent } from "../../../src/shared/live.ts";
import { lastPosition, maxWriters } from "../../../src/shared/writing.ts";
import { aCommit } from "../../support/sample-content.ts";
import {
  aBlog,
  followTopics,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* The writers of a text and their carets: published to those who write there, never stored. */

const quick = { linger: 60, pause: 5 };
const startSite = (settings: Record<string, string> = {}, times: object = quick) =>
  startTestSite(settings, {}, { writingPresence: times });

async function createWorkingCopy(testSite: TestSite, who: SignedInBrowser, change = {}) {
  const { id } = await who.api.blogs.create.mutate(aBlog(change));
  const { epoch, seq } = await who.api.blogs.openWriting.mutate({ id });
  return { id, epoch, seq };
}

/** Opens a page with the text in a browser of its own. */
function open(testSite: TestSite, who: { cookie: string }, id: string, client = newId()) {
  const browser = testSite.browser(who.cookie);
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
const stored = (testSite: TestSite) =>
  testSite.rows<{ count: number }>("select count(*) count from live_events")[0]!.count;

test("shows each writer the others and their carets at once, until they leave or disconnect", async () => {
  await using testSite = await startSite();
  const ana = await testSite.createAccount("Ana Torres");
  const { id } = await createWorkingCopy(testSite, ana);
  const before = stored(testSite);
  const one = open(testSite, ana, id);
  await count(one, 1);
  expect(one.now()).toEqual({
    kind: "writers",
    writers: [{ client: one.client, person: expect.anything(), place: 0, arrived: 1, caret: null }],
    waiting: [],
  });
  expect(one.now()!.writers[0]!.person).toMatchObject({ id: ana.me.id, name: "Ana Torres" });
  const two = open(testSite, ana, id);
  await count(one, 2);
  await two.move({ seq: 1, anchor: 2, head: 5 });
  const seen = ({ writers }: WritersEvent) =>
    writers.some(({ client, caret }) => client === two.client && caret?.anchor === 2 && caret.head === 5);
  await one.shows(seen, "the caret of the other");
  // A later page receives it, and pages of other texts receive nothing.
  const three = open(testSite, ana, id);
  await three.shows(seen, "the caret of who was there");
  const other = await createWorkingCopy(testSite, ana);
  const elsewhere = open(testSite, ana, other.id);
  await count(elsewhere, 1);
  // The name is the current one.
  await ana.api.users.updateProfile.mutate({ name: "Ana T.", username: ana.me.username, bio: "" });
  await one.shows(({ writers }) => writers.every(({ person }) => person.name === "Ana T."), "the new name");

  three.stop();
  await count(one, 2);
  two.browser.cut();
  // Its connection is restored by itself, before the page is forgotten or after.
  await two.shows(({ writers }) => writers.length === 2, "being back");
  await two.browser.close();
  await count(one, 1);
  expect(one.place()).toBe(0);
  expect(elsewhere.events("writers").every(({ writers }) => writers.length <= 1)).toBe(true);
  const facts = testSite.rows<{ fact: string }>(`select fact from live_events where seq > ${before}`);
  expect(facts.filter(({ fact }) => /caret|"writers"/.test(fact))).toEqual([]);
  await elsewhere.browser.close();
  await one.browser.close();
  await until(() => testSite.app.services.writingPresence.rooms === 0, "nobody being anywhere");
});

test("shows writers to authors alone, and refuses carets in the name of another's page", async () => {
  await using testSite = await startSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const { id } = await createWorkingCopy(testSite, ana);
  const hers = open(testSite, ana, id);
  await count(hers, 1);
  await hers.move({ anchor: 3, head: 3 });
  for (const who of [eve, { cookie: "" }]) {
    const page = open(testSite, who, id);
    await page.live();
    expect(page.events("accessLost").length).toBe(2);
    // With the id of the page that is there, too.
    for (const client of [page.client, hers.client])
      expect(
        (await refusal(page.browser.api.blogs.here.mutate({ id, client, seq: 1, anchor: 9, head: 9 }))).code,
      ).toBe(who === eve ? "FORBIDDEN" : "UNAUTHORIZED");
    expect(page.events("writers")).toEqual([]);
  }
  // A page that is not connected has no caret, and an invalid position is refused.
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
  // Nothing more is published about a deleted text.
  await ana.api.blogs.remove.mutate({ id });
  await until(() => hers.events("accessLost").length === 2, "being gone");
  const told = hers.events("writers").length;
  expect((await refusal(hers.move())).code).toBe("NOT_FOUND");
  await until(() => testSite.app.services.writingPresence.rooms === 0, "being nowhere");
  expect(hers.events("writers").length).toBe(told);
});

test("lets eight pages write at once; a ninth reads along, is refused, and writes once one leaves", async () => {
  await using testSite = await startSite();
  const ana = await testSite.createAccount("Ana");
  const { id, epoch, seq } = await createWorkingCopy(testSite, ana);
  const pages = [];
  for (let at = 0; at < maxWriters; at++) {
    pages.push(open(testSite, ana, id));
    await count(pages[0]!, at + 1);
  }
  expect(pages[0]!.now()!.writers.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const ninth = open(testSite, ana, id);
  await ninth.shows(({ waiting }) => waiting.includes(ninth.client), "waiting");
  expect(ninth.place()).toBe(null);
  const push = (client: string, number = 1) =>
    ana.api.blogs.pushCommit.mutate({ ...aCommit(id, { client, number }), epoch, seq });
  const refused = await refusal(push(ninth.client));
  expect(refused).toMatchObject({ code: "CONFLICT", field: "client" });
  expect(refused.message).toContain("Eight people are already writing here.");
  // A page that is not connected is refused, too; present ones continue.
  expect((await refusal(push(newId()))).field).toBe("client");
  expect(await push(pages[3]!.client)).toMatchObject({ kind: "stored" });
  // It has no caret, and sees those of others.
  await ninth.move({ anchor: 2, head: 2 });
  await pages[3]!.move({ anchor: 3, head: 3 });
  await ninth.shows(({ writers }) => writers[3]?.caret?.head === 3, "the caret of another");
  await ninth.heard("writing.committed");

  pages[3]!.stop();
  await until(() => ninth.place() === 3, "having its place");
  expect(await push(ninth.client)).toMatchObject({ kind: "stored" });
  expect(ninth.now()).toMatchObject({ waiting: [] });
  // A commit that was stored before gets the same response, with or without a place.
  expect(await push(pages[3]!.client)).toMatchObject({ kind: "stored" });
  expect((await refusal(push(pages[3]!.client, 2))).field).toBe("client");
});

/** Creates the presence of one text without a server. */
function createPresence() {
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

test("gives a person a place when another has many pages, of which the longest silent one yields", async () => {
  const { here, told, come } = createPresence();
  here.topicOf("text").join(() => undefined);
  const leave = Array.from({ length: 2 * maxPagesPerWriter }, (_none, at) => come("ana", `a${at}`));
  await until(() => told().writers.length === maxWriters, "the first");
  expect(told().waiting.length).toBe(maxPagesPerWriter - maxWriters);
  for (const page of [0, 1, 3, 4, 5, 6, 7])
    expect(here.moveCaret("text", "ana", `a${page}`, { seq: 1, anchor: 1, head: 1 })).toBe(true);
  const bensPage = come("ben", "b0");
  await until(() => told().writers.some(({ person }) => person.id === "ben"), "Ben");
  expect(here.mayWrite("text", "ana", "a2")).toBe(false);
  expect(here.mayWrite("text", "ben", "b0")).toBe(true);
  expect(told().writers.length).toBe(maxWriters);
  // He cannot act by the id of her page.
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

test("rate-limits carets apart from writing", async () => {
  await using testSite = await startSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const { id } = await createWorkingCopy(testSite, ana);
  const page = open(testSite, ana, id);
  await count(page, 1);
  let refused: { code: string } | undefined;
  for (let at = 0; at < 100 && !refused; at++) {
    const moved = await Promise.allSettled(Array.from({ length: 10 }, () => page.move({ head: at + 1 })));
    const failed = moved.find(({ status }) => status === "rejected");
    if (failed) refused = await refusal(Promise.reject((failed as PromiseRejectedResult).reason));
  }
  expect(refused?.code).toBe("TOO_MANY_REQUESTS");
  // Writing has a limit of its own.
  expect((await ana.api.blogs.openWriting.mutate({ id })).id).toBe(id);
});

test("removes a removed co-author from the writers at once, however long pages linger", async () => {
  await using testSite = await startSite({}, { linger: 600_000, pause: 5 });
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const { id } = await createWorkingCopy(testSite, ana);
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const hers = open(testSite, ana, id);
  const his = open(testSite, ben, id);
  await count(hers, 2);
  await his.move({ anchor: 2 });
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  await count(hers, 1);
  expect(hers.now()!.writers[0]!.person.name).toBe("Ana");
});
