import { expect, test } from "vitest";
import { RateLimits } from "../../../../src/server/auth/rate-limits.ts";

/** Returns whether `second` has any requests for password links left after `first` has used up its own. */
async function after(first: string, second: string): Promise<"none" | "all"> {
  const limits = new RateLimits(true);
  for (let count = 0; count < 20; count++) await limits.take("forgotPassword", first);
  return limits.take("forgotPassword", second).then(
    () => "all",
    () => "none",
  );
}

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2::2", "none"],
  ["2001:db8:1:2::1", "2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "none"],
  ["2001:db8::1", "2001:db8:0:0:1::", "none"],
  ["::1", "::2", "none"],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", "all"],
  ["2001:db8::1:2:3:4", "2001:db8:1:2::", "all"],
  ["192.0.2.1", "::ffff:192.0.2.1", "none"],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.2", "all"],
  ["192.0.2.1", "192.0.2.2", "all"],
  ["fe80::1%eth0", "fe80::2%eth0", "none"],
])("after %s used up its limit, %s has %s of it left", async (first, second, remaining) => {
  expect(await after(first, second)).toBe(remaining);
});

test("limits all networks of an IPv6 /48 to what eight of them may do, and not another /48", async () => {
  const limits = new RateLimits(true);
  const attempt = (network: string) =>
    limits.take("forgotPassword", `2001:db8:${network}::1`).then(
      () => "done",
      () => "refused",
    );
  for (let network = 0; network < 8; network++)
    for (let count = 0; count < 20; count++) expect(await attempt(`1:${network}`)).toBe("done");
  expect(await attempt("1:8")).toBe("refused");
  expect(await attempt("2:8")).toBe("done");
  await limits.refund("forgotPassword", "2001:db8:1:0::1", 20);
  expect(await attempt("1:9")).toBe("done");
});
