import { expect, test } from "vitest";
import { readConfig } from "../../../../src/server/runtime/config.ts";

test.each([
  "https://example.org/blog",
  "https://example.org/?x",
  "https://example.org/#x",
  "https://ana@example.org",
  "example.org",
  "ftp://example.org",
])("refuses a PUBLIC_URL such as %s with a message", (address) => {
  expect(() => readConfig({ PUBLIC_URL: address })).toThrow(/The setting PUBLIC_URL is wrong/);
});

test("reads the site's address as its origin, however it is written", () => {
  for (const address of ["https://Example.org", "https://example.org/", "https://example.org:443"])
    expect(readConfig({ PUBLIC_URL: address }).publicUrl).toBe("https://example.org");
  expect(readConfig({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
});

test("reads BACKUP_EVERY as a number with its unit, and never shows the passphrase", () => {
  expect(readConfig({}).backups).toMatchObject({ every: undefined, keep: 7 });
  expect(readConfig({ BACKUP_EVERY: "off" }).backups.every).toBe(undefined);
  expect(readConfig({ BACKUP_EVERY: "36h" }).backups.every).toBe(36 * 60 * 60 * 1000);
  for (const value of ["24", "0h", "h", "1w", "-1h"])
    expect(() => readConfig({ BACKUP_EVERY: value })).toThrow(/The setting BACKUP_EVERY is wrong/);
  expect(() => readConfig({ BACKUP_PASSPHRASE: "owls" })).toThrow(/BACKUP_PASSPHRASE is wrong: .*at least 8/);
  expect(() => readConfig({ BACKUP_PASSPHRASE: "owls" })).not.toThrow(/owls/);
  const both = { BACKUP_PASSPHRASE: "a river of owls", BACKUP_RECIPIENT: "age1abc" };
  expect(() => readConfig(both)).toThrow(/exclude each other/);
});

test("shows links of emails on a terminal only, without a mail server and where the log shows them", () => {
  expect(readConfig({}, true).logsMailLinks).toBe(true);
  expect(readConfig({}, false).logsMailLinks).toBe(false);
  expect(readConfig({ LOG_LEVEL: "warn" }, true).logsMailLinks).toBe(false);
  expect(readConfig({ SMTP_URL: "smtp://127.0.0.1:9" }, true).logsMailLinks).toBe(false);
});

test("logs briefly and readably on a terminal, and lines of JSON elsewhere", () => {
  expect(readConfig({}, true).log).toMatchObject({ format: "pretty", sample: undefined });
  expect(readConfig({}, false).log).toMatchObject({ format: "json", sample: 10 });
  const settings = { LOG_FORMAT: "json", LOG_SAMPLE: "3" };
  expect(readConfig(settings, true).log).toMatchObject({ format: "json", sample: 3 });
  expect(readConfig({ LOG_SAMPLE: "off" }, false).log.sample).toBe(undefined);
  for (const value of ["0", "-1", "some"])
    expect(() => readConfig({ LOG_SAMPLE: value })).toThrow(/LOG_SAMPLE is wrong: must be .* or off/);
});
