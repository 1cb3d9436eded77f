import { describe, expect, onTestFinished, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { maxWriters } from "../../../src/shared/drafts.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { startProxy } from "../../support/postgres-proxy.ts";
import { aBlog, aComment, followTopics, TestSite, until, type Browser } from "../../support/test-site.ts";

/* Who is where, of several servers of a site: sent between them and never stored. */

async function startTwo({ proxied = false, linger = 60 } = {}) {
  const options = {
    presence: { settle: 30, linger: 60, pause: 5, reply: 10_000 },
    draftPresence: { linger, pause: 5 },
    serverTimes: { beat: 50, gone: 1_000, retry: 50 },
  };
  const one = await TestSite.start({}, {}, options);
  const url = one.config.databaseUrl ?? "";
  const proxy = proxied ? await startProxy(url) : undefined;
  onTestFinished(async () => proxy?.[Symbol.asyncDispose]());
  const other = await TestSite.start({ DATABASE_URL: proxy?.url ?? url }, {}, options);
  for (const site of [one, other]) onTestFinished(() => site[Symbol.asyncDispose]());
  const [ana, ben] = [await one.createAccount("Ana"), await other.createAccount("Ben")];
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  return { one, other, ana, ben, id, slug, proxy: proxy! };
}

/** Opens a page of a blog. */
function read(browser: Browser, id: string) {
  const stream = followTopics(browser, [`presence:${id}`, `reading:${id}:${newId()}`]);
  return { ...stream, latest: () => stream.events("presence").at(-1) };
}

/** Opens a text in an editor. */
function write(browser: Browser, id: string, client = newId()) {
  const stream = followTopics(browser, [`draft:${id}`, `here:${id}:${client}`]);
  const latest = () => stream.events("writers").at(-1);
  const place = () => latest()?.writers.find((writer) => writer.client === client)?.place ?? null;
  return { ...stream, client, latest, place };
}
type WritingPage = ReturnType<typeof write>;
const caret = { seq: 1, anchor: 1, head: 1 };

describe.skipIf(!isPostgres)("presence on two servers", () => {
  test("readers of both servers are counted together, a person on both once", async () => {
    const { one, other, ana, ben, id } = await startTwo();
    const pages = [
      read(ana, id),
      read(other.browser(ana.cookie), id),
      read(ben, id),
      read(one.browser(), id),
      read(other.browser(), id),
    ];
    for (const page of pages) await until(() => page.latest()?.reading === 4, "four readers");
    pages[4]!.stop();
    for (const page of pages.slice(0, 4)) await until(() => page.latest()?.reading === 3, "three readers");
    // Ana still has a page on the other server.
    pages[0]!.stop();
    pages[3]!.stop();
    for (const page of pages.slice(1, 3)) await until(() => page.latest()?.reading === 2, "two readers");
  });

  test("who replies is shown on the other server, and no longer once the comment is there", async () => {
    const { one, other, ana, ben, id } = await startTwo();
    const page = read(ana, id);
    await ben.api.comments.replying.mutate({ blogId: id });
    await until(() => page.latest()?.replying[0]?.name === "Ben", "Ben");
    // His next requests reach the other server.
    const elsewhere = one.browser(ben.cookie);
    await elsewhere.api.comments.replying.mutate({ blogId: id });
    await elsewhere.api.comments.create.mutate(aComment({ id }));
    await until(() => page.latest()?.replyingCount === 0, "nobody who replies");
    expect(page.events("presence").every(({ replyingCount }) => replyingCount <= 1)).toBe(true);
    expect(other.app.services.servers.count).toBe(1);
  });

  test("a member with a page on one server counts as active on both", async () => {
    const { one, other, ana } = await startTwo();
    const isActive = (site: TestSite) => site.app.services.presence.isActive(ana.me.id);
    const page = followTopics(ana, ["looking"]);
    await until(() => isActive(one) && isActive(other), "the page");
    page.stop();
    await until(() => !isActive(one) && !isActive(other), "the end of it");
  });

  test("writers on both servers see each other, and carets that were sent to either", async () => {
    const { other, ana, ben, id } = await startTwo();
    const elsewhere = other.browser(ana.cookie);
    const [here, there] = [write(ana, id), write(elsewhere, id)];
    for (const page of [here, there]) await until(() => page.latest()?.writers.length === 2, "both");
    await until(() => here.place() !== there.place(), "places of their own");
    await elsewhere.api.blogs.here.mutate({ id, client: here.client, ...caret });
    const caretOf = (page: WritingPage) =>
      page.latest()?.writers.find(({ client }) => client === here.client)?.caret;
    for (const page of [here, there]) await until(() => caretOf(page)?.anchor === 1, "the caret");
    // Only a page's own person moves its caret.
    await expectRefusal(
      ben.api.blogs.here.mutate({ id, client: here.client, ...caret, anchor: 9 }),
      "FORBIDDEN",
    );
    expect(caretOf(here)).toMatchObject(caret);
  });

  test("no more pages write than have places, though they come to both servers at once", async () => {
    const { one, other, ana, id } = await startTwo();
    const pages = Array.from({ length: maxWriters + 2 }, (_none, index) =>
      write((index % 2 === 0 ? one : other).browser(ana.cookie), id),
    );
    const placesOf = (page: WritingPage) =>
      page
        .latest()
        ?.writers.map(({ client, place }) => `${client} ${place}`)
        .join();
    const isSettled = (page: WritingPage) =>
      page.latest()?.writers.length === maxWriters &&
      page.latest()?.waiting.length === 2 &&
      new Set(page.latest()?.writers.map(({ place }) => place)).size === maxWriters;
    await until(() => pages.every(isSettled), "eight places");
    await until(() => new Set(pages.map(placesOf)).size === 1, "the same places on both");
    const leaving = pages.find((page) => page.place() !== null)!;
    leaving.stop();
    const others = pages.filter((page) => page !== leaving);
    for (const page of others)
      await until(
        () => page.latest()?.waiting.length === 1 && page.latest()?.writers.length === maxWriters,
        "a place for one that waited",
      );
  });

  test("a page that moves to another server keeps its place", async () => {
    // Long enough for the page to come back.
    const { other, ana, id } = await startTwo({ linger: 60_000 });
    const elsewhere = other.browser(ana.cookie);
    const [first, second] = [write(ana, id), write(elsewhere, id)];
    await until(() => first.place() !== null && second.place() !== null, "both");
    const place = first.place();
    first.stop();
    const moved = write(elsewhere, id, first.client);
    await until(() => moved.latest()?.writers.length === 2 && moved.place() !== null, "the page");
    expect(moved.place()).toBe(place);
    await until(() => second.latest()?.writers.every(({ isLeaving }) => !isLeaving) === true, "both again");
    expect(other.app.services.draftPresence.mayWrite(id, ana.me.id, moved.client)).toBe(true);
    expect(
      second
        .latest()
        ?.writers.map(({ client }) => client)
        .sort(),
    ).toEqual([first.client, second.client].sort());
  });

  test("a server that is cut off is not counted, and counts again after it is connected", async () => {
    const { ana, ben, id, proxy } = await startTwo({ proxied: true });
    const [page, gone] = [read(ana, id), read(ben, id)];
    for (const one of [page, gone]) await until(() => one.latest()?.reading === 2, "both readers");
    proxy.state = "refused";
    await until(() => page.latest()?.reading === 1, "the reader who is left");
    await until(() => gone.latest()?.reading === 1, "the reader of the other server, who sees nobody else");
    proxy.state = "open";
    for (const one of [page, gone]) await until(() => one.latest()?.reading === 2, "both readers again");
  });
});
