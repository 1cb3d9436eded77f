import { afterEach, expect, test, vi } from "vitest";
import { onTabReturn } from "../../../../src/client/live/connection/tab-return.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("reports a tab that is focused or shown, and a machine that slept, but not time that passes", () => {
  vi.useFakeTimers();
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  let returns = 0;
  onTabReturn(() => void returns++);
  vi.advanceTimersByTime(60_000);
  expect(returns).toBe(0);
  page.dispatchEvent(new Event("focus"));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(returns).toBe(2);
  // A machine that sleeps: its clock advances and no timer runs.
  vi.setSystemTime(Date.now() + 600_000);
  vi.advanceTimersByTime(1_000);
  expect(returns).toBe(3);
});
