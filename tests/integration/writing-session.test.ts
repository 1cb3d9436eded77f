import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { emptyFields } from "../../src/client/blogs/form/values.ts";
import type { Resident } from "../support/browser.ts";
import { Device, Tab } from "../support/writing-device.ts";
import { aBlog, paragraphs, startTown, until, type Town } from "../support/town.ts";

/** Ana's device in a town. */
async function begin() {
  const town = await startTown();
  const ana = await town.resident("Ana");
  const device = new Device(() => ana);
  return { town, ana, device, [Symbol.asyncDispose]: () => town[Symbol.asyncDispose]() };
}

async function published(ana: Resident, change: Record<string, unknown> = {}) {
  const blog = aBlog({ document: paragraphs("Owls, mostly."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  return { id: blog.id, slug, draft: false, version: 1 };
}

const standing = async (ana: Resident, id: string) => {
  const { document, fields } = await ana.api.blogs.openWriting.mutate({ id });
  const texts = [...JSON.stringify(document).matchAll(/"text":"(.*?)"/g)].map(([, text]) => text);
  return { words: texts.join("\n"), title: fields.title, tags: fields.tags };
};
const blogsIn = (town: Town) => town.rows<{ id: string }>("select id from blogs").length;
const begunBy = async (ana: Resident) => (await ana.api.blogs.unfinished.query()).blogs.map(({ id }) => id);
const work = ({ said }: Tab) => {
  if (said.phase.name !== "writing") throw new Error(`The form is ${said.phase.name}.`);
  return said.phase.work;
};

describe("a new blog", () => {
  test("is none while nothing is written in it, also where it was written and taken out again", async () => {
    await using at = await begin();
    const tab = await at.device.tab();
    expect(tab.said).toMatchObject({ notice: null, topic: null, kept: "idle" });
    tab.type("x");
    tab.text.dispatch(tab.text.state().tr.delete(1, 2));
    await tab.close();
    expect(at.device.entries).toEqual([]);
    expect(blogsIn(at.town)).toBe(0);
    // Nor by looking at another one.
    const other = await at.device.tab();
    await other.session.turnTo(null);
    expect(blogsIn(at.town)).toBe(0);
  });

  test("goes to the server by itself, and is kept on this device until it is there", async () => {
    await using at = await begin();
    const tab = await at.device.tab();
    tab.fate = "never";
    tab.session.set({ title: "Owls" });
    tab.type("Mostly.");
    await tab.says("offline");
    await tab.session.keep();
    expect(at.device.entries).toMatchObject([{ isNew: true, at: { fields: {} } }]);
    tab.fate = "well";
    await tab.says("saved");
    await until(() => at.device.entries.length === 0);
    const [id] = await begunBy(at.ana);
    expect(await standing(at.ana, id!)).toMatchObject({ words: "Mostly.", title: "Owls" });
    expect(tab.said.topic).toBe(`writing:${id}`);
  });

  test.each([1_300_000, 2_200_000])(
    "of %i letters is told to be too long, and not to be offline",
    async (letters) => {
      await using at = await begin();
      const tab = await at.device.tab();
      tab.type("o".repeat(letters));
      expect(await tab.session.settle()).toBe(false);
      expect(tab.said.sync).toEqual({ name: "failed", reason: "This text is too long to save." });
      // Nothing of it travelled.
      expect(tab.calls).not.toContain("push");
    },
  );

  test("is there again after a crash, under the same name, and no word of it twice", async () => {
    await using at = await begin();
    for (const fate of ["never", "unanswered"] as const) {
      const tab = await at.device.tab();
      tab.fate = fate;
      tab.session.set({ title: fate });
      tab.type("Mostly.");
      await tab.says("offline");
      await tab.keep();
      const { blogId } = work(tab);
      tab.crash();
      const later = await at.device.tab();
      expect(work(later).blogId).toBe(blogId);
      expect(later.said).toMatchObject({
        notice: { kind: "restored", isNew: true, lost: [] },
        fields: { title: fate },
      });
      expect(later.words).toBe("Mostly.");
      await later.says("saved");
      expect(await standing(at.ana, blogId)).toMatchObject({ words: "Mostly.", title: fate });
      await later.session.turnTo(null);
      await at.ana.api.blogs.publishWriting.mutate({ id: blogId, draft: true });
      later.crash();
    }
    expect(blogsIn(at.town)).toBe(2);
  });

  test("that was begun elsewhere is gone on with, the newest first; another can be opened, or begun", async () => {
    await using at = await begin();
    const ids: string[] = [];
    for (const words of ["Owls.", "Bats."]) {
      const phone = await new Device(() => at.ana).tab();
      if (ids.length > 0) await phone.session.turnTo(null);
      await phone.write(words);
      ids.push(work(phone).blogId);
    }
    const tab = await at.device.tab();
    expect([work(tab).blogId, tab.words]).toEqual([ids[1], "Bats."]);
    expect(tab.said).toMatchObject({
      notice: { kind: "restored", isNew: true },
      others: [{ id: ids[0] }],
    });
    await tab.session.turnTo(ids[0]!);
    await until(() => tab.words === "Owls.");
    await until(() => tab.said.others[0]?.id === ids[1]);
    expect(tab.said).toMatchObject({ notice: null, topic: `writing:${ids[0]}` });
    await tab.session.turnTo(null);
    await until(() => tab.words === "");
    await until(() => tab.said.others.length === 2);
    expect(blogsIn(at.town)).toBe(2);
  });

  test("that another tab of this browser has open stays there, whatever that tab went on with", async () => {
    await using at = await begin();
    const first = await at.device.tab();
    await first.write("Owls.");
    const second = await at.device.tab();
    expect(work(second).blogId).not.toBe(work(first).blogId);
    expect([second.words, second.said.notice]).toEqual(["", null]);
    await second.write("Bats.");
    // It holds what it turned to.
    await first.session.turnTo(null);
    await first.write("Moths.");
    const third = await at.device.tab();
    expect(third.words).toBe("Owls.");
    expect(await at.device.tab()).toMatchObject({ words: "" });
  });

  test("of somebody else on the same device is not shown, nor sent in their name", async () => {
    await using at = await begin();
    const ben = await at.town.resident("Ben");
    let signedIn = at.ana;
    const device = new Device(() => signedIn);
    const tab = await device.tab();
    tab.fate = "never";
    tab.type("Ana’s.");
    await tab.says("offline");
    await tab.keep();
    // The form is told last that somebody else has signed in.
    signedIn = ben;
    tab.fate = "well";
    await tab.session.settle();
    await tab.says("signed-out");
    await tab.close();
    expect(blogsIn(at.town)).toBe(0);
    const his = await device.tab();
    expect([his.words, his.said.notice]).toEqual(["", null]);
    await his.close();
    expect(device.entries.length).toBe(1);
    signedIn = at.ana;
    const hers = await device.tab();
    await hers.says("saved");
    expect(hers.words).toBe("Ana’s.");
    expect(await begunBy(at.ana)).toEqual([work(hers).blogId]);
    // Nor where the session is over, as nobody.
    hers.session.signedIn(false);
    hers.type("More. ");
    await hers.says("signed-out");
    hers.session.signedIn(true);
    await hers.says("saved");
  });

  test("holds what was typed before it was ready, and nothing else", async () => {
    await using at = await begin();
    const phone = await new Device(() => at.ana).tab();
    await phone.write("Begun before.");
    const tab = await at.device.tab(null, at.ana.me.id, { title: "Typed early" });
    expect([tab.said.fields.title, tab.words]).toEqual(["Typed early", ""]);
    await tab.session.settle();
    expect(await standing(at.ana, work(tab).blogId)).toMatchObject({ title: "Typed early" });
  });

  test("that is saved is forgotten here", async () => {
    await using at = await begin();
    const tab = await at.device.tab();
    tab.held.pictures = ["owl.png"];
    await tab.write("Owls.");
    await tab.keep();
    expect(at.device.entries.length).toBe(1);
    await tab.session.saved();
    expect(at.device.entries.length).toBe(0);
  });

  test("that nobody may begin today says why, and is kept", async () => {
    await using town = await startTown({ RATE_LIMIT: "on" });
    const ana = await town.resident("Ana");
    await town.write((tx) => tx.drizzle.run("update users set is_admin = 0") as never);
    const device = new Device(() => ana);
    const tab = await device.tab();
    tab.before.begin = () =>
      Promise.reject(
        Object.assign(new Error("You’ve reached today’s limit of 20 new blogs."), {
          data: { code: "TOO_MANY_REQUESTS", retryAfter: 40_000 },
        }),
      );
    await tab.write("Owls.");
    expect(tab.said.sync).toEqual({
      name: "failed",
      reason: "You’ve reached today’s limit of 20 new blogs.",
    });
    await tab.keep();
    expect(device.entries.length).toBe(1);
    // A limit that passes at once is waited out.
    tab.before.begin = () =>
      Promise.reject(
        Object.assign(new Error("Slowly."), { data: { code: "TOO_MANY_REQUESTS", retryAfter: 2 } }),
      );
    await tab.session.settle();
    expect(tab.said.sync.name).toBe("busy");
    tab.before = {};
    await tab.says("saved");
  });
});

describe("what is written", () => {
  test("is told to be here alone where the device does not keep it", async () => {
    await using at = await begin();
    at.device.isFull = true;
    const tab = await at.device.tab();
    tab.fate = "never";
    tab.type("Owls.");
    await tab.keep();
    expect(tab.said.kept).toBe("failed");
    tab.fate = "well";
    await tab.session.settle();
    await tab.session.keep();
    // Nothing is left to be kept.
    expect(tab.said).toMatchObject({ sync: { name: "saved" }, kept: "idle" });
  });

  test("while the network is away goes when it is back, beside what was written elsewhere", async () => {
    await using at = await begin();
    const blog = await published(at.ana);
    const [one, two] = [await at.device.tab(blog), await new Device(() => at.ana).tab(blog)];
    one.fate = two.fate = "never";
    one.type("Here: ");
    two.type(" And bats.", 14);
    await Promise.all([one.says("offline"), two.says("offline")]);
    one.fate = two.fate = "well";
    one.session.lookAgain();
    two.session.lookAgain();
    await Promise.all([one.says("saved"), two.says("saved")]);
    one.session.lookAgain();
    await until(() => one.words === "Here: Owls, mostly. And bats.");
    await until(() => one.words === two.words);
    expect((await standing(at.ana, blog.id)).words).toBe(one.words);
  });

  test("is sent less and less often where nobody answers, and does not say each time that it is", async () => {
    await using at = await begin();
    const tab = await at.device.tab(await published(at.ana));
    tab.fate = "never";
    const said: string[] = [];
    tab.session.store.subscribe(() => said.push(tab.said.sync.name));
    tab.type("Owls.");
    await until(() => tab.calls.filter((name) => name === "push").length >= 4);
    expect(new Set(said.slice(said.indexOf("offline")))).toEqual(new Set(["offline"]));
  });

  test("is published at once, though something of it is still on its way", async () => {
    await using at = await begin();
    const tab = await at.device.tab(await published(at.ana));
    let arrive!: () => void;
    tab.before.push = () => new Promise<void>((resolve) => (arrive = resolve));
    tab.type("One. ");
    await until(() => tab.calls.includes("push"));
    tab.type("Two. ");
    const settled = tab.session.settle();
    tab.before = {};
    arrive();
    expect(await settled).toBe(true);
    expect((await standing(at.ana, work(tab).blogId)).words).toBe("Two. One. Owls, mostly.");
  });

  test("and whose answer is lost is confirmed by what the stream tells", async () => {
    await using at = await begin();
    const tab = await at.device.tab(await published(at.ana));
    tab.fate = "unanswered";
    tab.type("Here: ");
    await tab.says("offline");
    const { id } = { id: work(tab).blogId };
    const { epoch } = await at.ana.api.blogs.openWriting.mutate({ id });
    const { commits } = await at.ana.api.blogs.commitsSince.query({ id, epoch, seq: work(tab).at.seq });
    tab.fate = "never";
    tab.session.hear({ kind: "writing.committed", seq: commits!.at(-1)!.seq, commits }, `writing:${id}`);
    await tab.says("saved");
  });

  test("in a tag that is none yet, a cover and pictures on their way are kept, though the server has the rest", async () => {
    await using at = await begin();
    const blog = await published(at.ana);
    const tab = await at.device.tab(blog);
    await tab.write("Here: ");
    const file = new Blob(["owl"]);
    tab.held = { file, pictures: ["owl.png"], tags: ["night", "half"] };
    await tab.keep();
    tab.crash();
    const later = await at.device.tab(blog);
    expect(later.said).toMatchObject({
      notice: { kind: "restored", lost: ["owl.png"], isNew: false },
      fields: { tags: ["night", "half"] },
    });
    expect(work(later).file).not.toBe(null);
    // Said once: what did not arrive is nothing to be kept.
    await later.session.settle();
    await later.session.keep();
    expect(at.device.entries).toEqual([]);
  });

  test("by a page of an older release is kept, and it says so", async () => {
    await using at = await begin();
    const blog = await published(at.ana);
    const tab = await at.device.tab(blog);
    tab.before.push = () =>
      Promise.reject(Object.assign(new Error("Old."), { data: { code: "CONFLICT", field: "schema" } }));
    tab.type("Here: ");
    await until(() => tab.said.notice?.kind === "old");
    await tab.keep();
    tab.crash();
    const later = await at.device.tab(blog);
    await later.says("saved");
    expect(later.words).toBe("Here: Owls, mostly.");
  });

  test("where nobody may write any more is kept, and sent once they may", async () => {
    await using at = await begin();
    const blog = await published(at.ana);
    const tab = await at.device.tab(blog);
    tab.before.push = () => Promise.reject(Object.assign(new Error("No."), { data: { code: "FORBIDDEN" } }));
    tab.type("Here: ");
    await until(() => tab.said.notice?.kind === "ended");
    tab.before = {};
    tab.session.hear({ kind: "accessRestored" }, `writing:${blog.id}`);
    await tab.says("saved");
    expect((await standing(at.ana, blog.id)).words).toBe("Here: Owls, mostly.");
  });
});

describe("somebody else's blog", () => {
  /** Ana's blog, which Ben writes with her, and a tab of his. */
  async function shared(at: Awaited<ReturnType<typeof begin>>, draft: boolean) {
    const ben = await at.town.resident("Ben");
    const blog = { ...(await published(at.ana, { draft })), draft, mine: false };
    const { id } = blog;
    await at.ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
    await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
    const device = new Device(() => ben);
    const remove = () => at.ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
    return { ben, id, device, blog, tab: await device.tab(blog), remove };
  }

  for (const draft of [true, false])
    test(`${draft ? "a draft" : "one that is published"}: whoever is removed in mid-sentence has the words that did not arrive, and a draft of them alone`, async () => {
      await using at = await begin();
      const { ben, id, device, tab, remove } = await shared(at, draft);
      await tab.write("Here: ");
      expect(tab.said.removed).toBe(null);
      tab.fate = "never";
      const { doc, tr } = tab.text.state();
      tab.text.dispatch(tr.split(doc.content.size - 1).insertText("Half a senten", doc.content.size + 1));
      await tab.says("offline");
      await remove();
      tab.fate = "well";
      tab.session.hear({ kind: "accessLost" }, `writing:${id}`);
      await until(() => tab.said.removed !== null);
      expect(tab.said).toMatchObject({ notice: null, removed: { words: "Half a senten" } });
      expect((await standing(at.ana, id)).words).toBe("Here: Owls, mostly.");
      await tab.close();
      expect(device.entries).toMatchObject([{ blogId: id, isShared: true }]);

      const other = await device.tab();
      await until(() => other.said.others.length === 1);
      expect(await standing(ben, other.said.others[0]!.id)).toMatchObject({ words: "Half a senten" });
      expect(device.entries).toEqual([]);
      expect((await standing(at.ana, id)).words).toBe("Here: Owls, mostly.");
    });

  test("tells of the removal also what was on its way then, and has no answer, and what had been asked before", async () => {
    await using at = await begin();
    const { id, tab, remove } = await shared(at, false);
    const [sent, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    tab.before.push = () => sent.promise;
    tab.type("Here: ");
    const isSent = tab.session.settle();
    await until(() => tab.calls.includes("push"));
    // Its answer is known before the removal, and comes after it was told.
    tab.after.since = () => asked.promise;
    tab.session.lookAgain();
    await until(() => tab.answered.includes("since"));
    await remove();
    delete tab.after.since;
    tab.session.hear({ kind: "accessLost" }, `writing:${id}`);
    asked.resolve();
    await until(() => tab.said.removed !== null);
    sent.reject(new TRPCClientError("fetch failed"));
    expect(await isSent).toBe(false);
    expect(tab.said).toMatchObject({ sync: { name: "ended" }, removed: { words: "Here: Owls, mostly." } });
  });

  test("is written in again by whoever is asked back", async () => {
    await using at = await begin();
    const { ben, id, tab, remove } = await shared(at, true);
    await remove();
    tab.type("Here: ");
    await until(() => tab.said.removed !== null);
    await at.ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
    await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
    tab.session.hear({ kind: "accessRestored" }, `writing:${id}`);
    await tab.says("saved");
    expect(tab.said.removed).toBe(null);
    expect((await standing(at.ana, id)).words).toBe("Here: Owls, mostly.");
  });

  test("is deleted under the hands of a co-author as of its author: nothing of hers becomes his", async () => {
    await using at = await begin();
    const { ben, id, device, tab } = await shared(at, true);
    await at.ana.api.blogs.remove.mutate({ id });
    tab.type("Mine. ");
    await until(() => tab.said.removed !== null);
    expect(tab.said.removed?.words).toBe("Mine. Owls, mostly.");
    await tab.session.gone();
    expect(work(tab).blogId).toBe(id);
    await tab.close();
    expect(device.entries).toHaveLength(1);
    expect(await begunBy(ben)).toEqual([]);
  });
});

describe("the form", () => {
  test("that could not begin begins with the same when it is tried again", async () => {
    await using at = await begin();
    const phone = await new Device(() => at.ana).tab();
    await phone.write("Owls.");
    const tab = new Tab(at.device, at.ana.me.id, null);
    tab.before.open = () => Promise.reject(new TRPCClientError("fetch failed"));
    await tab.start();
    expect(tab.said.phase).toEqual({ name: "broken" });
    tab.before = {};
    await tab.start();
    expect([tab.words, work(tab).blogId]).toEqual(["Owls.", work(phone).blogId]);
  });

  test("is started once where it is started, stopped and started again", async () => {
    await using at = await begin();
    const phone = await new Device(() => at.ana).tab();
    await phone.write("Owls.");
    const tab = new Tab(at.device, at.ana.me.id, null);
    const first = tab.start();
    tab.session.stop();
    await Promise.all([first, tab.start()]);
    expect([tab.words, work(tab).blogId]).toEqual(["Owls.", work(phone).blogId]);
  });

  test("that is left while something is on its way lets go of it when it is there", async () => {
    await using at = await begin();
    const tab = await at.device.tab();
    tab.type("Owls.");
    tab.session.stop();
    const later = await at.device.tab();
    expect(later.words).toBe("Owls.");
    await later.says("saved");
    expect((await begunBy(at.ana)).length).toBe(1);
    expect((await standing(at.ana, work(later).blogId)).words).toBe("Owls.");
  });

  test("that is left without an answer to it leaves it to the next, and does nothing more itself", async () => {
    await using at = await begin();
    const tab = await at.device.tab();
    tab.before.begin = () => new Promise(() => undefined);
    tab.type("Owls.");
    await tab.close();
    const later = await at.device.tab();
    expect(later.words).toBe("Owls.");
    await later.says("saved");
    expect(tab.calls.filter((name) => name === "begin").length).toBe(1);
  });

  test("goes on where it was when its editor is put up again", async () => {
    await using at = await begin();
    const blog = await published(at.ana);
    const tab = await at.device.tab(blog);
    const { text } = tab;
    await tab.write("Here: ");
    tab.type("And ");
    // As where the field is drawn anew: with the text that it was given.
    tab.session.attach(text);
    await until(() => tab.text !== text);
    expect(tab.words).toBe("And Here: Owls, mostly.");
    await tab.session.settle();
    expect((await standing(at.ana, blog.id)).words).toBe("And Here: Owls, mostly.");
  });
});

describe("what came without an editor", () => {
  const wait = (device: Device, blogId: string, title: string, base: number | null = null) =>
    device.waiting.set(blogId, {
      account: device.signedIn.me.id,
      blogId,
      base,
      fields: { ...emptyFields(), title, draft: true, document: paragraphs("Shared.") },
    });

  test("is a new blog, beside what was begun before, once", async () => {
    await using at = await begin();
    const phone = await new Device(() => at.ana).tab();
    await phone.write("Begun before.");
    const id = newId();
    wait(at.device, id, "Shared");
    const tab = await at.device.tab();
    await until(() => tab.words === "Shared.");
    expect(tab.said).toMatchObject({
      notice: { kind: "restored", isNew: true },
      fields: { title: "Shared", draft: true },
    });
    await until(() => at.device.waiting.size === 0);
    expect(await standing(at.ana, id)).toMatchObject({ words: "Shared.", title: "Shared" });
    tab.crash();
    // It was killed before it could be taken away.
    wait(at.device, id, "Shared");
    const later = await at.device.tab();
    await until(() => at.device.waiting.size === 0);
    expect(later.words).toBe("Shared.");
    expect((await begunBy(at.ana)).length).toBe(2);
  });

  test("stays where neither the server nor this device has it otherwise", async () => {
    await using at = await begin();
    wait(at.device, newId(), "Shared");
    at.device.isFull = true;
    const tab = await at.device.tab();
    tab.fate = "never";
    await until(() => tab.said.kept === "failed");
    tab.crash();
    expect(at.device.waiting.size).toBe(1);
  });

  test("of an older release is put over the version that it was written on", async () => {
    await using at = await begin();
    const blog = await published(at.ana);
    wait(at.device, blog.id, "Mine", 1);
    const tab = await at.device.tab(blog);
    await until(() => at.device.waiting.size === 0);
    expect(await standing(at.ana, blog.id)).toMatchObject({ title: "Mine", words: "Shared." });
    expect(tab.said.isChanged).toBe(true);
  });

  test("of an older release, and of a version that nobody sees any more, is compared with what stands", async () => {
    await using at = await begin();
    const blog = await published(at.ana);
    const phone = await new Device(() => at.ana).tab(blog);
    await phone.write("Meanwhile: ");
    wait(at.device, blog.id, "Mine", 1);
    const tab = await at.device.tab(blog);
    await until(() => tab.said.newer !== null);
    expect(tab.session.all()).toMatchObject({ title: "Mine" });
    expect(JSON.stringify(tab.said.newer!.document)).toContain("Meanwhile: Owls, mostly.");
    expect(await standing(at.ana, blog.id)).toMatchObject({ words: "Meanwhile: Owls, mostly." });
  });
});
