import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Journal } from "../../../src/client/editor/journal/journal.ts";
import type { JournalEntry, JournalState, JournalStore } from "../../../src/client/editor/journal/journal.ts";

/** A store in memory that can be slow and can fail. */
class Shelf implements JournalStore<string> {
  entries = new Map<string, JournalEntry<string>>();
  writes: string[] = [];
  delay = 0;
  broken = false;

  async get(account: string, blogId: string) {
    return this.entries.get(`${account}/${blogId}`);
  }
  async all(account: string) {
    return [...this.entries.values()].filter((entry) => entry.account === account);
  }
  async put(entry: JournalEntry<string>) {
    if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
    if (this.broken) throw new Error("full");
    this.writes.push(entry.fields);
    this.entries.set(`${entry.account}/${entry.blogId}`, entry);
  }
  async remove(account: string, blogId: string) {
    this.entries.delete(`${account}/${blogId}`);
  }
}

const entry = (fields: string): JournalEntry<string> => ({
  account: "ana",
  blogId: "one",
  base: null,
  fields,
  cover: null,
  changedAt: Date.now(),
});

describe("the journal", () => {
  let shelf: Shelf;
  let states: JournalState[];
  let journal: Journal<string>;
  beforeEach(() => {
    vi.useFakeTimers();
    shelf = new Shelf();
    states = [];
    journal = new Journal(shelf, { account: "ana", blogId: "one" }, (state) => states.push(state));
  });
  afterEach(() => vi.useRealTimers());

  test("writes what the form holds when it writes, once for a burst", async () => {
    let text = "a";
    journal.changed(() => entry(text));
    text = "ab";
    journal.changed(() => entry(text));
    await vi.advanceTimersByTimeAsync(1000);
    expect(shelf.writes).toEqual(["ab"]);
    expect(states).toEqual(["saving", "saving", "saved"]);
  });

  test("writes within a second however long somebody types without a pause", async () => {
    for (let at = 0; at < 3000; at += 100) {
      journal.changed(() => entry(String(at)));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(shelf.writes.length).toBeGreaterThanOrEqual(3);
    expect(Number(shelf.writes[0])).toBeLessThanOrEqual(900);
  });

  test("writes at once when told to", async () => {
    journal.changed(() => entry("a"));
    await journal.flush();
    expect(shelf.writes).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(shelf.writes).toEqual(["a"]);
  });

  test("keeps nothing where nothing is left to keep", async () => {
    journal.changed(() => entry("a"));
    await journal.flush();
    journal.changed(() => null);
    await journal.flush();
    expect(shelf.entries.size).toBe(0);
    expect(states.at(-1)).toBe("idle");
  });

  test("what was saved is forgotten, also while a write is under way", async () => {
    shelf.delay = 50;
    journal.changed(() => entry("a"));
    void journal.flush();
    journal.changed(() => entry("b"));
    const done = journal.forget();
    await vi.advanceTimersByTimeAsync(2000);
    await done;
    expect(shelf.entries.size).toBe(0);
    expect(states.at(-1)).toBe("idle");
  });

  test("says so when the device refuses, and tries again with the next change", async () => {
    shelf.broken = true;
    journal.changed(() => entry("a"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("failed");
    shelf.broken = false;
    journal.changed(() => entry("ab"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("saved");
    expect(shelf.writes).toEqual(["ab"]);
  });

  test("does not say saved while something newer waits", async () => {
    shelf.delay = 100;
    journal.changed(() => entry("a"));
    const first = journal.flush();
    journal.changed(() => entry("b"));
    await vi.advanceTimersByTimeAsync(150);
    await first;
    expect(states.at(-1)).toBe("saving");
  });
});
