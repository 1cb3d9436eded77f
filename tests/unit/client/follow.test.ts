import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { follow, type StreamHandlers } from "../../../src/client/api/follow.ts";

type Handlers = StreamHandlers<string>;
type Failure = Parameters<Handlers["onError"]>[0];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows a stream that does what the test says; keeps where each asking began, and what is left open. */
function followed(since?: string) {
  const asked: (Handlers & { since: string | undefined; isOpen: boolean })[] = [];
  const heard: string[] = [];
  const pauses: number[] = [];
  const refused = { times: 0 };
  const stop = follow<string>(
    (from, handlers) => {
      const one = { ...handlers, since: from, isOpen: true };
      asked.push(one);
      return { unsubscribe: () => void (one.isOpen = false) };
    },
    since,
    (event, cursor) => heard.push(`${cursor} ${event}`),
    {
      patience: 1_000,
      pause: (failures) => (pauses.push(failures), 100),
      onUnauthorized: () => refused.times++,
    },
  );
  return { asked, heard, pauses, refused, stop, last: () => asked.at(-1)! };
}
const failure = (code?: string) => ({ message: "no", data: code && { code } }) as unknown as Failure;

test("a stream that was lost is asked for again from behind what came, after a pause", () => {
  const { asked, heard, pauses, last } = followed("e.1");
  last().onStarted();
  last().onData({ id: "e.2", data: "a" });
  last().onError(failure());
  vi.advanceTimersByTime(99);
  expect(asked.length).toBe(1);
  vi.advanceTimersByTime(1);
  last().onError(failure("INTERNAL_SERVER_ERROR"));
  vi.advanceTimersByTime(100);
  last().onStarted();
  last().onError(failure("TOO_MANY_REQUESTS"));
  vi.advanceTimersByTime(100);
  expect(asked.map(({ since }) => since)).toEqual(["e.1", "e.2", "e.2", "e.2"]);
  expect(asked.map(({ isOpen }) => isOpen)).toEqual([false, false, false, true]);
  expect(pauses).toEqual([0, 1, 0]);
  expect(heard).toEqual(["e.2 a"]);
});

test.each(["BAD_REQUEST", "FORBIDDEN", "NOT_FOUND"])(
  "what was refused with %s is not asked for again",
  (code) => {
    const { asked, last } = followed();
    last().onConnectionStateChange({ state: "pending" });
    last().onError(failure(code));
    vi.advanceTimersByTime(60_000);
    expect(asked.length).toBe(1);
  },
);

test("a stream that is refused for want of a session is told of, and asked for again", () => {
  const { asked, refused, last } = followed("e.1");
  last().onError(failure("UNAUTHORIZED"));
  expect(refused.times).toBe(1);
  vi.advanceTimersByTime(100);
  expect(asked.map(({ since }) => since)).toEqual(["e.1", "e.1"]);
});

test("a stream that does not start though there is a connection is asked for again", () => {
  const { asked, last } = followed("e.1");
  vi.advanceTimersByTime(60_000);
  last().onConnectionStateChange({ state: "connecting" });
  vi.advanceTimersByTime(60_000);
  expect(asked.length).toBe(1);
  last().onConnectionStateChange({ state: "pending" });
  vi.advanceTimersByTime(999);
  expect(asked.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(asked.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test("a stream that has started is left alone, until its connection is another", () => {
  const { asked, last } = followed();
  last().onConnectionStateChange({ state: "pending" });
  last().onStarted();
  vi.advanceTimersByTime(60_000);
  last().onConnectionStateChange({ state: "connecting" });
  vi.advanceTimersByTime(60_000);
  expect(asked.length).toBe(1);
  last().onConnectionStateChange({ state: "pending" });
  vi.advanceTimersByTime(1_000);
  expect(asked.length).toBe(2);
});

test("who stops following asks no more, whatever was about to be asked", () => {
  for (const end of [
    (one: Handlers) => one.onStarted(),
    (one: Handlers) => one.onError(failure()),
    (one: Handlers) => one.onConnectionStateChange({ state: "pending" }),
  ]) {
    const { asked, stop, last } = followed();
    end(last());
    stop();
    vi.advanceTimersByTime(60_000);
    expect(asked.map(({ isOpen }) => isOpen)).toEqual([false]);
  }
});
