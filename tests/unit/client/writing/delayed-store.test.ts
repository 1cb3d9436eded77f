import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DelayedStore } from "../../../../src/client/writing/delayed-store.ts";
import type { DraftPlace, DeviceState } from "../../../../src/client/writing/delayed-store.ts";

/** A storage in memory that can be slow and can fail. As in IndexedDB, writes take effect in order. */
class MemoryStorage implements DraftPlace<string> {
  stored: string | undefined;
  writes: string[] = [];
  delay = 0;
  broken = false;

  #last: Promise<unknown> = Promise.resolve();

  #inOrder(write: () => void): Promise<void> {
    const done = this.#last.then(async () => {
      if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
      if (this.broken) throw new Error("full");
      write();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  put = (draft: string) =>
    this.#inOrder(() => {
      this.writes.push(draft);
      this.stored = draft;
    });

  remove = () => this.#inOrder(() => (this.stored = undefined));
}

describe("the delayed store", () => {
  let storage: MemoryStorage;
  let states: DeviceState[];
  let store: DelayedStore<string>;
  beforeEach(() => {
    vi.useFakeTimers();
    storage = new MemoryStorage();
    states = [];
    store = new DelayedStore(storage, (state) => states.push(state));
  });
  afterEach(() => vi.useRealTimers());

  test("writes the form's content of the moment of writing, once for a burst", async () => {
    let text = "a";
    store.scheduleWrite(() => text);
    text = "ab";
    store.scheduleWrite(() => text);
    await vi.advanceTimersByTimeAsync(1000);
    expect(storage.writes).toEqual(["ab"]);
    expect(states).toEqual(["saving", "saving", "saved"]);
  });

  test("writes within a second while someone types without a pause", async () => {
    for (let at = 0; at < 3000; at += 100) {
      store.scheduleWrite(() => String(at));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(storage.writes.length).toBeGreaterThanOrEqual(3);
    expect(Number(storage.writes[0])).toBeLessThanOrEqual(900);
  });

  test("begins to write at once when flushed, though another write is running: the page may be closing", async () => {
    const put = vi.spyOn(storage, "put");
    storage.delay = 50;
    store.scheduleWrite(() => "a");
    void store.flush();
    store.scheduleWrite(() => "ab");
    void store.flush();
    expect(put.mock.calls).toEqual([["a"], ["ab"]]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(storage.stored).toBe("ab");
    expect(states.at(-1)).toBe("saved");
  });

  test("writes at once when flushed", async () => {
    store.scheduleWrite(() => "a");
    await store.flush();
    expect(storage.writes).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(storage.writes).toEqual(["a"]);
  });

  test("removes the draft when nothing is left to keep", async () => {
    store.scheduleWrite(() => "a");
    await store.flush();
    store.scheduleWrite(() => null);
    await store.flush();
    expect(storage.stored).toBe(undefined);
    expect(states.at(-1)).toBe("idle");
  });

  test("removes the draft of a saved text, also while a write is under way", async () => {
    storage.delay = 50;
    store.scheduleWrite(() => "a");
    void store.flush();
    store.scheduleWrite(() => "b");
    const removal = store.remove();
    await vi.advanceTimersByTimeAsync(2000);
    await removal;
    expect(storage.stored).toBe(undefined);
    expect(states.at(-1)).toBe("idle");
  });

  test("reports a failed write, and tries again with the next change", async () => {
    storage.broken = true;
    store.scheduleWrite(() => "a");
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("failed");
    storage.broken = false;
    store.scheduleWrite(() => "ab");
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)).toBe("saved");
    expect(storage.writes).toEqual(["ab"]);
  });

  test("does not fail on a broken device when nothing is left to keep", async () => {
    storage.broken = true;
    store.scheduleWrite(() => null);
    await store.flush();
    await store.remove();
    expect(states).toEqual(["saving", "idle", "idle"]);
  });

  test("writes nothing more once its pending write was dropped", async () => {
    store.scheduleWrite(() => "a");
    await store.flush();
    store.scheduleWrite(() => "older");
    store.dropPending();
    await store.flush();
    await vi.advanceTimersByTimeAsync(2000);
    expect(storage.writes).toEqual(["a"]);
  });

  test("does not report saved while something newer waits", async () => {
    storage.delay = 100;
    store.scheduleWrite(() => "a");
    const first = store.flush();
    store.scheduleWrite(() => "b");
    await vi.advanceTimersByTimeAsync(150);
    await first;
    expect(states.at(-1)).toBe("saving");
  });
});
