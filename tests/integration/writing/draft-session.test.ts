import { TRPCClientError } from "@trpc/client";
import { TextSelection } from "prosemirror-state";
import { describe, expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { draftFromShared } from "../../../src/client/writing/form/shared-content.ts";
import { saveFailureOf } from "../../../src/client/writing/form/save-failure.ts";
import type { SignedInBrowser } from "../../support/browser.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { paint, upload } from "../../support/pictures.ts";
import { Device, Tab } from "../../support/draft-device.ts";
import { aBlog, paragraphs, startTestSite, until, type TestSite } from "../../support/test-site.ts";

/** Starts a site with Ana and her device. */
async function begin() {
  const testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const device = new Device(() => ana);
  return { testSite, ana, device, [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose]() };
}

async function createPublished(ana: SignedInBrowser, change: Record<string, unknown> = {}) {
  const blog = aBlog({ document: paragraphs("Owls, mostly."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  return { id: blog.id, slug, draft: false, etag: 1 };
}

/** Opens the form of a new published blog of hers. */
async function openPublished({ ana, device }: { ana: SignedInBrowser; device: Device }) {
  const blog = await createPublished(ana);
  return { blog, tab: await device.tab(blog) };
}

const draftOf = async (ana: SignedInBrowser, id: string) => {
  const { document, fields } = await ana.api.blogs.openDraft.mutate({ id });
  const texts = [...JSON.stringify(document).matchAll(/"text":"(.*?)"/g)].map(([, text]) => text);
  return { words: texts.join("\n"), title: fields.title, tags: fields.tags };
};
/** Refuses a call as the server does. */
const refuse = (message: string, data: { code: string; field?: string; retryAfter?: number }) => () =>
  Promise.reject(Object.assign(new Error(message), { data }));
const blogsIn = (testSite: TestSite) => testSite.rows<{ id: string }>("select id from blogs").length;
const unfinishedIds = async (ana: SignedInBrowser) =>
  (await ana.api.blogs.unfinished.query()).blogs.map(({ id }) => id);
const openDraft = ({ snapshot }: Tab) => {
  if (snapshot.phase.name !== "writing") throw new Error(`The form is ${snapshot.phase.name}.`);
  return snapshot.phase.draft;
};

const slugOf = ({ snapshot: { removed } }: Tab): string =>
  typeof removed?.kept === "object" ? (removed.kept.slug ?? "") : "";

describe("a new blog", () => {
  test("is not created while nothing is written in it, nor when all of it was deleted again", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    expect(tab.snapshot).toMatchObject({ notice: null, topic: null, deviceState: "idle" });
    tab.type("x");
    tab.text.dispatch(tab.text.state().tr.delete(1, 2));
    await tab.close();
    expect(setup.device.drafts).toEqual([]);
    expect(blogsIn(setup.testSite)).toBe(0);
    // Nor by turning to another one.
    const other = await setup.device.tab();
    await other.session.startAnother();
    expect(blogsIn(setup.testSite)).toBe(0);
  });

  test("is sent by itself, and kept on this device until the server has it", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.fate = "never";
    tab.session.set({ title: "Owls" });
    tab.type("Mostly.");
    await tab.waitForSyncState("offline");
    await tab.session.open?.storeNow();
    expect(setup.device.drafts).toMatchObject([{ isNew: true, at: { fields: {} } }]);
    tab.fate = "well";
    await tab.waitForSyncState("saved");
    await until(() => setup.device.drafts.length === 0);
    const [id] = await unfinishedIds(setup.ana);
    expect(await draftOf(setup.ana, id!)).toMatchObject({ words: "Mostly.", title: "Owls" });
    expect(tab.snapshot.topic).toBe(`draft:${id}`);
  });

  test.each([1_300_000, 2_200_000])(
    "of %i letters is reported as too long, and not as offline",
    async (letters) => {
      await using setup = await begin();
      const tab = await setup.device.tab();
      tab.type("o".repeat(letters));
      expect(await tab.session.sendAll()).toBe(false);
      expect(tab.snapshot.sync).toEqual({ name: "failed", reason: "This text is too long to save." });
      // Nothing was sent.
      expect(tab.calls).not.toContain("push");
    },
  );

  test("is restored after a crash under the same id, with no text twice", async () => {
    await using setup = await begin();
    for (const fate of ["never", "unanswered"] as const) {
      const tab = await setup.device.tab();
      tab.fate = fate;
      tab.session.set({ title: fate });
      tab.type("Mostly.");
      await tab.waitForSyncState("offline");
      await tab.storeOnDevice();
      const { blogId } = openDraft(tab);
      tab.crash();
      const later = await setup.device.tab();
      expect(openDraft(later).blogId).toBe(blogId);
      expect(later.snapshot).toMatchObject({
        notice: { kind: "restored", isNew: true, lost: [] },
        fields: { title: fate },
      });
      expect(later.words).toBe("Mostly.");
      await later.waitForSyncState("saved");
      expect(await draftOf(setup.ana, blogId)).toMatchObject({ words: "Mostly.", title: fate });
      await later.session.startAnother();
      await setup.ana.api.blogs.publish.mutate({ id: blogId, draft: true });
      later.crash();
    }
    expect(blogsIn(setup.testSite)).toBe(2);
  });

  test("that was begun elsewhere is continued, the newest first; another can be begun", async () => {
    await using setup = await begin();
    const ids: string[] = [];
    for (const words of ["Owls.", "Bats."]) {
      const phone = await new Device(() => setup.ana).tab();
      if (ids.length > 0) await phone.session.startAnother();
      await phone.write(words);
      ids.push(openDraft(phone).blogId);
    }
    const tab = await setup.device.tab();
    expect([openDraft(tab).blogId, tab.words]).toEqual([ids[1], "Bats."]);
    expect(tab.snapshot).toMatchObject({ notice: { kind: "restored", isNew: true } });
    await tab.session.startAnother();
    await until(() => tab.words === "");
    expect(tab.snapshot).toMatchObject({ notice: null, topic: null });
    expect(blogsIn(setup.testSite)).toBe(2);
    await tab.close();
    // It is the newest that no other tab has open.
    expect((await setup.device.tab()).words).toBe("Bats.");
    expect((await setup.device.tab()).words).toBe("Owls.");
  });

  test("that is open in another tab of this browser stays there, even when that tab turns to another", async () => {
    await using setup = await begin();
    const first = await setup.device.tab();
    await first.write("Owls.");
    const second = await setup.device.tab();
    expect(openDraft(second).blogId).not.toBe(openDraft(first).blogId);
    expect([second.words, second.snapshot.notice]).toEqual(["", null]);
    await second.write("Bats.");
    // It holds the blog that it turned to.
    await first.session.startAnother();
    await first.write("Moths.");
    const third = await setup.device.tab();
    expect(third.words).toBe("Owls.");
    expect(await setup.device.tab()).toMatchObject({ words: "" });
  });

  test("of another account on the same device is neither shown nor sent in this one's name", async () => {
    await using setup = await begin();
    const ben = await setup.testSite.createAccount("Ben");
    let signedIn = setup.ana;
    const device = new Device(() => signedIn);
    const tab = await device.tab();
    tab.fate = "never";
    tab.type("Ana’s.");
    await tab.waitForSyncState("offline");
    await tab.storeOnDevice();
    // The form learns last that another account has signed in.
    signedIn = ben;
    tab.fate = "well";
    await tab.session.sendAll();
    await tab.waitForSyncState("signed-out");
    await tab.close();
    expect(blogsIn(setup.testSite)).toBe(0);
    const benTab = await device.tab();
    expect([benTab.words, benTab.snapshot.notice]).toEqual(["", null]);
    await benTab.close();
    expect(device.drafts.length).toBe(1);
    signedIn = setup.ana;
    const anaTab = await device.tab();
    await anaTab.waitForSyncState("saved");
    expect(anaTab.words).toBe("Ana’s.");
    expect(await unfinishedIds(setup.ana)).toEqual([openDraft(anaTab).blogId]);
    // Nor without an account once the session has ended.
    anaTab.session.setSignedIn(false);
    anaTab.type("More. ");
    await anaTab.waitForSyncState("signed-out");
    anaTab.session.setSignedIn(true);
    await anaTab.waitForSyncState("saved");
  });

  test("contains what was typed before it was ready, and nothing else", async () => {
    await using setup = await begin();
    const phone = await new Device(() => setup.ana).tab();
    await phone.write("Begun before.");
    const tab = await setup.device.tab(null, setup.ana.me.id, { title: "Typed early" });
    expect([tab.snapshot.fields.title, tab.words]).toEqual(["Typed early", ""]);
    await tab.session.sendAll();
    expect(await draftOf(setup.ana, openDraft(tab).blogId)).toMatchObject({ title: "Typed early" });
  });

  test("is deleted from this device once it is saved", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.extras.pictures = ["owl.png"];
    await tab.write("Owls.");
    await tab.storeOnDevice();
    expect(setup.device.drafts.length).toBe(1);
    await tab.session.open?.removeStored();
    expect(setup.device.drafts.length).toBe(0);
  });

  test("beyond today's limit shows the reason, and is kept", async () => {
    await using testSite = await startTestSite({ RATE_LIMIT: "on" });
    const ana = await testSite.createAccount("Ana");
    await testSite.write((tx) => execute(tx, "update users set is_admin = 0") as never);
    const device = new Device(() => ana);
    const tab = await device.tab();
    tab.before.begin = refuse("You’ve reached today’s limit of 20 new blogs.", {
      code: "TOO_MANY_REQUESTS",
      retryAfter: 40_000,
    });
    await tab.write("Owls.");
    expect(tab.snapshot.sync).toEqual({
      name: "failed",
      reason: "You’ve reached today’s limit of 20 new blogs.",
    });
    await tab.storeOnDevice();
    expect(device.drafts.length).toBe(1);
    // A limit that ends soon is waited out.
    tab.before.begin = refuse("Slowly.", { code: "TOO_MANY_REQUESTS", retryAfter: 2 });
    await tab.session.sendAll();
    expect(tab.snapshot.sync.name).toBe("busy");
    tab.before = {};
    await tab.waitForSyncState("saved");
  });
});

describe("text", () => {
  test("is reported as unsaved when the device cannot store it", async () => {
    await using setup = await begin();
    setup.device.isFull = true;
    const tab = await setup.device.tab();
    tab.fate = "never";
    tab.type("Owls.");
    await tab.storeOnDevice();
    expect(tab.snapshot.deviceState).toBe("failed");
    tab.fate = "well";
    await tab.session.sendAll();
    await tab.session.open?.storeNow();
    // Nothing is left to store.
    expect(tab.snapshot).toMatchObject({ sync: { name: "saved" }, deviceState: "idle" });
  });

  test("written offline is sent later, and merged with text written elsewhere", async () => {
    await using setup = await begin();
    const blog = await createPublished(setup.ana);
    const [one, two] = [await setup.device.tab(blog), await new Device(() => setup.ana).tab(blog)];
    one.fate = two.fate = "never";
    one.type("Here: ");
    two.type(" And bats.", 14);
    await Promise.all([one.waitForSyncState("offline"), two.waitForSyncState("offline")]);
    one.fate = two.fate = "well";
    one.session.resync();
    two.session.resync();
    await Promise.all([one.waitForSyncState("saved"), two.waitForSyncState("saved")]);
    // Whichever was stored first does not know the other yet.
    one.session.resync();
    two.session.resync();
    await until(() => one.words === "Here: Owls, mostly. And bats.");
    await until(() => one.words === two.words);
    expect((await draftOf(setup.ana, blog.id)).words).toBe(one.words);
  });

  test("is sent less and less often without a response, while the status stays offline", async () => {
    await using setup = await begin();
    const { tab } = await openPublished(setup);
    tab.fate = "never";
    const statuses: string[] = [];
    tab.session.store.subscribe(() => statuses.push(tab.snapshot.sync.name));
    tab.type("Owls.");
    await until(() => tab.calls.filter((name) => name === "push").length >= 4);
    expect(new Set(statuses.slice(statuses.indexOf("offline")))).toEqual(new Set(["offline"]));
  });

  test("that was too long is sent once it fits, with its caret, and only once", async () => {
    await using setup = await begin();
    const { blog, tab } = await openPublished(setup);
    tab.type("o".repeat(2_200_000), 5);
    tab.type("Mine: ");
    expect(await tab.session.sendAll()).toBe(false);
    expect(tab.snapshot.sync).toEqual({ name: "failed", reason: "This text is too long to save." });
    const other = await CoWriter.open(() => setup.ana.api, blog.id);
    other.type(" And bats.", 14);
    await other.sync.push();
    tab.type("Also ");
    const { tr } = tab.text.state();
    tr.delete(16, 16 + 2_200_000);
    tab.text.dispatch(tr.setSelection(TextSelection.create(tr.doc, 10)));
    // The response is lost: the commit comes back with the others'.
    tab.fate = "unanswered";
    await tab.waitForSyncState("offline");
    tab.fate = "well";
    tab.session.resync();
    await tab.waitForSyncState("saved");
    expect(tab.words).toBe("Also Mine: Owls, mostly. And bats.");
    expect((await draftOf(setup.ana, blog.id)).words).toBe(tab.words);
    expect(tab.text.state().selection.head).toBe(10);
    const pushed = tab.commits.at(-1)!;
    expect(JSON.parse(pushed.steps)).toHaveLength(1);
    await tab.write("More: ");
    expect((await draftOf(setup.ana, blog.id)).words).toBe("More: Also Mine: Owls, mostly. And bats.");
  });

  test("that was too long and is taken back needs nothing sent", async () => {
    await using setup = await begin();
    const blog = await createPublished(setup.ana);
    for (const tab of [await setup.device.tab(blog), await setup.device.tab()]) {
      tab.type("o".repeat(2_200_000));
      await tab.session.sendAll();
      expect(tab.snapshot.sync.name).toBe("failed");
      tab.text.dispatch(tab.text.state().tr.delete(1, 2_200_001));
      await tab.waitForSyncState("saved");
      expect(tab.calls).not.toContain("push");
      expect(tab.snapshot.isChanged && !openDraft(tab).isNew).toBe(false);
      await tab.session.open?.storeNow();
      expect(setup.device.drafts).toEqual([]);
      await tab.write("Bats. ");
      expect((await draftOf(setup.ana, openDraft(tab).blogId)).words).toContain("Bats. ");
      await tab.close();
    }
  });

  test("that the server refuses is sent once it fits, also after a crash", async () => {
    await using setup = await begin();
    const { blog, tab } = await openPublished(setup);
    // Each fits into a commit, but both together do not, and the first one not into a text.
    for (const letters of [600_000, 700_000]) {
      tab.type("o".repeat(letters));
      await tab.session.sendAll();
      expect(tab.snapshot.sync.name).toBe("failed");
    }
    tab.text.dispatch(tab.text.state().tr.delete(2, 1_300_000));
    tab.fate = "unanswered";
    await tab.waitForSyncState("offline");
    await tab.storeOnDevice();
    tab.crash();
    const later = await setup.device.tab(blog);
    await later.waitForSyncState("saved");
    expect(later.words).toBe("ooOwls, mostly.");
    expect((await draftOf(setup.ana, blog.id)).words).toBe("ooOwls, mostly.");
  });

  test("that equals the server's is no change", async () => {
    await using setup = await begin();
    const { blog, tab } = await openPublished(setup);
    const { title, cover, tags } = tab.snapshot.fields;
    // As a cancelled upload of a cover, or a title typed and taken back.
    tab.session.set({ cover });
    tab.session.set({ title: "Bats" });
    tab.session.set({ title, tags: [...tags] });
    await tab.session.sendAll();
    expect(tab.calls).not.toContain("push");
    expect(tab.snapshot.isChanged).toBe(false);
    // Of one that is under way, the change back is sent.
    tab.before.push = async () => {
      tab.before = {};
      tab.session.set({ title });
    };
    tab.session.set({ title: "Bats" });
    await tab.session.sendAll();
    expect((await draftOf(setup.ana, blog.id)).title).toBe(title);
  });

  test("of a cover keeps its focus point when another cover had the same", async () => {
    await using setup = await begin();
    const covers = [await upload(setup.ana, await paint()), await upload(setup.ana, await paint())];
    const focus = { x: 10, y: 20 };
    const blog = await createPublished(setup.ana, { coverId: covers[0]!.id, coverFocus: focus });
    const tab = await setup.device.tab(blog);
    tab.session.set({ cover: { ...covers[1]!, focus } });
    await tab.session.sendAll();
    const { fields } = await setup.ana.api.blogs.openDraft.mutate({ id: blog.id });
    expect(fields).toMatchObject({ coverId: covers[1]!.id, coverFocus: focus });
  });

  test("is sent again by Retry after a refusal, and stored when the device has room again", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.before.begin = refuse("No.", { code: "BAD_REQUEST" });
    setup.device.isFull = true;
    await tab.write("Owls.");
    await tab.storeOnDevice();
    expect(tab.snapshot).toMatchObject({ sync: { name: "failed" }, deviceState: "failed" });
    setup.device.isFull = false;
    await tab.session.open?.retry();
    expect(tab.snapshot).toMatchObject({ sync: { name: "failed" }, deviceState: "saved" });
    tab.before = {};
    await tab.session.open?.retry();
    expect(tab.snapshot.sync.name).toBe("saved");
    expect((await draftOf(setup.ana, openDraft(tab).blogId)).words).toBe("Owls.");
    // Of a blog that the server knows, too.
    tab.before.push = refuse("No.", { code: "BAD_REQUEST" });
    await tab.write("Mostly ");
    tab.before = {};
    await tab.session.open?.retry();
    expect(tab.snapshot.sync.name).toBe("saved");
  });

  test("is published in the name of its own account alone", async () => {
    await using setup = await begin();
    const ben = await setup.testSite.createAccount("Ben");
    let signedIn = setup.ana;
    const device = new Device(() => signedIn);
    const blog = await createPublished(setup.ana);
    await setup.ana.api.blogs.inviteAuthor.mutate({ id: blog.id, username: ben.me.username });
    await ben.api.blogs.answerInvitation.mutate({ id: blog.id, accept: true });
    const tab = await device.tab(blog);
    await tab.write("Mine: ");
    // Another tab of this browser has signed in as Ben, who may write it, too.
    signedIn = ben;
    const failure: unknown = await tab.session
      .publish({ id: blog.id, draft: false })
      .catch((error: unknown) => error);
    expect(saveFailureOf(failure, "").kind).toBe("signed-out");
    expect(tab.calls).not.toContain("publish");
    signedIn = setup.ana;
    await tab.session.publish({ id: blog.id, draft: false });
    expect((await setup.ana.api.blogs.bySlug.query({ slug: blog.slug })).html).toContain("Mine: Owls");
  });

  test("is complete on the server for publishing, though a part was still under way", async () => {
    await using setup = await begin();
    const { tab } = await openPublished(setup);
    let finishPush!: () => void;
    tab.before.push = () => new Promise<void>((resolve) => (finishPush = resolve));
    tab.type("One. ");
    await until(() => tab.calls.includes("push"));
    tab.type("Two. ");
    const sending = tab.session.sendAll();
    tab.before = {};
    finishPush();
    expect(await sending).toBe(true);
    expect((await draftOf(setup.ana, openDraft(tab).blogId)).words).toBe("Two. One. Owls, mostly.");
  });

  test("is confirmed by the stream when the response is lost", async () => {
    await using setup = await begin();
    const { tab } = await openPublished(setup);
    tab.fate = "unanswered";
    tab.type("Here: ");
    await tab.waitForSyncState("offline");
    const { id } = { id: openDraft(tab).blogId };
    const { epoch } = await setup.ana.api.blogs.openDraft.mutate({ id });
    const { commits } = await setup.ana.api.blogs.commitsSince.query({
      id,
      epoch,
      seq: openDraft(tab).at.seq,
    });
    tab.fate = "never";
    tab.session.handleEvent({ kind: "draft.committed", seq: commits!.at(-1)!.seq, commits }, `draft:${id}`);
    await tab.waitForSyncState("saved");
  });

  test("is kept with an unfinished tag, a cover and pictures under way, though the server has the rest", async () => {
    await using setup = await begin();
    const { blog, tab } = await openPublished(setup);
    await tab.write("Here: ");
    const file = new Blob(["owl"]);
    tab.extras = { file, pictures: ["owl.png"], tags: ["night", "half"] };
    await tab.storeOnDevice();
    tab.crash();
    const later = await setup.device.tab(blog);
    expect(later.snapshot).toMatchObject({
      notice: { kind: "restored", lost: ["owl.png"], isNew: false },
      fields: { tags: ["night", "half"] },
    });
    expect(openDraft(later).file).not.toBe(null);
    // Reported once: what did not arrive is not stored again.
    await later.session.sendAll();
    await later.session.open?.storeNow();
    expect(setup.device.drafts).toEqual([]);
  });

  test("of a page of an older release is kept, with a notice", async () => {
    await using setup = await begin();
    const { blog, tab } = await openPublished(setup);
    tab.before.push = refuse("Old.", { code: "CONFLICT", field: "schema" });
    tab.type("Here: ");
    await until(() => tab.snapshot.notice?.kind === "old");
    await tab.storeOnDevice();
    tab.crash();
    const later = await setup.device.tab(blog);
    await later.waitForSyncState("saved");
    expect(later.words).toBe("Here: Owls, mostly.");
  });

  test("is kept while its writer may not write, and sent once they may", async () => {
    await using setup = await begin();
    const { blog, tab } = await openPublished(setup);
    tab.before.push = refuse("No.", { code: "FORBIDDEN" });
    tab.type("Here: ");
    await until(() => tab.snapshot.notice?.kind === "ended");
    tab.before = {};
    tab.session.handleEvent({ kind: "accessRestored" }, `draft:${blog.id}`);
    await tab.waitForSyncState("saved");
    expect((await draftOf(setup.ana, blog.id)).words).toBe("Here: Owls, mostly.");
  });
});

describe("another person's blog", () => {
  /** Creates Ana's blog with Ben as a co-author, and a tab of his. */
  async function createShared(setup: Awaited<ReturnType<typeof begin>>, draft: boolean) {
    const ben = await setup.testSite.createAccount("Ben");
    const blog = { ...(await createPublished(setup.ana, { draft })), draft, mine: false };
    const { id } = blog;
    await setup.ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
    await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
    const device = new Device(() => ben);
    const remove = () => setup.ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
    return { ben, id, device, blog, tab: await device.tab(blog), remove };
  }

  for (const draft of [true, false])
    test(`${draft ? "a draft" : "one that is published"}: whoever is removed in mid-sentence has the words that did not arrive, and a draft of them alone`, async () => {
      await using setup = await begin();
      const { ben, id, device, tab, remove } = await createShared(setup, draft);
      await tab.write("Here: ");
      expect(tab.snapshot.removed).toBe(null);
      tab.fate = "never";
      const { doc, tr } = tab.text.state();
      tab.text.dispatch(tr.split(doc.content.size - 1).insertText("Half a senten", doc.content.size + 1));
      await tab.waitForSyncState("offline");
      await remove();
      tab.fate = "well";
      tab.session.handleEvent({ kind: "accessLost" }, `draft:${id}`);
      await until(() => typeof tab.snapshot.removed?.kept === "object");
      expect(tab.snapshot.notice).toBe(null);
      expect((await draftOf(setup.ana, id)).words).toBe("Here: Owls, mostly.");
      await until(() => device.drafts.length === 0);
      const [kept] = await unfinishedIds(ben);
      expect(await draftOf(ben, kept!)).toMatchObject({ words: "Half a senten" });
      const { slug } = await ben.api.blogs.forEdit.query({ slug: slugOf(tab) });
      expect(slug).toBe(slugOf(tab));
      await tab.close();
      // The same draft, however often it is looked for.
      expect((await device.tab()).words).toBe("Half a senten");
      expect(await unfinishedIds(ben)).toEqual([kept]);
    });

  test("that was left unsent before the removal becomes a draft of what its author changed", async () => {
    await using setup = await begin();
    const { ben, id, device, tab, remove } = await createShared(setup, false);
    tab.fate = "never";
    const { doc, tr } = tab.text.state();
    tab.text.dispatch(tr.split(doc.content.size - 1).insertText("Half a senten", doc.content.size + 1));
    await tab.storeOnDevice();
    tab.crash();
    await remove();
    const other = await device.tab();
    await until(() => other.snapshot.notice?.kind === "kept");
    await until(() => device.drafts.length === 0);
    const [kept] = await unfinishedIds(ben);
    expect(await draftOf(ben, kept!)).toMatchObject({ words: "Half a senten" });
    expect((await draftOf(setup.ana, id)).words).toBe("Owls, mostly.");
  });

  test("keeps text under way at the removal, also when an earlier response arrives after it", async () => {
    await using setup = await begin();
    const { ben, id, tab, remove } = await createShared(setup, false);
    const [pushResponse, sinceResponse] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    tab.before.push = () => pushResponse.promise;
    tab.type("Here: ");
    const isSent = tab.session.sendAll();
    await until(() => tab.calls.includes("push"));
    tab.before = {};
    // The response was made before the removal and arrives after its event.
    tab.after.since = () => sinceResponse.promise;
    tab.session.resync();
    await until(() => tab.answeredCalls.includes("since"));
    await remove();
    delete tab.after.since;
    tab.session.handleEvent({ kind: "accessLost" }, `draft:${id}`);
    sinceResponse.resolve();
    await until(() => tab.snapshot.removed !== null);
    pushResponse.reject(new TRPCClientError("fetch failed"));
    expect(await isSent).toBe(false);
    await until(() => typeof tab.snapshot.removed?.kept === "object");
    expect(tab.snapshot.sync).toEqual({ name: "ended" });
    const [kept] = await unfinishedIds(ben);
    expect((await draftOf(ben, kept!)).words).toBe("Here: Owls, mostly.");
  });

  test("can be written in again after another invitation", async () => {
    await using setup = await begin();
    const { ben, id, tab, remove } = await createShared(setup, true);
    await remove();
    tab.type("Here: ");
    await until(() => tab.snapshot.removed !== null);
    await setup.ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
    await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
    tab.session.handleEvent({ kind: "accessRestored" }, `draft:${id}`);
    await until(() => tab.snapshot.removed === null);
    expect(tab.snapshot.notice).toEqual({ kind: "kept", slug: expect.any(String) });
    await until(() => tab.words === "Owls, mostly.");
    await tab.write("And ");
    expect((await draftOf(setup.ana, id)).words).toBe("And Owls, mostly.");
    // What was written meanwhile is a draft of its own.
    const [kept] = (await unfinishedIds(ben)).filter((one) => one !== id);
    expect((await draftOf(ben, kept!)).words).toBe("Here: Owls, mostly.");
  });

  test("that its author deletes ends for a co-author, who gets a draft of what they changed", async () => {
    await using setup = await begin();
    const { ben, id, device, tab } = await createShared(setup, true);
    await setup.ana.api.blogs.remove.mutate({ id });
    const { doc, tr } = tab.text.state();
    tab.text.dispatch(tr.split(doc.content.size - 1).insertText("Mine.", doc.content.size + 1));
    await until(() => typeof tab.snapshot.removed?.kept === "object");
    await tab.session.continueAsNewDraft();
    expect(openDraft(tab).blogId).toBe(id);
    await tab.close();
    const [kept] = await unfinishedIds(ben);
    expect((await draftOf(ben, kept!)).words).toBe("Mine.");
    expect(device.drafts).toEqual([]);
  });
});

describe("the form", () => {
  test("starts with the same blog again after a failed start", async () => {
    await using setup = await begin();
    const phone = await new Device(() => setup.ana).tab();
    await phone.write("Owls.");
    const tab = new Tab(setup.device, setup.ana.me.id, null);
    tab.before.open = () => Promise.reject(new TRPCClientError("fetch failed"));
    await tab.start();
    expect(tab.snapshot.phase).toEqual({ name: "broken" });
    tab.before = {};
    await tab.start();
    expect([tab.words, openDraft(tab).blogId]).toEqual(["Owls.", openDraft(phone).blogId]);
  });

  test("starts once when it is started, stopped and started again", async () => {
    await using setup = await begin();
    const phone = await new Device(() => setup.ana).tab();
    await phone.write("Owls.");
    const tab = new Tab(setup.device, setup.ana.me.id, null);
    const first = tab.start();
    tab.session.stop();
    await Promise.all([first, tab.start()]);
    expect([tab.words, openDraft(tab).blogId]).toEqual(["Owls.", openDraft(phone).blogId]);
  });

  test("that is left while text is under way releases the text once it has arrived", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.type("Owls.");
    tab.session.stop();
    const later = await setup.device.tab();
    expect(later.words).toBe("Owls.");
    await later.waitForSyncState("saved");
    expect((await unfinishedIds(setup.ana)).length).toBe(1);
    expect((await draftOf(setup.ana, openDraft(later).blogId)).words).toBe("Owls.");
  });

  test("that is left without a response leaves its text to the next tab, and sends nothing more", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.before.begin = () => new Promise(() => undefined);
    tab.type("Owls.");
    await tab.close();
    const later = await setup.device.tab();
    expect(later.words).toBe("Owls.");
    await later.waitForSyncState("saved");
    expect(tab.calls.filter((name) => name === "begin").length).toBe(1);
  });

  test("continues where it was when its editor is mounted again", async () => {
    await using setup = await begin();
    const { blog, tab } = await openPublished(setup);
    const { text } = tab;
    await tab.write("Here: ");
    tab.type("And ");
    // As when the field is rendered again with the text that it was given.
    tab.session.attach(text);
    await until(() => tab.text !== text);
    expect(tab.words).toBe("And Here: Owls, mostly.");
    await tab.session.sendAll();
    expect((await draftOf(setup.ana, blog.id)).words).toBe("And Here: Owls, mostly.");
  });
});

describe("the draft switch and the time of publication", () => {
  const inADay = () => new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 24 * 3_600_000).toISOString();
  const chosenIn = ({ snapshot }: Tab) => ({ draft: snapshot.fields.draft, later: snapshot.fields.later });

  test("of a new blog are there after a reload, and on another device", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.type("Mostly.");
    tab.session.set({ title: "Owls", draft: true });
    await tab.session.sendAll();
    await tab.close();
    const again = await setup.device.tab();
    expect(chosenIn(again)).toEqual({ draft: true, later: null });
    const later = { at: inADay(), zone: "Europe/Berlin", typed: "2026-12-24T09:00" };
    again.session.set({ draft: false, later });
    await again.session.sendAll();
    const elsewhere = await new Device(() => setup.ana).tab();
    expect(chosenIn(elsewhere)).toEqual({ draft: false, later });
    // A choice without consequences is no change.
    again.session.set({ draft: false, later: null });
    await again.session.sendAll();
    elsewhere.session.resync();
    await until(() => chosenIn(elsewhere).later === null);
    expect(chosenIn(elsewhere)).toEqual({ draft: false, later: null });
  });

  test("apply with the next save, on all devices, and not before", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.type("Mostly.");
    const later = { at: inADay(), zone: "Europe/Berlin" };
    tab.session.set({ title: "Owls", draft: false, later });
    await tab.session.sendAll();
    const id = tab.session.blogId!;
    const other = await new Device(() => setup.ana).tab();
    expect(setup.testSite.rows("select draft from blogs")).toEqual([{ draft: 1 }]);
    expect(setup.testSite.rows("select * from schedules")).toEqual([]);
    await setup.ana.api.blogs.publish.mutate({ id, draft: true, schedule: later });
    for (const one of [tab, other]) {
      one.session.resync();
      one.session.open?.record({ schedule: later });
      await until(() => !openDraft(one).isUnsaved);
      await until(() => one.snapshot.fields.later?.at === later.at);
      expect(chosenIn(one)).toEqual({ draft: false, later });
      // Both follow what happens to it elsewhere.
      one.session.open?.record({ schedule: null });
      expect(chosenIn(one)).toEqual({ draft: true, later: null });
    }
    const { fields } = await setup.ana.api.blogs.openDraft.mutate({ id });
    expect(fields.intent).toBe(null);
  });

  test("stay as chosen when the schedule is moved elsewhere, and end when the blog is published elsewhere", async () => {
    await using setup = await begin();
    const blog = aBlog({ draft: true });
    await setup.ana.api.blogs.create.mutate(blog);
    const tab = await setup.device.tab({ id: blog.id, draft: true, etag: 1, schedule: null });
    expect(chosenIn(tab)).toEqual({ draft: true, later: null });
    const later = { at: inADay(), zone: "Europe/Berlin" };
    tab.session.set({ draft: false, later });
    await tab.session.sendAll();
    tab.session.open?.record({ schedule: { at: inADay(), zone: "Asia/Tokyo" } });
    expect(chosenIn(tab).later).toEqual(later);
    await setup.ana.api.blogs.update.mutate({ id: blog.id, draft: false });
    tab.session.resync();
    await until(() => chosenIn(tab).later === null);
    expect(chosenIn(tab)).toEqual({ draft: false, later: null });
  });

  test("of a published blog are discarded with its other changes", async () => {
    await using setup = await begin();
    const { tab } = await openPublished(setup);
    tab.session.set({ draft: true });
    await tab.session.sendAll();
    expect(tab.snapshot.isChanged).toBe(true);
    await tab.session.discard();
    expect(chosenIn(tab)).toEqual({ draft: false, later: null });
    expect(tab.snapshot.isChanged).toBe(false);
    const { notice } = tab.snapshot;
    if (notice?.kind !== "discarded") throw new Error("There is no Undo.");
    notice.undo();
    expect(chosenIn(tab)).toEqual({ draft: true, later: null });
  });

  test("are what was scheduled, though words are typed meanwhile or the response is lost", async () => {
    await using setup = await begin();
    const later = { at: inADay(), zone: "Europe/Berlin" };
    for (const isLost of [false, true]) {
      const tab = await new Device(() => setup.ana).tab();
      tab.type("Mostly.");
      tab.session.set({ title: "Owls", draft: false, later });
      await tab.session.sendAll();
      tab.after.publish = async () => {
        tab.type("More. ");
        if (isLost) throw new TRPCClientError("fetch failed");
      };
      const target = { id: tab.session.blogId!, draft: true, schedule: later };
      await tab.session.publish(target).catch(() => undefined);
      tab.session.resync();
      await tab.session.sendAll();
      const stored = async () =>
        (await setup.ana.api.blogs.openDraft.mutate({ id: target.id })).fields.intent;
      expect(await stored()).toBe(null);
      await until(() => chosenIn(tab).later?.at === later.at);
      expect(chosenIn(tab)).toEqual({ draft: false, later });
      // For the form, which says if a time is not scheduled yet.
      expect(tab.snapshot.schedule).toEqual(later);
      await tab.close();
    }
  });

  test("of a blog that was never saved are the same in its form and among new blogs", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    tab.type("Mostly.");
    tab.session.set({ title: "Owls", draft: true });
    await tab.session.sendAll();
    const id = tab.session.blogId!;
    const form = await new Device(() => setup.ana).tab({ id, draft: true, etag: 1, schedule: null });
    expect(chosenIn(form)).toEqual({ draft: true, later: null });
    for (const draft of [false, true]) {
      form.session.set({ draft, later: null });
      await form.session.sendAll();
      tab.session.resync();
      await until(() => chosenIn(tab).draft === draft);
    }
  });
});

describe("content that another app shares", () => {
  const shared = { title: "Shared", text: "Worth a look", link: "https://example.org/owls" };
  const share = (device: Device) => {
    const draft = draftFromShared(device.signedIn.me.id, shared);
    device.stored.set(draft.client, structuredClone(draft));
    return draft;
  };

  test("becomes one new blog beside one begun before", async () => {
    await using setup = await begin();
    const phone = await new Device(() => setup.ana).tab();
    await phone.write("Begun before.");
    const draft = share(setup.device);
    const tab = await setup.device.tab();
    expect(tab.words).toBe("Worth a look\nhttps://example.org/owls");
    expect(tab.snapshot).toMatchObject({
      notice: { kind: "restored", isNew: true },
      fields: { title: "Shared", draft: true },
    });
    await until(() => setup.device.drafts.length === 0);
    const sent = { words: tab.words, title: "Shared" };
    expect(await draftOf(setup.ana, draft.blogId)).toMatchObject(sent);
    tab.crash();
    // As if the tab was killed before it could remove it.
    setup.device.stored.set(draft.client, structuredClone(draft));
    await setup.device.tab();
    await until(() => setup.device.drafts.length === 0);
    expect(await draftOf(setup.ana, draft.blogId)).toMatchObject(sent);
    expect((await unfinishedIds(setup.ana)).length).toBe(2);
  });

  test("is kept while the server has not stored it", async () => {
    await using setup = await begin();
    share(setup.device);
    setup.device.isFull = true;
    const tab = await setup.device.tab();
    tab.fate = "never";
    tab.type("More. ");
    await until(() => tab.snapshot.deviceState === "failed");
    tab.crash();
    expect(setup.device.drafts.length).toBe(1);
  });
});
