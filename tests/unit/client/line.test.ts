import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection } from "../../../src/client/api/connection.ts";
import { LiveLine } from "../../../src/client/live/line.ts";
import type { Asked, Listener } from "../../../src/client/live/transport.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A line over wires that say what the test says; keeps what was asked of each. */
async function aLine(first: Asked | null = { topics: ["feed"], since: "e.1" }) {
  const wires: { listener: Listener; asked: (Asked | null)[]; pings: number; isOpen: boolean }[] = [];
  const connection = new Connection();
  const states: string[] = [];
  connection.subscribe(() => states.push(connection.state));
  const line = new LiveLine((listener) => {
    const wire = { listener, asked: [] as (Asked | null)[], pings: 0, isOpen: true };
    wires.push(wire);
    return {
      follow: (asked) => void wire.asked.push(asked),
      ping: () => void wire.pings++,
      close: () => void (wire.isOpen = false),
    };
  }, connection);
  const to = { asked: first };
  const heard: string[] = [];
  const unauthorized = { times: 0 };
  line.follow(() => to.asked, {
    onTold: ({ cursor, topic, event }) => {
      heard.push(`${cursor} ${topic} ${event.kind}`);
      to.asked &&= { ...to.asked, since: cursor };
    },
    onUnauthorized: () => unauthorized.times++,
  });
  await vi.advanceTimersByTimeAsync(0);
  const last = () => wires.at(-1)!;
  const tell = (cursor: string) => last().listener.onTold(cursor, { topic: "", event: { kind: "at" } });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { line, wires, connection, states, to, heard, unauthorized, last, tell, pass };
}
const feed = (since: string): Asked => ({ topics: ["feed"], since });

test("a line is live once the stream has said something, and not before", async () => {
  const { connection, last, tell, heard } = await aLine();
  expect(last().asked).toEqual([feed("e.1")]);
  expect(connection.state).toBe("connecting");
  last().listener.onAlive();
  expect(connection.state).toBe("connecting");
  tell("e.2");
  expect(connection.state).toBe("live");
  expect(heard).toEqual(["e.2  at"]);
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
  await pass(4_999);
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
