import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TRPCClientError } from "@trpc/client";
import { afterEach, expect, test, vi } from "vitest";
import { isUnanswered, unsureMessage } from "../../../../src/client/api/errors.ts";
import { fetchWithTimeout } from "../../../../src/client/api/client.ts";
import { messages } from "../../../../src/shared/errors.ts";

afterEach(() => void vi.useRealTimers());

/** A server that accepts requests but never answers, except with the start of a response if `sendsFirstByte`. */
async function silentSite(sendsFirstByte = false) {
  const server = createServer((request, response) => {
    request.resume();
    if (sendsFirstByte) response.write("[");
    server.emit("heard");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return {
    /** Sends a request and resolves once the server has received it. */
    async ask(init?: RequestInit): Promise<{ outcome: Promise<unknown>; isOver: () => boolean }> {
      const requestReceived = once(server, "heard");
      let isOver = false;
      const outcome = fetchWithTimeout(url, init)
        .then((response) => response.text())
        .catch((error: unknown) => error)
        .finally(() => (isOver = true));
      await requestReceived;
      return { outcome, isOver: () => isOver };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

test.each([false, true])(
  "gives up a query without a complete response after ten seconds (response begun: %s)",
  async (sendsFirstByte) => {
    await using site = await silentSite(sendsFirstByte);
    const { outcome, isOver } = await site.ask();
    vi.advanceTimersByTime(9_900);
    await new Promise(setImmediate);
    expect(isOver()).toBe(false);
    vi.advanceTimersByTime(100);
    const error = TRPCClientError.from((await outcome) as Error);
    expect(isUnanswered(error)).toBe(true);
    expect(unsureMessage(error, "no")).toBe(messages.unsure);
  },
  5_000,
);

test.each([
  [1_000, 14_900],
  [160 * 1024, 24_900],
])(
  "times out a mutation of %i bytes only after %i ms",
  async (length, ms) => {
    await using site = await silentSite();
    const { outcome, isOver } = await site.ask({ method: "POST", body: "a".repeat(length) });
    vi.advanceTimersByTime(ms);
    await new Promise(setImmediate);
    expect(isOver()).toBe(false);
    vi.advanceTimersByTime(200);
    expect(await outcome).toBeInstanceOf(Error);
  },
  5_000,
);

test("gives up at once when the caller aborts", async () => {
  await using site = await silentSite();
  const controller = new AbortController();
  const { outcome } = await site.ask({ signal: controller.signal });
  controller.abort();
  expect(await outcome).toBeInstanceOf(Error);
}, 5_000);
