import { expect, test } from "vitest";
import { readConfig } from "../../../src/server/config.ts";

test.each([
  "https://example.org/blog",
  "https://example.org/?x",
  "https://example.org/#x",
  "https://ana@example.org",
  "example.org",
  "ftp://example.org",
])("a site is not served below an address like %s, and says so", (address) => {
  expect(() => readConfig({ PUBLIC_URL: address })).toThrow(/The setting PUBLIC_URL is wrong/);
});

test("the address of a site is its origin, however it is written", () => {
  for (const address of ["https://Example.org", "https://example.org/", "https://example.org:443"])
    expect(readConfig({ PUBLIC_URL: address }).publicUrl).toBe("https://example.org");
  expect(readConfig({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
});
