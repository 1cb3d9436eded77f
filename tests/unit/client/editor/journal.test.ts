import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Journal } from "../../../../src/client/editor/journal/journal.ts";
import type { EntryStorage, JournalState } from "../../../../src/client/editor/journal/journal.ts";

/** A storage in memory that can be slow and can fail. */
class MemoryStorage implements EntryStorage<string> {
  entry: string | undefined;
  writes: string[] = [];
  atUnload: string[] = [];
  delay = 0;
  broken = false;

  async put(entry: string) {
    if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
    if (this.broken) throw new Error("full");
    this.writes.push(entry);
    this.entry = entry;
  }
  putAtUnload(entry: string) {
    this.atUnload.push(entry);
  }
  async remove() {
    if (this.broken) throw new Error("broken");
    this.entry = undefined;
  }
}

describe("the journal", () => {
  let storage: MemoryStorage;
  let states: JournalState[];
  let journal: Journal<string>;
  beforeEach(() => {
    vi.useFakeTimers();
    storage = new MemoryStorage();
    states = [];
    journal = new Journal(storage, (state) => states.push(state));
  });
  afterEach(() => vi.useRealTimers());

  test("writes the form's content of the moment of writing, once for a burst", async () => {
    let text = "a";
    journal.scheduleWrite(() => text);
    text = "ab";
    journal.scheduleWrite(() => text);
    await vi.advanceTimersByTimeAsync(1000);
    expect(storage.writes).toEqual(["ab"]);
    expect(states).toEqual(["saving", "saving", "saved"]);
  });

  test("writes within a second while someone types without a pause", async () => {
    for (let at = 0; at < 3000; at += 100) {
      journal.scheduleWrite(() => String(at));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(storage.writes.length).toBeGreaterThanOrEqual(3);
    expect(Number(storage.writes[0])).toBeLessThanOrEqual(900);
  });

  test("stores at once what is not written yet when the page may close, and nothing that is", async () => {
    let text = "a";
    journal.scheduleWrite(() => text);
    storage.delay = 50;
    void journal.storeAtUnload();
    text = "ab";
    // The write has not ended.
    void journal.storeAtUnload();
    expect(storage.atUnload).toEqual(["a", "ab"]);
    await vi.advanceTimersByTimeAsync(1000);
    void journal.storeAtUnload();
    expect(storage.atUnload).toEqual(["a", "ab"]);
  });

  test("writes at once when flushed", async () => {
    journal.scheduleWrite(() => "a");
    await journal.flush();
    expect(storage.writes).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(storage.writes).toEqual(["a"]);
  });

  test("removes the entry when nothing is left to keep", async () => {
    journal.scheduleWrite(() => "a");
    await journal.flush();
    journal.scheduleWrite(() => null);
    await journal.flush();
    expect(storage.entry).toBe(undefined);
    expect(states.at(-1)).toBe("idle");
  });

  test("removes the entry of a saved text, also while a write is under way", async () => {
    storage.delay = 50;
    journal.scheduleWrite(() => "a");
    void journal.flush();
    journal.scheduleWrite(() => "b");
    const removal = journal.removeEntry();
    await vi.advanceTimersByTimeAsync(2000);
    await removal;
    expect(storage.entry).toBe(undefined);
    expect(states.at(-1)).toBe("idle");
  });

  test("reports a failed write, and tries again with the next change", async () => {
    storage.broken = true;
    journal.scheduleWrite(() => "a");
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("failed");
    storage.broken = false;
    journal.scheduleWrite(() => "ab");
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("saved");
    expect(storage.writes).toEqual(["ab"]);
  });

  test("does not fail on a broken device when nothing is left to keep", async () => {
    storage.broken = true;
    journal.scheduleWrite(() => null);
    await journal.flush();
    await journal.removeEntry();
    expect(states).toEqual(["saving", "idle", "idle"]);
  });

  test("writes nothing more once its pending write was dropped", async () => {
    journal.scheduleWrite(() => "a");
    await journal.flush();
    journal.scheduleWrite(() => "older");
    journal.dropPending();
    await journal.flush();
    await vi.advanceTimersByTimeAsync(2000);
    expect(storage.writes).toEqual(["a"]);
  });

  test("does not report saved while something newer waits", async () => {
    storage.delay = 100;
    journal.scheduleWrite(() => "a");
    const first = journal.flush();
    journal.scheduleWrite(() => "b");
    await vi.advanceTimersByTimeAsync(150);
    await first;
    expect(states.at(-1)).toBe("saving");
  });
});
