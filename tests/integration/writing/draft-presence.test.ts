import { expect, test } from "vitest";
import { Bus } from "../../../src/server/live/bus.ts";
import { DraftPresence, maxPagesPerWriter } from "../../../src/server/live/draft-presence.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { OtherServers } from "../../../src/server/live/other-servers.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import type { WritersEvent } from "../../../src/shared/live.ts";
import { lastPosition, maxWriters } from "../../../src/shared/drafts.ts";
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
  startTestSite(settings, {}, { draftPresence: times });

async function beginDraft(testSite: TestSite, who: SignedInBrowser, change = {}) {
  const { id } = await who.api.blogs.create.mutate(aBlog(change));
  const { epoch, seq } = await who.api.blogs.openDraft.mutate({ id });
  return { id, epoch, seq };
}

/** Opens a page with the text in a browser of its own. */
function open(testSite: TestSite, who: { cookie: string }, id: string, client = newId()) {
  const browser = testSite.browser(who.cookie);
  const stream = followTopics(browser, [`draft:${id}`, `here:${id}:${client}`]);
  const latest = () => stream.events("writers").at(-1);
  return {
    ...stream,
    client,
    browser,
    latest,
    place: () => latest()?.writers.find((one) => one.client === client)?.place ?? null,
    waitForPresence: (predicate: (latest: WritersEvent) => boolean, description: string) =>
      until(
        () => latest() !== undefined && predicate(latest()!),
        `${description}, not ${JSON.stringify(latest())}`,
      ),
    move: (position: { seq?: number; anchor?: number; head?: number } = {}) =>
      browser.api.blogs.here.mutate({ id, client, seq: 1, anchor: 1, head: 1, ...position }),
  };
}
const expectWriters = (page: ReturnType<typeof open>, total: number) =>
  page.waitForPresence(({ writers }) => writers.length === total, `${total} who write`);
const countStoredEvents = (testSite: TestSite) =>
  testSite.rows<{ count: number }>("select count(*) count from live_events")[0]!.count;

test("shows each writer the others and their carets at once, until they leave or disconnect", async () => {
  await using testSite = await startSite();
  const ana = await testSite.createAccount("Ana Torres");
  const { id } = await beginDraft(testSite, ana);
  const before = countStoredEvents(testSite);
  const one = open(testSite, ana, id);
  await expectWriters(one, 1);
  expect(one.latest()).toEqual({
    kind: "writers",
    writers: [
      { client: one.client, person: expect.anything(), place: 0, arrived: expect.any(Number), caret: null },
    ],
    waiting: [],
  });
  expect(one.latest()!.writers[0]!.person).toMatchObject({ id: ana.me.id, name: "Ana Torres" });
  const two = open(testSite, ana, id);
  await expectWriters(one, 2);
  await two.move({ seq: 1, anchor: 2, head: 5 });
  const hasCaret = ({ writers }: WritersEvent) =>
    writers.some(({ client, caret }) => client === two.client && caret?.anchor === 2 && caret.head === 5);
  await one.waitForPresence(hasCaret, "the caret of the other");
  // A later page receives it, and pages of other texts receive nothing.
  const three = open(testSite, ana, id);
  await three.waitForPresence(hasCaret, "the caret of who was there");
  const other = await beginDraft(testSite, ana);
  const otherPage = open(testSite, ana, other.id);
  await expectWriters(otherPage, 1);
  // The name is the current one.
  await ana.api.users.updateProfile.mutate({ name: "Ana T.", username: ana.me.username, bio: "" });
  await one.waitForPresence(
    ({ writers }) => writers.every(({ person }) => person.name === "Ana T."),
    "the new name",
  );

  three.stop();
  await expectWriters(one, 2);
  two.browser.cut();
  // Its connection is restored by itself, before the page is forgotten or after.
  await two.waitForPresence(({ writers }) => writers.length === 2, "being back");
  await two.browser.close();
  await expectWriters(one, 1);
  expect(one.place()).toBe(0);
  expect(otherPage.events("writers").every(({ writers }) => writers.length <= 1)).toBe(true);
  const facts = testSite.rows<{ event: string }>(`select event from live_events where seq > ${before}`);
  expect(facts.filter(({ event }) => /caret|"writers"/.test(event))).toEqual([]);
  await otherPage.browser.close();
  await one.browser.close();
  await until(() => testSite.app.services.draftPresence.rooms === 0, "nobody being anywhere");
});

test("shows writers to authors alone, and refuses carets in the name of another's page", async () => {
  await using testSite = await startSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const { id } = await beginDraft(testSite, ana);
  const anaPage = open(testSite, ana, id);
  await expectWriters(anaPage, 1);
  await anaPage.move({ anchor: 3, head: 3 });
  for (const who of [eve, { cookie: "" }]) {
    const page = open(testSite, who, id);
    await page.waitForStart();
    expect(page.events("accessLost").length).toBe(2);
    // With the id of the page that is there, too.
    for (const client of [page.client, anaPage.client])
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
    expect((await refusal(anaPage.move(wrong))).code).toBe("BAD_REQUEST");
  await anaPage.move({ anchor: 4, head: 4 });
  await anaPage.waitForPresence(({ writers }) => writers[0]?.caret?.head === 4, "where it is");
  expect(anaPage.events("writers").every(({ writers }) => writers.length <= 1)).toBe(true);
  // Nothing more is published about a deleted text.
  await ana.api.blogs.remove.mutate({ id });
  await until(() => anaPage.events("accessLost").length === 2, "being gone");
  const eventCount = anaPage.events("writers").length;
  expect((await refusal(anaPage.move())).code).toBe("NOT_FOUND");
  await until(() => testSite.app.services.draftPresence.rooms === 0, "being nowhere");
  expect(anaPage.events("writers").length).toBe(eventCount);
});

test("lets eight pages write at once; a ninth reads along, is refused, and writes once one leaves", async () => {
  await using testSite = await startSite();
  const ana = await testSite.createAccount("Ana");
  const { id, epoch, seq } = await beginDraft(testSite, ana);
  const pages = [];
  for (let index = 0; index < maxWriters; index++) {
    pages.push(open(testSite, ana, id));
    await expectWriters(pages[0]!, index + 1);
  }
  expect(pages[0]!.latest()!.writers.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const ninth = open(testSite, ana, id);
  await ninth.waitForPresence(({ waiting }) => waiting.includes(ninth.client), "waiting");
  expect(ninth.place()).toBe(null);
  const push = (client: string, number = 1, at = seq) =>
    ana.api.blogs.pushCommit.mutate({ ...aCommit(id, { client, number }), epoch, seq: at });
  const error = await refusal(push(ninth.client));
  expect(error).toMatchObject({ code: "CONFLICT", field: "client" });
  expect(error.message).toContain("Eight people are already writing here.");
  // A page that is not connected is refused, too; present ones continue.
  expect((await refusal(push(newId()))).field).toBe("client");
  expect(await push(pages[3]!.client)).toMatchObject({ kind: "stored" });
  // It has no caret, and sees those of others.
  await ninth.move({ anchor: 2, head: 2 });
  await pages[3]!.move({ anchor: 3, head: 3 });
  await ninth.waitForPresence(({ writers }) => writers[3]?.caret?.head === 3, "the caret of another");
  await ninth.waitFor("draft.committed");

  pages[3]!.stop();
  await until(() => ninth.place() === 3, "having its place");
  expect(await push(ninth.client, 1, seq + 1)).toMatchObject({ kind: "stored" });
  expect(ninth.latest()).toMatchObject({ waiting: [] });
  // A commit that was stored before gets the same response, with or without a place.
  expect(await push(pages[3]!.client)).toMatchObject({ kind: "stored" });
  expect((await refusal(push(pages[3]!.client, 2))).field).toBe("client");
});

/** Creates the presence of one text without a server. */
function createPresence() {
  const presence = new DraftPresence(
    new Bus(),
    new OtherServers(undefined),
    (id) => Promise.resolve({ id, username: id, name: id, picture: null }),
    quick,
  );
  const latest = () => presence.topicOf("text").current()?.event as WritersEvent;
  return {
    presence,
    latest,
    join: (user: string, page: string) => presence.joinWriters("text", user, page).join(() => {}),
  };
}

test("gives a person a place when another has many pages, of which the longest silent one yields", async () => {
  const { presence, latest, join } = createPresence();
  presence.topicOf("text").join(() => undefined);
  const leaves = Array.from({ length: 2 * maxPagesPerWriter }, (_none, index) => join("ana", `a${index}`));
  await until(() => latest().writers.length === maxWriters, "the first");
  expect(latest().waiting.length).toBe(maxPagesPerWriter - maxWriters);
  for (const page of [0, 1, 3, 4, 5, 6, 7])
    expect(presence.moveCaret("text", "ana", `a${page}`, { seq: 1, anchor: 1, head: 1 })).toBe(true);
  const leaveBensPage = join("ben", "b0");
  await until(() => latest().writers.some(({ person }) => person.id === "ben"), "Ben");
  expect(presence.mayWrite("text", "ana", "a2")).toBe(false);
  expect(presence.mayWrite("text", "ben", "b0")).toBe(true);
  expect(latest().writers.length).toBe(maxWriters);
  // He cannot act by the id of her page.
  expect(presence.moveCaret("text", "ben", "a1", { seq: 1, anchor: 9, head: 9 })).toBe(false);
  expect(presence.mayWrite("text", "ben", "a1")).toBe(false);
  // His second page waits, as hers do.
  join("ben", "b1");
  expect(presence.mayWrite("text", "ben", "b1")).toBe(false);
  for (const leave of leaves) leave();
  leaveBensPage();
  await until(() => latest().writers.length === 1, "all but one being gone");
  expect(latest().writers[0]).toMatchObject({ client: "b1", person: { id: "ben" } });
});

test("marks a closed page until it is forgotten, unless it is back by then", async () => {
  const { presence, latest, join } = createPresence();
  presence.topicOf("text").join(() => undefined);
  join("ana", "a0");
  const leave = join("ana", "a1");
  await until(() => latest().writers.length === 2, "both pages");
  leave();
  await until(() => latest().writers[1]?.isLeaving === true, "one leaving");
  const leaveAgain = join("ana", "a1");
  await until(() => latest().writers.length === 2 && !latest().writers[1]!.isLeaving, "it being back");
  leaveAgain();
  await until(() => latest().writers.length === 1, "it being gone");
  expect(latest().writers[0]!.isLeaving).toBeUndefined();
});

test("deletes a new draft that was left empty, and no other", async () => {
  await using testSite = await startSite();
  const ana = await testSite.createAccount("Ana");
  const write = async (...texts: string[]) => {
    const id = newId();
    await ana.api.blogs.begin.mutate({ id });
    const page = open(testSite, ana, id);
    await expectWriters(page, 1);
    const writer = await CoWriter.open(() => ana.api, id);
    for (const text of texts) {
      writer.edit((tr) => (text ? tr.insertText(text, 1) : tr.delete(1, tr.doc.content.size - 1)));
      await writer.sync.push();
    }
    return { id, page };
  };
  const [erased, kept, saved] = [await write("a", ""), await write("a"), await write("a", "")];
  await ana.api.blogs.publish.mutate({ id: saved.id, draft: true });
  const listed = async () => (await ana.api.blogs.mine.query({})).blogs.map(({ id }) => id);
  expect(await listed()).toContain(erased.id);
  for (const { page } of [kept, saved, erased]) await page.browser.close();
  await until(async () => !(await listed()).includes(erased.id), "it being gone");
  expect((await listed()).toSorted()).toEqual([kept.id, saved.id].toSorted());
});

test("rate-limits carets apart from writing", async () => {
  await using testSite = await startSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const { id } = await beginDraft(testSite, ana);
  const page = open(testSite, ana, id);
  await expectWriters(page, 1);
  let error: { code: string } | undefined;
  for (let index = 0; index < 100 && !error; index++) {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => page.move({ head: index + 1 })),
    );
    const failure = results.find(({ status }) => status === "rejected");
    if (failure) error = await refusal(Promise.reject((failure as PromiseRejectedResult).reason));
  }
  expect(error?.code).toBe("TOO_MANY_REQUESTS");
  // Writing has a limit of its own.
  expect((await ana.api.blogs.openDraft.mutate({ id })).id).toBe(id);
});

test("removes a removed co-author from the writers at once, however long pages linger", async () => {
  await using testSite = await startSite({}, { linger: 600_000, pause: 5 });
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const { id } = await beginDraft(testSite, ana);
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const anaPage = open(testSite, ana, id);
  const benPage = open(testSite, ben, id);
  await expectWriters(anaPage, 2);
  await benPage.move({ anchor: 2 });
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  await expectWriters(anaPage, 1);
  expect(anaPage.latest()!.writers[0]!.person.name).toBe("Ana");
});
