import { describe, expect, test } from "vitest";
import { FormSession } from "../../../src/client/blogs/form/form-session.ts";
import type { Entry, Work } from "../../../src/client/blogs/form/work.ts";
import { emptyFields, fieldsOf } from "../../../src/client/blogs/form/values.ts";
import type { BlogFields } from "../../../src/client/blogs/form/values.ts";
import type { EditableBlog } from "../../../src/shared/blogs.ts";

const blog: EditableBlog = {
  ...emptyFields(),
  id: "blog-1",
  slug: "one",
  version: 1,
  title: "One",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const entry = (change: Partial<Entry> & { title?: string } = {}): Entry => {
  const { title = "Unsaved", ...rest } = change;
  return {
    account: "ana",
    blogId: "new-1",
    base: null,
    fields: { ...emptyFields(), title },
    cover: null,
    changedAt: 1,
    ...rest,
  };
};

/** One device: what it keeps, and which tab writes what. */
class Device {
  readonly kept = new Map<string, Entry>();
  readonly holders = new Map<string, () => void>();
  full = false;

  constructor(...entries: Entry[]) {
    for (const one of entries) this.kept.set(one.blogId, one);
  }

  /** A tab with the form open, and what stands in it. */
  async tab(of: EditableBlog | null = null, steal = false) {
    const session = new FormSession("ana", of, {
      editor: async () => (document) => document as BlogFields["document"],
      claim: async (blogId, onLost, take = false) => {
        const holder = this.holders.get(blogId);
        if (holder && !take) return null;
        holder?.();
        this.holders.set(blogId, onLost);
        return () => void (this.holders.get(blogId) === onLost && this.holders.delete(blogId));
      },
      store: {
        get: async (_account, blogId) => this.kept.get(blogId),
        all: async (account) =>
          [...this.kept.values()]
            .filter((one) => one.account === account)
            .toSorted((a, b) => b.changedAt - a.changedAt),
        put: async (one) => {
          if (this.full) throw new Error("full");
          this.kept.set(one.blogId, structuredClone(one));
        },
        remove: async (_account, blogId) => void this.kept.delete(blogId),
      },
    });
    const tab = {
      session,
      held: { fields: emptyFields(), cover: null as Blob | null },
      get work(): Work {
        const { phase } = session.snapshot();
        if (phase.name !== "writing") throw new Error(`The form is ${phase.name}.`);
        return phase.work;
      },
      /** What the form does with the work it is given. */
      show() {
        tab.held = { fields: tab.work.fields, cover: tab.work.cover };
      },
      async type(title: string) {
        tab.held = { ...tab.held, fields: { ...tab.held.fields, title } };
        session.changed();
        await session.keep();
      },
    };
    await session.start(() => tab.held, steal);
    if (session.snapshot().phase.name === "writing") tab.show();
    return tab;
  }
}

describe("a new blog", () => {
  test("begins empty, with an id of its own that stays", async () => {
    const device = new Device();
    const tab = await device.tab();
    expect(tab.session.snapshot().notice).toBe(null);
    await tab.type("One");
    await tab.type("One two");
    expect([...device.kept.values()]).toMatchObject([
      { blogId: tab.work.blogId, base: null, fields: { title: "One two" } },
    ]);
    expect(tab.session.snapshot().kept).toBe("saved");
  });

  test("is there again after a crash, under the same id", async () => {
    const tab = await new Device(entry()).tab();
    expect(tab.work).toMatchObject({ blogId: "new-1", fields: { title: "Unsaved" } });
    expect(tab.session.snapshot()).toMatchObject({
      notice: { kind: "restored" },
      kept: "saved",
    });
  });

  test("tells which pictures had not arrived when its tab was closed", async () => {
    const tab = await new Device({ ...entry(), pictures: ["owl.png"] }).tab();
    expect(tab.session.snapshot().notice).toEqual({ kind: "restored", lost: ["owl.png"] });
  });

  test("of somebody else on the same device is not shown", async () => {
    const tab = await new Device(entry({ account: "ben" })).tab();
    expect(tab.work.fields.title).toBe("");
  });

  test("is forgotten once the server has it", async () => {
    const device = new Device();
    const tab = await device.tab();
    await tab.type("One");
    await tab.session.saved();
    tab.session.stop();
    expect(device.kept.size).toBe(0);
  });

  test("leaves nothing behind when everything was deleted again", async () => {
    const device = new Device();
    const tab = await device.tab();
    await tab.type("One");
    await tab.type("");
    expect(device.kept.size).toBe(0);
  });

  test("says that the device does not keep it", async () => {
    const device = new Device();
    device.full = true;
    const tab = await device.tab();
    await tab.type("One");
    expect(tab.session.snapshot().kept).toBe("failed");
  });
});

describe("what was restored", () => {
  test("can be discarded, and taken back", async () => {
    const device = new Device(entry());
    const tab = await device.tab();
    await tab.session.discard();
    expect(tab.work.fields.title).toBe("");
    expect(tab.work.blogId).not.toBe("new-1");
    expect(device.kept.size).toBe(0);
    const { notice } = tab.session.snapshot();
    await tab.session.undo((notice as { aside: Work }).aside);
    expect(tab.work).toMatchObject({ blogId: "new-1", fields: { title: "Unsaved" } });
    expect(device.kept.get("new-1")).toMatchObject({ fields: { title: "Unsaved" } });
  });

  test("leaves the others to be opened or deleted", async () => {
    const device = new Device(
      entry({ blogId: "a", changedAt: 3 }),
      entry({ blogId: "b", changedAt: 2 }),
      entry({ blogId: "c", changedAt: 1 }),
    );
    const tab = await device.tab();
    expect(tab.work.blogId).toBe("a");
    const [b, c] = tab.session.snapshot().others;
    await tab.session.dropOther(c!);
    expect([...device.kept.keys()]).toEqual(["a", "b"]);
    await tab.session.takeUp(b!);
    expect(tab.work.blogId).toBe("b");
    expect(tab.session.snapshot().others.map((other) => other.blogId)).toEqual(["a"]);
    expect([...device.kept.keys()]).toEqual(["a", "b"]);
  });
});

describe("a blog that is there", () => {
  test("begins as the server has it", async () => {
    const tab = await new Device(entry()).tab(blog);
    expect(tab.work).toMatchObject({ blogId: "blog-1", base: blog.version, fields: { title: "One" } });
    expect(tab.session.snapshot().notice).toBe(null);
  });

  test("shows what was not saved of it, and tells where the server has gone on since", async () => {
    const changes = { blogId: "blog-1", title: "One and a half" };
    const current = await new Device(entry({ ...changes, base: 1 })).tab(blog);
    expect(current.work.fields.title).toBe("One and a half");
    expect(current.session.snapshot()).toMatchObject({ notice: { kind: "restored" }, newer: null });
    // The last is of a release that knew no versions.
    for (const base of [0, 7, blog.updatedAt]) {
      const outdated = await new Device(entry({ ...changes, base })).tab(blog);
      expect(outdated.session.snapshot()).toMatchObject({ notice: { kind: "restored" }, newer: blog });
    }
  });

  test("does not restore what says the same", async () => {
    const tab = await new Device(entry({ blogId: "blog-1", base: blog.version, fields: fieldsOf(blog) })).tab(
      blog,
    );
    expect(tab.session.snapshot().notice).toBe(null);
  });

  test("is written in one tab at a time; what was typed there comes along", async () => {
    const device = new Device();
    const first = await device.tab(blog);
    await first.type("One, longer");
    const second = await device.tab(blog);
    expect(second.session.snapshot().phase).toEqual({ name: "elsewhere" });
    const taken = await device.tab(blog, true);
    expect(taken.work.fields.title).toBe("One, longer");
    expect(first.session.snapshot().phase).toEqual({ name: "elsewhere" });
  });
});

describe("a blog that is changed elsewhere", () => {
  const newer: EditableBlog = { ...blog, version: 2, title: "Two" };

  test("is shown as it is now where nothing was typed", async () => {
    const tab = await new Device().tab(blog);
    expect(await tab.session.stands(newer)).toBe("taken");
    expect(tab.work).toMatchObject({ base: 2, fields: { title: "Two" } });
    expect(tab.session.snapshot().newer).toBeNull();
  });

  test("is told of where something was, and what was typed stays", async () => {
    const device = new Device();
    const tab = await device.tab(blog);
    await tab.type("Mine");
    expect(await tab.session.stands(newer)).toBe("apart");
    expect(tab.session.snapshot()).toMatchObject({ newer, phase: { key: 1 } });
    expect(tab.session.began?.title).toBe("One");
    expect(device.kept.get("blog-1")).toMatchObject({ base: 1, fields: { title: "Mine" } });
    // The tab closes: what was typed is there again, and is told of again.
    tab.session.stop();
    const later = await device.tab(newer);
    expect(later.work.fields.title).toBe("Mine");
    expect(later.session.snapshot()).toMatchObject({ newer, notice: { kind: "restored" } });
  });

  test("is no news where it is one's own save, whose answer was lost, whatever was typed since", async () => {
    const device = new Device();
    const tab = await device.tab(blog);
    await tab.type(" Mine ");
    tab.session.sends(tab.held.fields);
    await tab.type("Mine, longer");
    expect(await tab.session.stands({ ...newer, title: "Mine" })).toBe("same");
    expect([tab.session.base, tab.session.snapshot().newer]).toEqual([2, null]);
    await tab.session.keep();
    expect(device.kept.get("blog-1")).toMatchObject({ base: 2, fields: { title: "Mine, longer" } });
    expect(await tab.session.stands({ ...newer, version: 3 })).toBe("apart");
  });

  test("is no news where both say the same, or where it is older than what is known", async () => {
    const tab = await new Device().tab(blog);
    await tab.type("Two");
    expect(await tab.session.stands(newer)).toBe("same");
    expect(tab.session.base).toBe(2);
    await tab.type("Three");
    expect(await tab.session.stands(blog)).toBe("same");
  });

  test("goes on with what was chosen of both, again and again, and nothing of it is lost", async () => {
    const device = new Device();
    const tab = await device.tab(blog);
    await tab.type("Mine");
    await tab.session.stands(newer);
    await tab.session.settle(newer, { ...tab.held.fields, title: "Two and mine" }, null);
    tab.show();
    expect(tab.work).toMatchObject({ base: 2, fields: { title: "Two and mine" } });
    expect(device.kept.get("blog-1")).toMatchObject({ base: 2, fields: { title: "Two and mine" } });
    const { notice } = tab.session.snapshot();
    expect(notice).toMatchObject({ kind: "settled", aside: { base: 1, fields: { title: "Mine" } } });
    expect(await tab.session.stands({ ...newer, version: 3, title: "Three" })).toBe("apart");
    expect(tab.held.fields.title).toBe("Two and mine");
    await tab.session.undo((notice as { aside: Work }).aside);
    expect(tab.work).toMatchObject({ base: 1, fields: { title: "Mine" } });
    expect(device.kept.get("blog-1")).toMatchObject({ fields: { title: "Mine" } });
  });

  test("leaves nothing to keep where theirs was taken whole, but for Undo", async () => {
    const device = new Device();
    const tab = await device.tab(blog);
    await tab.type("Mine");
    await tab.session.settle(newer, { ...tab.held.fields, title: "Two" }, null);
    expect(device.kept.size).toBe(0);
    expect(tab.session.snapshot().notice).toMatchObject({ aside: { fields: { title: "Mine" } } });
  });

  test("and of which Discard leaves what stands now", async () => {
    const tab = await new Device(entry({ blogId: "blog-1", base: 0 })).tab(newer);
    await tab.session.discard();
    expect(tab.work).toMatchObject({ base: 2, fields: { title: "Two" } });
    expect(tab.session.snapshot().newer).toBeNull();
  });

  test("of a new one whose first save was lost is told of, too", async () => {
    const device = new Device();
    const tab = await device.tab();
    await tab.type("Mine");
    const made = { ...newer, id: tab.work.blogId };
    expect(await tab.session.stands(made)).toBe("apart");
    await tab.session.settle(made, { ...tab.held.fields, title: "Both" }, null);
    expect(tab.session.base).toBe(2);
  });
});

test("of a blog that is deleted elsewhere what was typed is a new draft, here and after the tab is closed", async () => {
  const device = new Device();
  const tab = await device.tab(blog);
  await tab.type("Mine");
  await tab.session.gone();
  const { blogId } = tab.work;
  expect(tab.work).toMatchObject({ base: null, fields: { title: "Mine", draft: true } });
  expect(blogId).not.toBe("blog-1");
  expect(tab.session.snapshot().notice).toEqual({ kind: "deleted" });
  expect([...device.kept.keys()]).toEqual([blogId]);
  tab.session.stop();
  expect((await device.tab()).work).toMatchObject({ blogId, fields: { title: "Mine" } });
});

test("a second tab for a new blog begins another one", async () => {
  const device = new Device();
  const first = await device.tab();
  await first.type("One");
  const second = await device.tab();
  expect(second.work.fields.title).toBe("");
  await second.type("Two");
  expect([...device.kept.values()].map((one) => one.fields.title).toSorted()).toEqual(["One", "Two"]);
});
