import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionStatus } from "../../../../src/client/api/connection-status.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aConnection(answers: () => Promise<boolean>) {
  const connection = new ConnectionStatus(answers);
  const states: string[] = [];
  connection.subscribe(() => states.push(connection.state));
  return { connection, states };
}

test("stays online while the site answers, however long the live connection takes", async () => {
  const site = { answers: true };
  const { connection, states } = aConnection(() => Promise.resolve(site.answers));
  connection.set("connecting");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(states).toEqual(["connecting"]);
  site.answers = false;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(states).toEqual(["connecting", "offline"]);
});

test("goes offline after five seconds without connection and answer, until the connection is live", async () => {
  const { connection, states } = aConnection(() => Promise.resolve(false));
  connection.set("connecting");
  await vi.advanceTimersByTimeAsync(4_999);
  expect(connection.state).toBe("connecting");
  await vi.advanceTimersByTimeAsync(1);
  expect(connection.state).toBe("offline");
  connection.set("connecting");
  expect(connection.state).toBe("offline");
  connection.set("live");
  expect(states).toEqual(["connecting", "offline", "live"]);
});

test("ignores an answer that arrives after the connection was restored or lost again", async () => {
  const answers: ((answer: boolean) => void)[] = [];
  const { connection, states } = aConnection(() => new Promise((resolve) => answers.push(resolve)));
  connection.set("connecting");
  await vi.advanceTimersByTimeAsync(5_000);
  connection.set("live");
  connection.set("connecting");
  answers[0]!(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(states).toEqual(["connecting", "live", "connecting"]);
});
