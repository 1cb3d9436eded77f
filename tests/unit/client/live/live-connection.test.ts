import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionStatus } from "../../../../src/client/api/connection-status.ts";
import { LiveConnection } from "../../../../src/client/live/connection/live-connection.ts";
import type {
  LiveSubscription,
  TransportListener,
  Transport,
} from "../../../../src/client/live/connection/transport.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A line over wires that say what the test says; keeps what was asked of each. */
async function aLine(first: LiveSubscription | null = { topics: ["feed"], since: "e.1" }, remembered = 0) {
  const answers = { well: false };
  const wires: {
    way: string;
    listener: TransportListener;
    asked: (LiveSubscription | null)[];
    pings: number;
    isOpen: boolean;
  }[] = [];
  const connection = new ConnectionStatus(() => Promise.resolve(answers.well));
  const states: string[] = [];
  connection.subscribe(() => states.push(connection.state));
  const open =
    (way: string): Transport =>
    (listener) => {
      const wire = { way, listener, asked: [] as (LiveSubscription | null)[], pings: 0, isOpen: true };
      wires.push(wire);
      return {
        follow: (asked) => void wire.asked.push(asked),
        ...(way === "socket" ? { ping: () => void wire.pings++ } : {}),
        close: () => void (wire.isOpen = false),
      };
    };
  const memory = { get: () => remembered, set: (way: number) => void (remembered = way) };
  const line = new LiveConnection([open("socket"), open("events"), open("asking")], connection, memory);
  const to = { asked: first };
  const heard: string[] = [];
  const unauthorized = { times: 0 };
  line.follow(() => to.asked, {
    onMessage: ({ cursor, topic, event }) => {
      heard.push(`${cursor} ${topic} ${event.kind}`);
      to.asked &&= { ...to.asked, since: cursor };
    },
    onUnauthorized: () => unauthorized.times++,
  });
  await vi.advanceTimersByTimeAsync(0);
  const last = () => wires.at(-1)!;
  const tell = (cursor: string) =>
    last().listener.onMessage(cursor, { topic: "", event: { kind: "checkpoint" } });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return {
    answers,
    kept: () => remembered,
    line,
    wires,
    connection,
    states,
    to,
    heard,
    unauthorized,
    last,
    tell,
    pass,
  };
}
const feed = (since: string): LiveSubscription => ({ topics: ["feed"], since });

test("a line is live once the stream has said something, and not before", async () => {
  const { connection, last, tell, heard } = await aLine();
  expect(last().asked).toEqual([feed("e.1")]);
  expect(connection.state).toBe("connecting");
  last().listener.onAlive();
  expect(connection.state).toBe("connecting");
  tell("e.2");
  expect(connection.state).toBe("live");
  expect(heard).toEqual(["e.2  checkpoint"]);
});

test("a line that was lost is opened again after a growing pause, from behind what came", async () => {
  const { wires, last, tell, pass } = await aLine();
  tell("e.2");
  last().listener.onLost(false);
  await pass(499);
  expect(wires.length).toBe(1);
  await pass(1);
  last().listener.onLost(false);
  await pass(999);
  expect(wires.length).toBe(2);
  await pass(1);
  tell("e.3");
  last().listener.onLost(false);
  await pass(500);
  expect(wires.map(({ asked }) => asked)).toEqual([
    [feed("e.1")],
    [feed("e.2")],
    [feed("e.2")],
    [feed("e.3")],
  ]);
  expect(wires.map(({ isOpen }) => isOpen)).toEqual([false, false, false, true]);
});

test("what changes in one turn begins the stream again once, over the same wire, and nobody sees it", async () => {
  const { line, wires, states, to, last, tell, pass } = await aLine();
  tell("e.2");
  to.asked = { topics: ["me"], since: "e.2" };
  line.restart();
  to.asked = { topics: ["me", "feed"], since: "e.2" };
  line.restart();
  await pass(1_000);
  expect(wires.length).toBe(1);
  expect(last().asked).toEqual([feed("e.1"), { topics: ["me", "feed"], since: "e.2" }]);
  tell("e.3");
  expect(states).toEqual(["connecting", "live"]);
});

test("a line that nobody needs is kept for the next page, and then closed", async () => {
  const { line, connection, wires, to, last, tell, pass } = await aLine();
  tell("e.2");
  to.asked = null;
  line.restart();
  await pass(9_000);
  expect([last().asked.at(-1), last().isOpen, connection.state]).toEqual([null, true, "idle"]);
  to.asked = feed("e.2");
  line.restart();
  await pass(1_000);
  expect(wires.length).toBe(1);
  tell("e.3");
  to.asked = null;
  line.restart();
  await pass(10_000);
  expect(last().isOpen).toBe(false);
  last().listener.onLost(false);
  await pass(60_000);
  expect(wires.length).toBe(1);
});

test("a line over which nothing is said within five seconds is given up", async () => {
  const { wires, pass } = await aLine();
  await pass(4_499);
  expect(wires[0]!.isOpen).toBe(true);
  await pass(1);
  expect(wires[0]!.isOpen).toBe(false);
  await pass(500);
  expect(wires.length).toBe(2);
});

test("a quiet line is asked for a sign of life, and given up without one", async () => {
  const { wires, last, tell, pass } = await aLine();
  tell("e.2");
  await pass(10_000);
  expect(last().pings).toBe(1);
  last().listener.onAlive();
  await pass(12_999);
  expect([last().pings, wires.length]).toEqual([2, 1]);
  await pass(1 + 500);
  expect(wires.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test("who comes to look is right within a second: a dead line is replaced, a pause is cut", async () => {
  const { line, wires, last, tell, pass } = await aLine();
  tell("e.2");
  line.check();
  expect(last().pings).toBe(1);
  last().listener.onAlive();
  await pass(5_000);
  expect(wires.length).toBe(1);
  line.check();
  await pass(1_000);
  expect(wires.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  for (let failure = 0; failure < 5; failure++) {
    last().listener.onLost(false);
    await pass(20_000);
  }
  const before = wires.length;
  last().listener.onLost(false);
  line.check();
  expect(wires.length).toBe(before + 1);
});

test("a refusal that may pass is asked about again, over the same wire; one that stays is not, until something else is asked", async () => {
  const { line, wires, last, tell, pass, unauthorized, to } = await aLine();
  tell("e.2");
  last().listener.onRefused("TOO_MANY_REQUESTS", 30);
  for (const ms of [9_999, 9_999, 10_001]) {
    await pass(ms);
    last().listener.onAlive();
  }
  expect(last().asked.length).toBe(1);
  await pass(1);
  expect(last().asked.length).toBe(2);
  last().listener.onRefused("UNAUTHORIZED");
  expect(unauthorized.times).toBe(1);
  await pass(1_000);
  last().listener.onAlive();
  expect(last().asked.length).toBe(3);
  last().listener.onRefused("BAD_REQUEST");
  for (let quiet = 0; quiet < 6; quiet++) {
    await pass(10_000);
    last().listener.onAlive();
  }
  expect([last().asked.length, wires.length]).toEqual([3, 1]);
  to.asked = { topics: ["me"], since: "e.2" };
  line.restart();
  await pass(0);
  expect(last().asked.length).toBe(4);
});

test.each(["FORBIDDEN", "NOT_FOUND", "METHOD_NOT_SUPPORTED"])(
  "what was refused with %s is not asked for again",
  async (code) => {
    const { wires, last, pass } = await aLine();
    last().listener.onRefused(code);
    await pass(9_000);
    expect([last().asked.length, wires.length]).toEqual([1, 1]);
  },
);

test("a pause ends when something says that the site is there, and the next is as short as the first", async () => {
  const { line, wires, last, pass } = await aLine();
  for (let failure = 0; failure < 6; failure++) {
    last().listener.onLost(false);
    await pass(10_000);
  }
  const before = wires.length;
  last().listener.onLost(false);
  await pass(0);
  line.retryNow();
  expect(wires.length).toBe(before + 1);
  last().listener.onLost(false);
  await pass(500);
  expect(wires.length).toBe(before + 2);
});

test("a line that is stopped asks no more, whatever was about to be asked", async () => {
  for (const end of [
    (listener: TransportListener) => listener.onAlive(),
    (listener: TransportListener) => listener.onRefused(undefined),
    (listener: TransportListener) => listener.onLost(false),
  ]) {
    const { line, wires, last, pass } = await aLine();
    end(last().listener);
    line.stop();
    await pass(60_000);
    expect([wires.length, last().asked.length, last().isOpen]).toEqual([1, 1, false]);
  }
});

test("a line whose session has ended tells so, and a new one is opened with the cookie of now", async () => {
  const { line, wires, states, unauthorized, last, tell, pass } = await aLine();
  tell("e.2");
  line.reconnect();
  expect(wires.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  tell("e.3");
  expect(states).toEqual(["connecting", "live"]);
  last().listener.onLost(true);
  expect(unauthorized.times).toBe(1);
  line.stop();
  await pass(60_000);
  expect([wires.length, states.at(-1)]).toEqual([2, "idle"]);
});

const waysOf = (wires: { way: string; isOpen: boolean }[]) =>
  wires.map(({ way, isOpen }) => `${way}${isOpen ? "" : " closed"}`);

test("where sockets are refused and the site answers, the next way is taken at once, and remembered", async () => {
  const { answers, kept, wires, states, last, tell, pass } = await aLine();
  answers.well = true;
  last().listener.onLost(false);
  await pass(500);
  last().listener.onLost(false);
  await pass(0);
  expect(waysOf(wires)).toEqual(["socket closed", "socket closed", "events"]);
  tell("e.2");
  expect([kept(), ...states]).toEqual([1, "connecting", "live"]);
  last().listener.onLost(false);
  await pass(500);
  expect(last().way).toBe("events");
});

test("where frames are swallowed and then events held back, each is known within five seconds", async () => {
  const { answers, kept, wires, states, tell, pass } = await aLine();
  answers.well = true;
  await pass(5_000);
  expect(waysOf(wires)).toEqual(["socket closed", "events"]);
  await pass(5_000);
  expect(waysOf(wires)).toEqual(["socket closed", "events closed", "asking"]);
  tell("e.2");
  expect([kept(), ...states]).toEqual([2, "connecting", "live"]);
});

test("where the site does not answer either, no way is to blame: the reader is told that they are offline", async () => {
  const { wires, states, pass } = await aLine();
  await pass(30_000);
  expect(new Set(wires.map(({ way }) => way))).toEqual(new Set(["socket"]));
  expect(states).toEqual(["connecting", "offline"]);
});

test("better ways are tried beside the one that there is, and taken when they say something", async () => {
  const { line, kept, wires, states, last, tell, pass, to } = await aLine(feed("e.1"), 2);
  tell("e.2");
  expect(waysOf(wires)).toEqual(["asking"]);
  await pass(30_000);
  expect(waysOf(wires)).toEqual(["asking", "socket"]);
  last().listener.onLost(false);
  expect(waysOf(wires)).toEqual(["asking", "socket closed", "events"]);
  await pass(4_500);
  expect(waysOf(wires)).toEqual(["asking", "socket closed", "events closed"]);
  await pass(60_000);
  expect(last().way).toBe("socket");
  to.asked = { topics: ["me"], since: "e.2" };
  line.restart();
  await pass(0);
  expect(last().asked).toEqual([feed("e.2"), { topics: ["me"], since: "e.2" }]);
  tell("e.3");
  expect(wires.filter(({ isOpen }) => isOpen)).toEqual([last()]);
  expect([kept(), ...states]).toEqual([0, "connecting", "live"]);
  await pass(9_000);
  expect(waysOf(wires).at(-1)).toBe("socket");
});

test("by a way that cannot be asked for a sign of life, who comes to look asks for the stream anew", async () => {
  const { line, wires, last, tell, pass } = await aLine(feed("e.1"), 1);
  tell("e.2");
  line.check();
  line.check();
  expect(last().asked).toEqual([feed("e.1"), feed("e.2")]);
  await pass(1_000);
  expect(waysOf(wires)).toEqual(["events closed", "events"]);
  tell("e.3");
  await pass(20_000);
  expect(waysOf(wires)).toEqual(["events closed", "events"]);
});
