import { expect, test } from "vitest";
import { misspeltSettings, readConfig } from "../../../../src/server/runtime/config.ts";

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
  const both = { BACKUP_PASSPHRASE: "a river of owls", BACKUP_RECIPIENT: `age1${"q".repeat(58)}` };
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

test.each([
  ["PORT", "http", "must be a whole number from 0 to 65535"],
  ["PORT", "70000", "must be a whole number from 0 to 65535"],
  ["SITE_NAME", "x".repeat(61), "must have 1 to 60 characters"],
  ["DOCS_URL", "docs", "must be an address that starts with https://, http:// or /"],
  ["SMTP_URL", "smtp://ana:a#b@example.org", "# as %23"],
  ["SMTP_URL", "smtps://", "such as smtps://user:password@mail.example.org"],
  ["S3_URL", "https://key:a/b@s3.example.org/bucket", "/ as %2F"],
  ["S3_URL", "https://key:secret@s3.example.org", "https://KEY:SECRET@s3.example.org/bucket"],
  ["S3_URL", "https://key:secret@s3.example.org/bucket/../other?x=1", "https://KEY:SECRET@"],
  ["MAIL_FROM", "Reprise", "must be an email address"],
  ["GOOGLE_ISSUER", "google", "must be an address that starts with"],
  ["RATE_LIMIT", "maybe", "must be on or off"],
  ["FEED_HUB", "hub", "must be an address that starts with"],
  ["BACKUP_EVERY", "daily", "must be off, or a number with s, m, h or d behind it, such as 24h"],
  ["BACKUP_KEEP", "some", "must be a whole number from 1 to 10000"],
  ["BACKUP_RECIPIENT", "age1abc", "must be the public key of an age identity"],
  ["METRICS_TOKEN", "short", "must have at least 16 characters"],
  ["LOG_FORMAT", "xml", "must be pretty or json"],
  ["LOG_LEVEL", "loud", "must be fatal, error, warn, info, debug, trace or silent"],
])("refuses %s=%s in one line that says what is possible", (name, value, possible) => {
  let message = "";
  try {
    readConfig({ [name]: value });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(`The setting ${name} is wrong: `);
  expect(message).toContain(possible);
  expect(message).not.toContain("\n");
});

test("accepts senders with and without a name", () => {
  for (const sender of ["ana@example.org", "Ana Owl <ana@example.org>", '"Owl, Ana" <ana@example.org>'])
    expect(readConfig({ MAIL_FROM: sender }).mailFrom).toBe(sender);
});

test("recognizes misspelt settings, but not the variables of other programs", () => {
  const misspelt = {
    PUBLC_URL: "PUBLIC_URL",
    SMPT_URL: "SMTP_URL",
    DATADIR: "DATA_DIR",
    public_url: "PUBLIC_URL",
  };
  expect(misspeltSettings({ ...misspelt, PUBLIC_URL: "x" })).toEqual(Object.entries(misspelt));
  const others = [
    "PATH",
    "HOME",
    "POST",
    "HOSTS",
    "SMTP_USER",
    "SITE_URL",
    "NODE_ENV",
    "LOG_DIR",
    "XDG_DATA_DIRS",
  ];
  expect(misspeltSettings(Object.fromEntries(others.map((name) => [name, "x"])))).toEqual([]);
});
