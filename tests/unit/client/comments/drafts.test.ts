import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DraftPlace } from "../../../../src/client/comments/drafts.ts";

/* Each tab is a copy of the module, over one local storage. */

const place: DraftPlace = { viewerId: "ana", blogId: "owls", at: "new" };

/** Its keys are its own properties, as in browsers. */
const aStorage = (): Record<string, string> =>
  Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  }) as Record<string, string>;

type Drafts = typeof import("../../../../src/client/comments/drafts.ts");

class Tab {
  readonly session: Record<string, string>;
  #page = new EventTarget();
  #drafts: Drafts | undefined;

  constructor(session = aStorage()) {
    this.session = session;
  }

  /** Loads a page, whose code starts from nothing. */
  async load(): Promise<this> {
    this.#page = new EventTarget();
    vi.resetModules();
    this.#drafts = await import("../../../../src/client/comments/drafts.ts");
    return this;
  }

  reload(): Promise<this> {
    this.#enter();
    this.#page.dispatchEvent(new Event("pagehide"));
    return this.load();
  }

  duplicate(): Promise<Tab> {
    return new Tab(Object.assign(aStorage(), this.session)).load();
  }

  run<T>(action: (drafts: Drafts) => T): T {
    this.#enter();
    return action(this.#drafts!);
  }

  /** Tells the page what another tab removed. */
  noticeRemoved(key: string): void {
    this.#enter();
    this.#page.dispatchEvent(Object.assign(new Event("storage"), { key, newValue: null }));
  }

  #enter(): void {
    vi.stubGlobal("sessionStorage", this.session);
    vi.stubGlobal("addEventListener", this.#page.addEventListener.bind(this.#page));
  }
}

const storedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith("reprise:draft:"));

beforeEach(() => void vi.stubGlobal("localStorage", aStorage()));
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["again while its field is open", true],
  ["no more once its field is gone", false],
])("stores a text that another tab took over %s", async (_title, isOpen) => {
  const [one, other] = [await new Tab().load(), await new Tab().load()];
  one.run(({ storeDraft }) => storeDraft(place, "So it is."));
  const [key] = storedKeys();
  if (!isOpen) one.run(({ leaveDraft }) => leaveDraft(place));
  other.run(({ readDraft, storeDraft }) => {
    expect(readDraft(place)).toBe("So it is.");
    storeDraft(place, "");
  });
  one.noticeRemoved(key!);
  expect(storedKeys()).toEqual(isOpen ? [key] : []);
  expect(one.run(({ readDraft }) => readDraft(place))).toBe(isOpen ? "So it is." : "");
});

test("stores no text again that was put back without a field", async () => {
  const [one, other] = [await new Tab().load(), await new Tab().load()];
  one.run(({ restoreDraftText }) => restoreDraftText(place, "So it is."));
  const [key] = storedKeys();
  other.run(({ readDraft, storeDraft }) => {
    readDraft(place);
    storeDraft(place, "");
  });
  one.noticeRemoved(key!);
  expect(storedKeys()).toEqual([]);
});

test("shows no copy of another tab's text in a field opened again after that was sent", async () => {
  const [one, other] = [await new Tab().load(), await new Tab().load()];
  one.run(({ storeDraft }) => storeDraft(place, "So it is."));
  other.run(({ readDraft, leaveDraft }) => {
    expect(readDraft(place)).toBe("So it is.");
    leaveDraft(place);
  });
  one.run(({ storeDraft }) => storeDraft(place, ""));
  expect(other.run(({ readDraft }) => readDraft(place))).toBe("");
});

test("keeps a tab's own text over a reload, apart from that of its duplicate", async () => {
  const tab = await new Tab().load();
  tab.run(({ storeDraft }) => storeDraft(place, "In the first"));
  (await tab.reload()).run(({ readDraft }) => expect(readDraft(place)).toBe("In the first"));
  const duplicate = await tab.duplicate();
  duplicate.run(({ readDraft }) => readDraft(place));
  tab.run(({ storeDraft }) => storeDraft(place, "In the first, longer"));
  duplicate.run(({ storeDraft }) => storeDraft(place, "In the second"));
  expect(storedKeys()).toHaveLength(2);
  for (const [one, text] of [
    [tab, "In the first, longer"],
    [duplicate, "In the second"],
  ] as const)
    expect((await one.reload()).run(({ readDraft }) => readDraft(place))).toBe(text);
});
