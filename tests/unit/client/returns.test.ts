import { afterEach, expect, test, vi } from "vitest";
import { watchReturns } from "../../../src/client/live/returns.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("who comes to look is noticed, and a machine that slept; time that only passes is not", () => {
  vi.useFakeTimers();
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  let returns = 0;
  watchReturns(() => void returns++);
  vi.advanceTimersByTime(60_000);
  expect(returns).toBe(0);
  page.dispatchEvent(new Event("focus"));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(returns).toBe(2);
  // The clock goes on and no timer has run meanwhile.
  vi.setSystemTime(Date.now() + 600_000);
  vi.advanceTimersByTime(1_000);
  expect(returns).toBe(3);
});
