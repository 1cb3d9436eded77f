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
async function aConnection(first: LiveSubscription | null = { topics: ["feed"], since: "e.1" }) {
  const site = { isReachable: false };
  const transports: {
    kind: string;
    listener: TransportListener;
    subscriptions: (LiveSubscription | null)[];
    pings: number;
    isOpen: boolean;
  }[] = [];
  const connection = new ConnectionStatus(() => Promise.resolve(site.isReachable));
  const states: string[] = [];
  connection.subscribe(() => states.push(connection.state));
  const open =
    (kind: string): Transport =>
    (listener) => {
      const transport = {
        kind,
        listener,
        subscriptions: [] as (LiveSubscription | null)[],
        pings: 0,
        isOpen: true,
      };
      transports.push(transport);
      return {
        follow: (subscription) => void transport.subscriptions.push(subscription),
        ...(kind === "socket" ? { ping: () => void transport.pings++ } : {}),
        close: () => void (transport.isOpen = false),
      };
    };
  const liveConnection = new LiveConnection([open("socket"), open("events")], connection);
  const current = { subscription: first };
  const received: string[] = [];
  const unauthorized = { times: 0 };
  const started = { times: 0 };
  liveConnection.follow(() => current.subscription, {
    onStart: () => started.times++,
    onMessage: ({ cursor, topic, event }) => {
      received.push(`${cursor} ${topic} ${event.kind}`);
      current.subscription &&= { ...current.subscription, since: cursor };
    },
    onUnauthorized: () => unauthorized.times++,
  });
  await vi.advanceTimersByTimeAsync(0);
  const last = () => transports.at(-1)!;
  const sendCheckpoint = (cursor: string) =>
    last().listener.onMessage(cursor, { topic: "", event: { kind: "checkpoint", now: 0 } });
  const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return {
    site,
    liveConnection,
    transports,
    connection,
    states,
    current,
    received,
    unauthorized,
    started,
    last,
    sendCheckpoint,
    advance,
  };
}
const feed = (since: string): LiveSubscription => ({ topics: ["feed"], since });

test("is live after the first message of the stream, and not before", async () => {
  const { connection, last, sendCheckpoint, received } = await aConnection();
  expect(last().subscriptions).toEqual([feed("e.1")]);
  expect(connection.state).toBe("connecting");
  last().listener.onAlive();
  expect(connection.state).toBe("connecting");
  sendCheckpoint("e.2");
  expect(connection.state).toBe("live");
  expect(received).toEqual(["e.2  checkpoint"]);
});

test("reconnects after growing pauses, from the last message received", async () => {
  const { transports, last, sendCheckpoint, advance } = await aConnection();
  sendCheckpoint("e.2");
  last().listener.onLost(false);
  await advance(499);
  expect(transports.length).toBe(1);
  await advance(1);
  last().listener.onLost(false);
  await advance(999);
  expect(transports.length).toBe(2);
  await advance(1);
  sendCheckpoint("e.3");
  last().listener.onLost(false);
  await advance(500);
  expect(transports.map(({ subscriptions }) => subscriptions)).toEqual([
    [feed("e.1")],
    [feed("e.2")],
    [feed("e.2")],
    [feed("e.3")],
  ]);
  expect(transports.map(({ isOpen }) => isOpen)).toEqual([false, false, false, true]);
});

test("resubscribes once for all changes of one turn, over the same transport and without a change of state", async () => {
  const { liveConnection, transports, states, current, last, sendCheckpoint, advance } = await aConnection();
  sendCheckpoint("e.2");
  current.subscription = { topics: ["me"], since: "e.2" };
  liveConnection.restart();
  current.subscription = { topics: ["me", "feed"], since: "e.2" };
  liveConnection.restart();
  await advance(1_000);
  expect(transports.length).toBe(1);
  expect(last().subscriptions).toEqual([feed("e.1"), { topics: ["me", "feed"], since: "e.2" }]);
  sendCheckpoint("e.3");
  expect(states).toEqual(["connecting", "live"]);
});

test("keeps an unneeded connection for ten seconds for the next page, then closes it", async () => {
  const { liveConnection, connection, transports, current, last, sendCheckpoint, advance } =
    await aConnection();
  sendCheckpoint("e.2");
  current.subscription = null;
  liveConnection.restart();
  await advance(9_000);
  expect([last().subscriptions.at(-1), last().isOpen, connection.state]).toEqual([null, true, "idle"]);
  current.subscription = feed("e.2");
  liveConnection.restart();
  await advance(1_000);
  expect(transports.length).toBe(1);
  sendCheckpoint("e.3");
  current.subscription = null;
  liveConnection.restart();
  await advance(10_000);
  expect(last().isOpen).toBe(false);
  last().listener.onLost(false);
  await advance(60_000);
  expect(transports.length).toBe(1);
});

test("gives up a transport without a message after 4.5 seconds", async () => {
  const { transports, advance } = await aConnection();
  await advance(4_499);
  expect(transports[0]!.isOpen).toBe(true);
  await advance(1);
  expect(transports[0]!.isOpen).toBe(false);
  await advance(500);
  expect(transports.length).toBe(2);
});

test("pings a quiet transport, and gives it up without an answer", async () => {
  const { transports, last, sendCheckpoint, advance } = await aConnection();
  sendCheckpoint("e.2");
  await advance(10_000);
  expect(last().pings).toBe(1);
  last().listener.onAlive();
  await advance(12_999);
  expect([last().pings, transports.length]).toEqual([2, 1]);
  await advance(1 + 500);
  expect(transports.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test("replaces a dead connection within a second of the tab's return, and cuts a pause short", async () => {
  const { liveConnection, transports, last, sendCheckpoint, advance } = await aConnection();
  sendCheckpoint("e.2");
  liveConnection.check();
  expect(last().pings).toBe(1);
  last().listener.onAlive();
  await advance(5_000);
  expect(transports.length).toBe(1);
  liveConnection.check();
  await advance(1_000);
  expect(transports.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  for (let failure = 0; failure < 5; failure++) {
    last().listener.onLost(false);
    await advance(20_000);
  }
  const previousCount = transports.length;
  last().listener.onLost(false);
  liveConnection.check();
  expect(transports.length).toBe(previousCount + 1);
});

test("retries after a temporary refusal over the same transport, after a permanent one only for a new subscription", async () => {
  const { liveConnection, transports, last, sendCheckpoint, advance, unauthorized, current } =
    await aConnection();
  sendCheckpoint("e.2");
  last().listener.onRefused("TOO_MANY_REQUESTS", 30);
  for (const ms of [9_999, 9_999, 10_001]) {
    await advance(ms);
    last().listener.onAlive();
  }
  expect(last().subscriptions.length).toBe(1);
  await advance(1);
  expect(last().subscriptions.length).toBe(2);
  last().listener.onRefused("UNAUTHORIZED");
  expect(unauthorized.times).toBe(1);
  await advance(1_000);
  last().listener.onAlive();
  expect(last().subscriptions.length).toBe(3);
  last().listener.onRefused("BAD_REQUEST");
  for (let round = 0; round < 6; round++) {
    await advance(10_000);
    last().listener.onAlive();
  }
  expect([last().subscriptions.length, transports.length]).toEqual([3, 1]);
  current.subscription = { topics: ["me"], since: "e.2" };
  liveConnection.restart();
  await advance(0);
  expect(last().subscriptions.length).toBe(4);
});

test.each(["FORBIDDEN", "NOT_FOUND", "METHOD_NOT_SUPPORTED"])("does not retry after %s", async (code) => {
  const { transports, last, advance } = await aConnection();
  last().listener.onRefused(code);
  await advance(9_000);
  expect([last().subscriptions.length, transports.length]).toEqual([1, 1]);
});

test("ends a pause on retryNow, and makes the next one as short as the first", async () => {
  const { liveConnection, transports, last, advance } = await aConnection();
  for (let failure = 0; failure < 6; failure++) {
    last().listener.onLost(false);
    await advance(10_000);
  }
  const previousCount = transports.length;
  last().listener.onLost(false);
  await advance(0);
  liveConnection.retryNow();
  expect(transports.length).toBe(previousCount + 1);
  last().listener.onLost(false);
  await advance(500);
  expect(transports.length).toBe(previousCount + 2);
});

test("sends nothing more once it is stopped, whatever was scheduled", async () => {
  for (const end of [
    (listener: TransportListener) => listener.onAlive(),
    (listener: TransportListener) => listener.onRefused(undefined),
    (listener: TransportListener) => listener.onLost(false),
  ]) {
    const { liveConnection, transports, last, advance } = await aConnection();
    end(last().listener);
    liveConnection.stop();
    await advance(60_000);
    expect([transports.length, last().subscriptions.length, last().isOpen]).toEqual([1, 1, false]);
  }
});

test("opens a new transport on reconnect, and reports a session that has ended", async () => {
  const { liveConnection, transports, states, unauthorized, last, sendCheckpoint, advance } =
    await aConnection();
  sendCheckpoint("e.2");
  liveConnection.reconnect();
  expect(transports.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  sendCheckpoint("e.3");
  expect(states).toEqual(["connecting", "live"]);
  last().listener.onLost(true);
  expect(unauthorized.times).toBe(1);
  liveConnection.stop();
  await advance(60_000);
  expect([transports.length, states.at(-1)]).toEqual([2, "idle"]);
});

const transportsOf = (transports: { kind: string; isOpen: boolean }[]) =>
  transports.map(({ kind, isOpen }) => `${kind}${isOpen ? "" : " closed"}`);

test("switches to the next transport when sockets are refused while the site answers, and keeps to it", async () => {
  const { site, transports, states, last, sendCheckpoint, advance } = await aConnection();
  site.isReachable = true;
  last().listener.onLost(false);
  await advance(500);
  last().listener.onLost(false);
  await advance(0);
  expect(transportsOf(transports)).toEqual(["socket closed", "socket closed", "events"]);
  sendCheckpoint("e.2");
  expect(states).toEqual(["connecting", "live"]);
  last().listener.onLost(false);
  await advance(500);
  expect(last().kind).toBe("events");
});

test("detects swallowed frames, then withheld events, within five seconds each, and starts over", async () => {
  const { site, transports, states, sendCheckpoint, advance } = await aConnection();
  site.isReachable = true;
  await advance(5_000);
  expect(transportsOf(transports)).toEqual(["socket closed", "events"]);
  await advance(5_000);
  expect(transportsOf(transports)).toEqual(["socket closed", "events closed", "socket"]);
  sendCheckpoint("e.2");
  expect(states).toEqual(["connecting", "live"]);
});

test("keeps to sockets and goes offline when the site does not answer either", async () => {
  const { transports, states, advance } = await aConnection();
  await advance(30_000);
  expect(new Set(transports.map(({ kind }) => kind))).toEqual(new Set(["socket"]));
  expect(states).toEqual(["connecting", "offline"]);
});

test("tries sockets again on the tab's return, and server-sent events if they are still refused", async () => {
  const { site, liveConnection, transports, states, last, sendCheckpoint, advance } = await aConnection();
  site.isReachable = true;
  await advance(4_500);
  sendCheckpoint("e.2");
  // Not at each return: until sockets are known to be silent, nothing arrives.
  liveConnection.check();
  expect(transportsOf(transports)).toEqual(["socket closed", "events closed", "events"]);
  sendCheckpoint("e.3");
  await advance(300_001);
  liveConnection.check();
  // A return is reported several times.
  liveConnection.check();
  expect(transportsOf(transports).slice(2)).toEqual(["events closed", "socket"]);
  expect([last().subscriptions, last().pings]).toEqual([[feed("e.3")], 0]);
  await advance(4_500);
  expect(transportsOf(transports).slice(3)).toEqual(["socket closed", "events"]);
  sendCheckpoint("e.4");
  liveConnection.onNewNetwork();
  liveConnection.check();
  sendCheckpoint("e.5");
  liveConnection.check();
  expect([last().kind, last().pings, transports.length]).toEqual(["socket", 1, 6]);
  expect(states).toEqual(["connecting", "live", "connecting", "live"]);
});
