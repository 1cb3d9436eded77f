import { describe, expect, test } from "vitest";
import { setSiteValue } from "../../../src/server/database/meta.ts";
import type { SignedInBrowser } from "../../support/browser.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { aBlog, paragraphs, refusal, startTestSite, until } from "../../support/test-site.ts";
import { Device, type Tab } from "../../support/draft-device.ts";

/** Starts a site with Ana, her device and a blog of hers. */
async function begin() {
  const testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls, mostly.") });
  await ana.api.blogs.create.mutate(blog);
  return {
    testSite,
    ana,
    blog: { id: blog.id, draft: false, etag: 1 },
    device: new Device(() => ana),
    [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose](),
  };
}

const wordsOf = (document: unknown): string =>
  [...JSON.stringify(document).matchAll(/"text":"(.*?)"/g)].map(([, text]) => text).join("\n");
const draftOf = async (ana: SignedInBrowser, id: string) => {
  const { document, fields } = await ana.api.blogs.openDraft.mutate({ id });
  return { words: wordsOf(document), title: fields.title };
};
const unfinishedIds = async (ana: SignedInBrowser) =>
  (await ana.api.blogs.unfinished.query()).blogs.map(({ id }) => id);
const openDraft = ({ snapshot }: Tab) => {
  if (snapshot.phase.name !== "writing") throw new Error(`The form is ${snapshot.phase.name}.`);
  return snapshot.phase.draft;
};
/** Changes the live epoch, as the restore of an older database does. */
const changeLiveEpoch = (setup: Awaited<ReturnType<typeof begin>>) =>
  setup.testSite.write((tx) => setSiteValue(tx, "live_epoch", "another"));

describe("a blog that is deleted elsewhere", () => {
  test("becomes one new draft with the text, cover, tags and pictures", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab(setup.blog);
    const file = new Blob(["owl"]);
    tab.extras = { file, pictures: [], tags: ["night", "half"] };
    await setup.ana.api.blogs.remove.mutate({ id: setup.blog.id });
    tab.type("Mine: ");
    await until(() => tab.snapshot.notice?.kind === "deleted");
    tab.extras = { file, pictures: [], tags: [] };
    await until(() => tab.words === "Mine: Owls, mostly.");
    const { blogId, isNew } = openDraft(tab);
    expect([isNew, openDraft(tab).file, tab.snapshot.fields.draft]).toEqual([true, file, true]);
    await until(async () => (await unfinishedIds(setup.ana)).includes(blogId));
    await tab.waitForSyncState("saved");
    const { fields, document } = await setup.ana.api.blogs.openDraft.mutate({ id: blogId });
    expect([wordsOf(document), fields.tags]).toEqual(["Mine: Owls, mostly.", ["night", "half"]]);
    await until(() => setup.device.drafts.every((draft) => draft.blogId === blogId));
  });

  test("is reported once, however many sources say so, and not while another account is signed in", async () => {
    await using setup = await begin();
    const ben = await setup.testSite.createAccount("Ben");
    let signedIn = setup.ana;
    const device = new Device(() => signedIn);
    const draft = aBlog({ draft: true, document: paragraphs("Owls.") });
    await setup.ana.api.blogs.create.mutate(draft);
    const tab = await device.tab({ id: draft.id, draft: true, etag: 1 });
    signedIn = ben;
    tab.type("Mine: ");
    await tab.session.continueAsNewDraft();
    tab.session.handleEvent({ kind: "accessLost" }, `draft:${draft.id}`);
    await tab.waitForSyncState("signed-out");
    expect([openDraft(tab).blogId, tab.snapshot.notice]).toEqual([draft.id, null]);
    signedIn = setup.ana;
    await setup.ana.api.blogs.remove.mutate({ id: draft.id });
    tab.session.handleEvent({ kind: "accessLost" }, `draft:${draft.id}`);
    await Promise.all([tab.session.continueAsNewDraft(), tab.session.continueAsNewDraft()]);
    await until(async () => (await unfinishedIds(setup.ana)).length === 1);
    expect(tab.snapshot.notice).toEqual({ kind: "deleted" });
  });

  test("becomes a new draft with the current text when it was just begun", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    await tab.write("Owls.");
    await setup.ana.api.blogs.remove.mutate({ id: openDraft(tab).blogId });
    await tab.write("Mostly ");
    await until(() => tab.snapshot.notice?.kind === "deleted");
    await until(() => tab.words === "Mostly Owls.");
    await until(async () => (await unfinishedIds(setup.ana))[0] === openDraft(tab).blogId);
  });

  test("leaves unsent text on the device when the new draft can be stored nowhere", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab(setup.blog);
    tab.fate = "never";
    tab.type("Mine: ");
    await tab.storeOnDevice();
    await setup.ana.api.blogs.remove.mutate({ id: setup.blog.id });
    tab.fate = "well";
    setup.device.isFull = true;
    tab.before.begin = () => Promise.reject(new Error("away"));
    tab.session.resync();
    await until(() => tab.snapshot.deviceState === "failed");
    tab.crash();
    expect(setup.device.drafts).toMatchObject([{ blogId: setup.blog.id }]);
  });
});

describe("text that cannot be merged with the current one", () => {
  /** Writes offline, while the database is replaced by an older copy in which another page writes. */
  const leaveDiverged = async (setup: Awaited<ReturnType<typeof begin>>) => {
    const tab = await setup.device.tab(setup.blog);
    tab.fate = "never";
    tab.type("Mine: ");
    tab.session.set({ title: "Mine" });
    await tab.storeOnDevice();
    await changeLiveEpoch(setup);
    const other = await CoWriter.open(() => setup.ana.api, setup.blog.id);
    other.type("Theirs: ");
    await other.sync.push();
    tab.fate = "well";
    return tab;
  };
  const kept = { words: "Mine: Owls, mostly.", title: "Mine" };
  /** Checks that the viewer has one new draft of what was written here, and that the blog has the other text. */
  const expectKept = async (setup: Awaited<ReturnType<typeof begin>>) => {
    const ids = await unfinishedIds(setup.ana);
    expect(ids.length).toBe(1);
    expect(await draftOf(setup.ana, ids[0]!)).toEqual(kept);
    expect((await draftOf(setup.ana, setup.blog.id)).words).toContain("Theirs: Owls, mostly.");
  };

  test("is kept as a new draft, while the form continues with the current one", async () => {
    await using setup = await begin();
    const tab = await leaveDiverged(setup);
    tab.session.resync();
    await until(() => tab.snapshot.notice?.kind === "kept");
    await until(() => tab.words === "Theirs: Owls, mostly.");
    await until(() => setup.device.drafts.length === 0);
    await expectKept(setup);
    const { notice } = tab.snapshot;
    const slug = notice?.kind === "kept" ? notice.slug! : "";
    expect((await setup.ana.api.blogs.forEdit.query({ slug })).title).toBeTypeOf("string");
    await tab.write("And ");
    expect((await draftOf(setup.ana, setup.blog.id)).words).toBe("And Theirs: Owls, mostly.");
  });

  test.each(["in its form", "in another one"])("is kept as one draft after a crash, %s", async (place) => {
    await using setup = await begin();
    const tab = await leaveDiverged(setup);
    const [stored] = setup.device.drafts;
    tab.crash();
    for (let time = 0; time < 2; time++) {
      // The second time as if the device was killed before it could remove it.
      setup.device.stored.set(stored!.client, structuredClone(stored!));
      const later = await setup.device.tab(place === "in its form" ? setup.blog : null);
      if (place === "in its form") later.session.resync();
      await until(() => later.snapshot.notice?.kind === "kept");
      await until(() => setup.device.drafts.length === 0);
      await later.close();
    }
    await expectKept(setup);
  });

  test("is kept with what is typed while it is sent", async () => {
    await using setup = await begin();
    const tab = await leaveDiverged(setup);
    tab.before.begin = async () => {
      tab.before = {};
      tab.type("Late. ");
    };
    tab.session.resync();
    await until(() => tab.snapshot.notice?.kind === "kept");
    const [id] = await unfinishedIds(setup.ana);
    expect(await draftOf(setup.ana, id!)).toEqual({ ...kept, words: "Late. Mine: Owls, mostly." });
  });

  test("stays in the form while neither the server nor this device keeps it", async () => {
    await using setup = await begin();
    const tab = await leaveDiverged(setup);
    setup.device.isFull = true;
    tab.before.begin = () => Promise.reject(new Error("away"));
    tab.session.resync();
    await until(() => tab.calls.includes("begin"));
    await until(() => tab.snapshot.deviceState === "failed");
    expect(tab.words).toBe("Mine: Owls, mostly.");
    expect(setup.device.drafts).toMatchObject([{ blogId: setup.blog.id }]);
    tab.before = {};
    tab.session.resync();
    await until(() => tab.snapshot.notice?.kind === "kept");
    await expectKept(setup);
  });

  test("is stored here as a new draft that is sent once the server takes it", async () => {
    await using setup = await begin();
    const tab = await leaveDiverged(setup);
    tab.before.begin = () => Promise.reject(new Error("away"));
    tab.session.resync();
    await until(() => tab.words === "Theirs: Owls, mostly.");
    expect(tab.snapshot.notice).toEqual({ kind: "kept", slug: null });
    tab.before = {};
    tab.session.resync();
    await until(() => setup.device.drafts.length === 0);
    await expectKept(setup);
  });

  test("makes no draft when nothing was written here", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab(setup.blog);
    await changeLiveEpoch(setup);
    const other = await CoWriter.open(() => setup.ana.api, setup.blog.id);
    other.type("Theirs: ");
    await other.sync.push();
    tab.session.resync();
    await until(() => tab.words === "Theirs: Owls, mostly.");
    expect(tab.snapshot.notice).toBe(null);
    expect(await unfinishedIds(setup.ana)).toEqual([]);
    await tab.write("And ");
    expect((await draftOf(setup.ana, setup.blog.id)).words).toBe("And Theirs: Owls, mostly.");
  });
});

describe("changes that readers do not see yet", () => {
  test("are marked as such until they are published, also by another client", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab(setup.blog);
    expect(tab.snapshot.isChanged).toBe(false);
    await tab.write("Mine: ");
    expect(tab.snapshot.isChanged).toBe(true);
    await setup.ana.api.blogs.publish.mutate({ id: setup.blog.id, draft: false });
    await tab.write("And ");
    // Text written since is not part of it.
    tab.session.resync();
    await tab.session.sendAll();
    expect(tab.snapshot.isChanged).toBe(true);
    await setup.ana.api.blogs.publish.mutate({ id: setup.blog.id, draft: false });
    tab.session.resync();
    await until(() => !tab.snapshot.isChanged);
    await tab.storeOnDevice();
    tab.crash();
    expect((await setup.device.tab(setup.blog)).snapshot.isChanged).toBe(false);
  });

  test("are discarded, in a new blog too, and Undo restores them, but not into another blog", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab(setup.blog);
    await tab.write("Mine: ");
    await tab.session.discard();
    expect([tab.words, tab.snapshot.isChanged]).toEqual(["Owls, mostly.", false]);
    const { notice } = tab.snapshot;
    if (notice?.kind === "discarded") notice.undo();
    expect(tab.words).toBe("Mine: Owls, mostly.");

    const fresh = await setup.device.tab();
    fresh.session.set({ title: "Bats" });
    await fresh.write("Bats.");
    await fresh.session.discard();
    await fresh.session.sendAll();
    expect([fresh.words, fresh.snapshot.fields.title]).toEqual(["", ""]);
    const undo = fresh.snapshot.notice;
    await fresh.session.startAnother();
    if (undo?.kind === "discarded") undo.undo();
    expect(fresh.words).toBe("");
    fresh.crash();
    // A later tab has nothing to restore.
    const later = await setup.device.tab();
    expect([later.words, later.snapshot.notice]).toEqual(["", null]);
  });
});

describe("words typed while Discard is under way", () => {
  test.each(["discard", "since", "open"] as const)(
    "during the call of %s are in the form or in Undo, and are not sent unseen",
    async (call) => {
      await using setup = await begin();
      const tab = await setup.device.tab(setup.blog);
      await tab.write("Mine: ");
      const other = await CoWriter.open(() => setup.ana.api, setup.blog.id);
      const typeAndWait = async () => {
        tab.type("Late. ");
        // A commit would follow, and so does the event of the discard.
        void tab.session.sendAll();
        tab.session.resync();
        await other.sync.fetchMissed();
        const { seq } = other.sync;
        tab.session.handleEvent({ kind: "draft.committed", seq, commits: null }, tab.snapshot.topic!);
      };
      const isReopened = call === "open";
      // What could not be sent is discarded by opening the text again.
      tab.before.discard = async () => void (isReopened && tab.type("Unsent. "));
      const answered = async () => {
        // Requests before the discard are not meant.
        if (!tab.answeredCalls.includes("discard")) return;
        tab.after = {};
        await typeAndWait();
      };
      tab.after[call] = answered;
      await tab.session.discard();
      await until(() => !tab.words.includes("Mine: "));
      await tab.session.sendAll();
      const { words } = await draftOf(setup.ana, setup.blog.id);
      await until(() => tab.words === words);
      expect(words).toMatch(/^(Late\. )?Owls, mostly\.$/);
      const { notice } = tab.snapshot;
      if (notice?.kind === "discarded") notice.undo();
      await until(() => tab.words.includes("Mine: "));
      expect(tab.words).toBe(isReopened ? "Late. Unsent. Mine: Owls, mostly." : "Late. Mine: Owls, mostly.");
    },
  );

  test("of a new blog are in its Undo", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    await tab.write("They squeak.");
    tab.after.remove = async () => tab.type("Bats. ");
    await tab.session.discard();
    await until(() => tab.words === "");
    const { notice } = tab.snapshot;
    if (notice?.kind === "discarded") notice.undo();
    await until(() => tab.words === "Bats. They squeak.");
  });

  test("are in Undo of the first Discard, though it is pressed twice", async () => {
    await using setup = await begin();
    const blog = aBlog({ document: paragraphs("Owls, mostly.") });
    await setup.ana.api.blogs.create.mutate(blog);
    const tab = await setup.device.tab({ id: blog.id, draft: false, etag: 1 });
    await tab.write("Mine: ");
    const held = Promise.withResolvers<void>();
    tab.before.discard = () => held.promise;
    const discards = [tab.session.discard()];
    await until(() => tab.calls.includes("discard"));
    discards.push(tab.session.discard());
    held.resolve();
    await Promise.all(discards);
    expect(tab.words).toBe("Owls, mostly.");
    const { notice } = tab.snapshot;
    if (notice?.kind !== "discarded") throw new Error("There is no Undo.");
    notice.undo();
    expect(tab.words).toBe("Mine: Owls, mostly.");
  });
});

describe("a discarded new blog", () => {
  const blogsOf = async (ana: SignedInBrowser) =>
    (await ana.api.blogs.mine.query({})).blogs.map(({ title }) => title);
  const beginBats = async (device: Device) => {
    const tab = await device.tab();
    tab.session.set({ title: "Bats", tags: ["night"], description: "By ear.", draft: true });
    await tab.write("They squeak.");
    return tab;
  };

  test("is no draft any more, and Undo restores all of it", async () => {
    await using setup = await begin();
    const tab = await beginBats(setup.device);
    await until(async () => (await blogsOf(setup.ana)).includes("Bats"));
    await tab.session.discard();
    await until(() => tab.words === "");
    expect(tab.snapshot.fields.draft, "of the next blog").toBe(false);
    expect(await blogsOf(setup.ana)).toEqual(["A walk at night"]);
    expect((await setup.ana.api.blogs.unfinished.query()).blogs).toEqual([]);
    const { notice } = tab.snapshot;
    if (notice?.kind === "discarded") notice.undo();
    await tab.session.sendAll();
    expect(tab.snapshot.fields).toMatchObject({ draft: true, title: "Bats", description: "By ear." });
    const [draft] = (await setup.ana.api.blogs.unfinished.query()).blogs;
    expect(await draftOf(setup.ana, draft!.id)).toMatchObject({ words: "They squeak.", title: "Bats" });
    await until(() => setup.device.drafts.length === 0);
  });

  test("shows no further notice when the stream reports the lost access", async () => {
    await using setup = await begin();
    const tab = await beginBats(setup.device);
    const { topic } = tab.snapshot;
    tab.before.remove = async () => undefined;
    const discarded = tab.session.discard();
    tab.session.handleEvent({ kind: "accessLost" }, topic!);
    await discarded;
    tab.session.handleEvent({ kind: "accessLost" }, topic!);
    await until(() => tab.words === "");
    expect(tab.snapshot.notice?.kind).toBe("discarded");
  });

  test.each(["which the page knows", "which the page does not know yet"])(
    "returns to what another page published, %s, with Undo",
    async (kind) => {
      await using setup = await begin();
      const tab = await beginBats(setup.device);
      const id = tab.session.blogId!;
      await tab.session.sendAll();
      const publish = () => setup.ana.api.blogs.publish.mutate({ id, draft: false });
      const isKnown = kind === "which the page knows";
      if (isKnown) {
        await publish();
        const { seq } = await setup.ana.api.blogs.openDraft.mutate({ id });
        tab.session.handleEvent({ kind: "draft.saved", seq, draft: false }, tab.snapshot.topic!);
        await tab.write("At night: ");
      } else tab.before.remove = publish;
      await tab.session.discard();
      expect([tab.words, tab.snapshot.fields.title]).toEqual(["They squeak.", "Bats"]);
      expect(await draftOf(setup.ana, id)).toMatchObject({ words: "They squeak.", title: "Bats" });
      const { notice } = tab.snapshot;
      if (notice?.kind === "discarded") notice.undo();
      expect(tab.words).toBe(isKnown ? "At night: They squeak." : "They squeak.");
    },
  );

  test("is not announced as restored any more once another page has published it", async () => {
    await using setup = await begin();
    const tab = await beginBats(setup.device);
    const id = tab.session.blogId!;
    await tab.session.sendAll();
    const phone = await new Device(() => setup.ana).tab();
    expect([phone.session.blogId, phone.snapshot.notice?.kind]).toEqual([id, "restored"]);
    await setup.ana.api.blogs.publish.mutate({ id, draft: false });
    const { seq } = await setup.ana.api.blogs.openDraft.mutate({ id });
    phone.session.handleEvent({ kind: "draft.saved", seq, draft: false }, phone.snapshot.topic!);
    expect(phone.snapshot.notice).toBeNull();
  });

  test("is emptied instead of deleted when the server is away", async () => {
    await using setup = await begin();
    const offlineTab = await beginBats(setup.device);
    await offlineTab.storeOnDevice();
    offlineTab.fate = "never";
    await offlineTab.session.discard();
    expect(offlineTab.words).toBe("");
    offlineTab.fate = "well";
    await offlineTab.session.sendAll();
    expect(await draftOf(setup.ana, offlineTab.session.blogId!)).toMatchObject({
      words: "",
      title: "",
    });
  });

  test("is deleted only by its author, and only if it was never saved", async () => {
    await using setup = await begin();
    const ben = await setup.testSite.createAccount("Ben");
    const { id } = setup.blog;
    expect((await refusal(setup.ana.api.blogs.remove.mutate({ id, begun: true }))).code).toBe("CONFLICT");
    const tab = await beginBats(setup.device);
    const input = { id: tab.session.blogId!, begun: true };
    expect((await refusal(ben.api.blogs.remove.mutate(input))).code).toBe("NOT_FOUND");
    await setup.ana.api.blogs.remove.mutate(input);
    expect(await blogsOf(setup.ana)).toEqual(["A walk at night"]);
  });
});

describe("text left by closed tabs", () => {
  /** Opens a tab that stores its text and can send nothing. */
  const leaveText = async (device: Device, words: string, blog: Parameters<Device["tab"]>[0] = null) => {
    const tab = await device.tab(blog);
    tab.fate = "never";
    tab.type(words);
    await tab.storeOnDevice();
    return tab;
  };

  test("of one blog reaches the server once from each of them", async () => {
    await using setup = await begin();
    const tabs = [];
    for (const words of ["One. ", "Two. ", "Three. "])
      tabs.push(await leaveText(setup.device, words, setup.blog));
    for (const tab of tabs) tab.crash();
    const tab = await setup.device.tab(setup.blog);
    await until(() => setup.device.drafts.length === 0);
    tab.session.resync();
    await until(() => ["One. ", "Two. ", "Three. ", "Owls"].every((part) => tab.words.includes(part)));
    const { words } = await draftOf(setup.ana, setup.blog.id);
    expect(words.length).toBe("One. Two. Three. Owls, mostly.".length);
    await until(() => tab.words === words);
  });

  test("of new blogs is sent, each as a blog of its own", async () => {
    await using setup = await begin();
    const tabs = [await leaveText(setup.device, "One."), await leaveText(setup.device, "Two.")];
    for (const tab of tabs) tab.crash();
    const tab = await setup.device.tab();
    expect(tab.words).toBe("Two.");
    await until(async () => (await unfinishedIds(setup.ana)).length === 2);
    await until(() => setup.device.drafts.length === 0);
    const words = await Promise.all(
      (await unfinishedIds(setup.ana)).map(async (id) => (await draftOf(setup.ana, id)).words),
    );
    expect(words.toSorted()).toEqual(["One.", "Two."]);
  });

  test("of a new blog published since goes into that blog's draft, unpublished", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab();
    await tab.session.set({ title: "Owls" });
    await tab.write("Owls.");
    const { blogId } = openDraft(tab);
    tab.fate = "never";
    tab.type("More. ");
    await tab.storeOnDevice();
    tab.crash();
    const { slug } = await setup.ana.api.blogs.publish.mutate({ id: blogId, draft: false });
    const later = await setup.device.tab();
    expect([later.words, later.snapshot.notice]).toEqual(["", null]);
    await until(() => setup.device.drafts.length === 0);
    expect((await draftOf(setup.ana, blogId)).words).toBe("More. Owls.");
    expect((await setup.ana.api.blogs.bySlug.query({ slug })).html).not.toContain("More");
  });

  test("of a blog deleted since becomes one new draft", async () => {
    await using setup = await begin();
    const tab = await leaveText(setup.device, "Mine: ", setup.blog);
    const [stored] = setup.device.drafts;
    tab.crash();
    await setup.ana.api.blogs.remove.mutate({ id: setup.blog.id });
    for (let time = 0; time < 2; time++) {
      // The second time as if the device was killed before it could delete the entry.
      setup.device.stored.set(stored!.client, structuredClone(stored!));
      const other = await setup.device.tab();
      await until(() => other.snapshot.notice?.kind === "kept");
      await until(() => setup.device.drafts.length === 0);
      other.crash();
    }
    const ids = await unfinishedIds(setup.ana);
    expect(ids.length).toBe(1);
    expect(await draftOf(setup.ana, ids[0]!)).toEqual({
      words: "Mine: Owls, mostly.",
      title: "A walk at night",
    });
  });

  test("stays on the device while its tab is open or the server does not answer", async () => {
    await using setup = await begin();
    const openTab = await leaveText(setup.device, "One. ", setup.blog);
    const tab = await setup.device.tab(setup.blog);
    await tab.session.open?.storeNow();
    expect(setup.device.drafts.length).toBe(1);
    openTab.crash();
    tab.fate = "never";
    tab.session.resync();
    await until(() => tab.calls.includes("push"));
    expect(setup.device.drafts.length).toBe(1);
    tab.fate = "well";
    tab.session.resync();
    await until(() => setup.device.drafts.length === 0);
    expect((await draftOf(setup.ana, setup.blog.id)).words).toBe("One. Owls, mostly.");
  });

  test("keeps a cover that was not uploaded until its form is opened", async () => {
    await using setup = await begin();
    const tab = await setup.device.tab(setup.blog);
    tab.fate = "never";
    tab.extras.file = new Blob(["owl"]);
    tab.type("Mine: ");
    await tab.storeOnDevice();
    tab.crash();
    const fresh = await setup.device.tab();
    await until(async () => (await draftOf(setup.ana, setup.blog.id)).words === "Mine: Owls, mostly.");
    await until(() => setup.device.drafts[0]?.at.steps.length === 0);
    await fresh.close();
    const later = await setup.device.tab(setup.blog);
    expect([later.words, openDraft(later).file instanceof Blob]).toEqual(["Mine: Owls, mostly.", true]);
  });

  test("does not block the form when this editor cannot read it", async () => {
    await using setup = await begin();
    const tab = await leaveText(setup.device, "Mine: ", setup.blog);
    tab.crash();
    const [stored] = setup.device.drafts;
    stored!.at.steps = [{ stepType: "replace", from: 1, to: 1, slice: { content: [{ type: "hologram" }] } }];
    const later = await setup.device.tab(setup.blog);
    expect(later.words).toBe("Owls, mostly.");
    expect(setup.device.drafts.length).toBe(1);
  });
});
