import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Journal } from "../../../src/client/editor/journal/journal.ts";
import type { JournalPlace, JournalState } from "../../../src/client/editor/journal/journal.ts";

/** A place in memory that can be slow and can fail. */
class Shelf implements JournalPlace<string> {
  entry: string | undefined;
  writes: string[] = [];
  delay = 0;
  broken = false;

  async put(entry: string) {
    if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
    if (this.broken) throw new Error("full");
    this.writes.push(entry);
    this.entry = entry;
  }
  async remove() {
    if (this.broken) throw new Error("broken");
    this.entry = undefined;
  }
}

describe("the journal", () => {
  let shelf: Shelf;
  let states: JournalState[];
  let journal: Journal<string>;
  beforeEach(() => {
    vi.useFakeTimers();
    shelf = new Shelf();
    states = [];
    journal = new Journal(shelf, (state) => states.push(state));
  });
  afterEach(() => vi.useRealTimers());

  test("writes what the form holds when it writes, once for a burst", async () => {
    let text = "a";
    journal.changed(() => text);
    text = "ab";
    journal.changed(() => text);
    await vi.advanceTimersByTimeAsync(1000);
    expect(shelf.writes).toEqual(["ab"]);
    expect(states).toEqual(["saving", "saving", "saved"]);
  });

  test("writes within a second however long somebody types without a pause", async () => {
    for (let at = 0; at < 3000; at += 100) {
      journal.changed(() => String(at));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(shelf.writes.length).toBeGreaterThanOrEqual(3);
    expect(Number(shelf.writes[0])).toBeLessThanOrEqual(900);
  });

  test("writes at once when told to", async () => {
    journal.changed(() => "a");
    await journal.flush();
    expect(shelf.writes).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(shelf.writes).toEqual(["a"]);
  });

  test("keeps nothing where nothing is left to keep", async () => {
    journal.changed(() => "a");
    await journal.flush();
    journal.changed(() => null);
    await journal.flush();
    expect(shelf.entry).toBe(undefined);
    expect(states.at(-1)).toBe("idle");
  });

  test("what was saved is forgotten, also while a write is under way", async () => {
    shelf.delay = 50;
    journal.changed(() => "a");
    void journal.flush();
    journal.changed(() => "b");
    const done = journal.forget();
    await vi.advanceTimersByTimeAsync(2000);
    await done;
    expect(shelf.entry).toBe(undefined);
    expect(states.at(-1)).toBe("idle");
  });

  test("says so when the device refuses, and tries again with the next change", async () => {
    shelf.broken = true;
    journal.changed(() => "a");
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("failed");
    shelf.broken = false;
    journal.changed(() => "ab");
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("saved");
    expect(shelf.writes).toEqual(["ab"]);
  });

  test("does not fail where nothing is left to keep", async () => {
    shelf.broken = true;
    journal.changed(() => null);
    await journal.flush();
    await journal.forget();
    expect(states).toEqual(["saving", "idle", "idle"]);
  });

  test("writes nothing more once another keeps it", async () => {
    journal.changed(() => "a");
    await journal.flush();
    journal.changed(() => "older");
    journal.quit();
    await journal.flush();
    await vi.advanceTimersByTimeAsync(2000);
    expect(shelf.writes).toEqual(["a"]);
  });

  test("does not say saved while something newer waits", async () => {
    shelf.delay = 100;
    journal.changed(() => "a");
    const first = journal.flush();
    journal.changed(() => "b");
    await vi.advanceTimersByTimeAsync(150);
    await first;
    expect(states.at(-1)).toBe("saving");
  });
});
