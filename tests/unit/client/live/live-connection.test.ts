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

/** A connection over transports that the test controls; records the subscriptions sent over each. */
async function aConnection(
  first: LiveSubscription | null = { topics: ["feed"], since: "e.1" },
  remembered = 0,
) {
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

test("is live after the first message of the stream, and not before", async () => {
  const { connection, last, tell, heard } = await aConnection();
  expect(last().asked).toEqual([feed("e.1")]);
  expect(connection.state).toBe("connecting");
  last().listener.onAlive();
  expect(connection.state).toBe("connecting");
  tell("e.2");
  expect(connection.state).toBe("live");
  expect(heard).toEqual(["e.2  checkpoint"]);
});

test("reconnects after growing pauses, from the last message received", async () => {
  const { wires, last, tell, pass } = await aConnection();
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

test("resubscribes once for all changes of one turn, over the same transport and without a change of state", async () => {
  const { line, wires, states, to, last, tell, pass } = await aConnection();
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

test("keeps an unneeded connection for ten seconds for the next page, then closes it", async () => {
  const { line, connection, wires, to, last, tell, pass } = await aConnection();
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

test("gives up a transport without a message after 4.5 seconds", async () => {
  const { wires, pass } = await aConnection();
  await pass(4_499);
  expect(wires[0]!.isOpen).toBe(true);
  await pass(1);
  expect(wires[0]!.isOpen).toBe(false);
  await pass(500);
  expect(wires.length).toBe(2);
});

test("pings a quiet transport, and gives it up without an answer", async () => {
  const { wires, last, tell, pass } = await aConnection();
  tell("e.2");
  await pass(10_000);
  expect(last().pings).toBe(1);
  last().listener.onAlive();
  await pass(12_999);
  expect([last().pings, wires.length]).toEqual([2, 1]);
  await pass(1 + 500);
  expect(wires.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test("replaces a dead connection within a second of the tab's return, and cuts a pause short", async () => {
  const { line, wires, last, tell, pass } = await aConnection();
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

test("retries after a temporary refusal over the same transport, after a permanent one only for a new subscription", async () => {
  const { line, wires, last, tell, pass, unauthorized, to } = await aConnection();
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

test.each(["FORBIDDEN", "NOT_FOUND", "METHOD_NOT_SUPPORTED"])("does not retry after %s", async (code) => {
  const { wires, last, pass } = await aConnection();
  last().listener.onRefused(code);
  await pass(9_000);
  expect([last().asked.length, wires.length]).toEqual([1, 1]);
});

test("ends a pause on retryNow, and makes the next one as short as the first", async () => {
  const { line, wires, last, pass } = await aConnection();
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

test("sends nothing more once it is stopped, whatever was scheduled", async () => {
  for (const end of [
    (listener: TransportListener) => listener.onAlive(),
    (listener: TransportListener) => listener.onRefused(undefined),
    (listener: TransportListener) => listener.onLost(false),
  ]) {
    const { line, wires, last, pass } = await aConnection();
    end(last().listener);
    line.stop();
    await pass(60_000);
    expect([wires.length, last().asked.length, last().isOpen]).toEqual([1, 1, false]);
  }
});

test("opens a new transport on reconnect, and reports a session that has ended", async () => {
  const { line, wires, states, unauthorized, last, tell, pass } = await aConnection();
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

const transportsOf = (wires: { way: string; isOpen: boolean }[]) =>
  wires.map(({ way, isOpen }) => `${way}${isOpen ? "" : " closed"}`);

test("switches to the next transport when sockets are refused while the site answers, and remembers it", async () => {
  const { answers, kept, wires, states, last, tell, pass } = await aConnection();
  answers.well = true;
  last().listener.onLost(false);
  await pass(500);
  last().listener.onLost(false);
  await pass(0);
  expect(transportsOf(wires)).toEqual(["socket closed", "socket closed", "events"]);
  tell("e.2");
  expect([kept(), ...states]).toEqual([1, "connecting", "live"]);
  last().listener.onLost(false);
  await pass(500);
  expect(last().way).toBe("events");
});

test("detects swallowed frames, then withheld events, within five seconds each", async () => {
  const { answers, kept, wires, states, tell, pass } = await aConnection();
  answers.well = true;
  await pass(5_000);
  expect(transportsOf(wires)).toEqual(["socket closed", "events"]);
  await pass(5_000);
  expect(transportsOf(wires)).toEqual(["socket closed", "events closed", "asking"]);
  tell("e.2");
  expect([kept(), ...states]).toEqual([2, "connecting", "live"]);
});

test("keeps to sockets and goes offline when the site does not answer either", async () => {
  const { wires, states, pass } = await aConnection();
  await pass(30_000);
  expect(new Set(wires.map(({ way }) => way))).toEqual(new Set(["socket"]));
  expect(states).toEqual(["connecting", "offline"]);
});

test("tries better transports beside the current one, and switches to one that delivers a message", async () => {
  const { line, kept, wires, states, last, tell, pass, to } = await aConnection(feed("e.1"), 2);
  tell("e.2");
  expect(transportsOf(wires)).toEqual(["asking"]);
  await pass(30_000);
  expect(transportsOf(wires)).toEqual(["asking", "socket"]);
  last().listener.onLost(false);
  expect(transportsOf(wires)).toEqual(["asking", "socket closed", "events"]);
  await pass(4_500);
  expect(transportsOf(wires)).toEqual(["asking", "socket closed", "events closed"]);
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
  expect(transportsOf(wires).at(-1)).toBe("socket");
});

test("resubscribes on the tab's return over a transport that cannot ping", async () => {
  const { line, wires, last, tell, pass } = await aConnection(feed("e.1"), 1);
  tell("e.2");
  line.check();
  line.check();
  expect(last().asked).toEqual([feed("e.1"), feed("e.2")]);
  await pass(1_000);
  expect(transportsOf(wires)).toEqual(["events closed", "events"]);
  tell("e.3");
  await pass(20_000);
  expect(transportsOf(wires)).toEqual(["events closed", "events"]);
});
