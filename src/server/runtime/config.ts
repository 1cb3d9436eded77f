import path from "node:path";
import { z } from "zod";
import { isPostgresUrl } from "../database/schema/store.ts";
import { bucketAt } from "../files/s3-address.ts";
import { version } from "./project-root.ts";

const address = (protocols: string[]) =>
  z.string().refine(
    (value) => {
      try {
        return protocols.includes(new URL(value).protocol);
      } catch {
        return false;
      }
    },
    `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
  );
const onOff = z
  .enum(["on", "off", "true", "false", "1", "0"], "must be on or off")
  .transform((value) => value === "on" || value === "true" || value === "1");

const oneOf = (names: string[]) => `must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
const choice = <const Names extends string[]>(...names: Names) => z.enum(names, oneOf(names));
const number = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Such as `24h`, or `off`; in milliseconds. */
const duration = z
  .string()
  .regex(/^(off|[1-9]\d{0,5}[smhd])$/, "must be off, or a number with s, m, h or d behind it, such as 24h")
  .transform((value) =>
    value === "off" ? undefined : Number(value.slice(0, -1)) * units[value.slice(-1) as keyof typeof units],
  );

const Settings = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: number(0, 65_535).default(3000),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z
    .string()
    .refine(
      (value) => isPostgresUrl(value) && URL.canParse(value),
      "must be an address such as postgres://user:password@host/database",
    )
    .optional(),
  S3_URL: z
    .string()
    .refine(
      (value) => bucketAt(value) !== undefined,
      "must be an address such as https://KEY:SECRET@s3.example.org/bucket?region=eu-west-1, in which special characters of the secret are encoded, / as %2F",
    )
    .optional(),
  PUBLIC_URL: address(["http:", "https:"])
    .refine(
      (value) => !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`,
      "must be the address of a whole site, with nothing after its name and port",
    )
    .transform((value) => new URL(value).origin)
    .optional(),
  SITE_NAME: z
    .string()
    .trim()
    .regex(/^.{1,60}$/u, "must have 1 to 60 characters")
    .default("Reprise"),
  DOCS_URL: z
    .string()
    .refine(
      (value) => value.startsWith("/") || /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
      "must be an address that starts with https://, http:// or /",
    )
    .default("/docs"),
  SMTP_URL: z
    .string()
    .refine(
      (value) => /^smtps?:$/.test(URL.parse(value)?.protocol ?? "") && URL.parse(value)?.hostname !== "",
      "must be an address such as smtps://user:password@mail.example.org, in which special characters of the password are encoded, # as %23",
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^\s@<>]+@[^\s@<>]+|[^<>]*<[^\s@<>]+@[^\s@<>]+>)$/,
      "must be an email address, or such as Name <name@example.org>",
    )
    .optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: address(["http:", "https:"]).default("https://accounts.google.com"),
  RATE_LIMIT: onOff.default(true),
  FETCH_PICTURES: onOff.default(true),
  CACHE_MB: number(32, 100_000).default(64),
  FEED_HUB: address(["http:", "https:"]).optional(),
  SERVICE_WORKER: onOff.default(true),
  TRUST_PROXY: onOff.default(false),
  BACKUP_EVERY: duration.optional(),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_KEEP: number(1, 10_000).default(7),
  BACKUP_PASSPHRASE: z.string().min(8, "must have at least 8 characters").optional(),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[a-z0-9]{58,}$/, "must be the public key of an age identity: age1…")
    .optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  LOG_FORMAT: choice("pretty", "json").optional(),
  LOG_SAMPLE: z
    .string()
    .regex(/^(off|[1-9]\d{0,5})$/, "must be a whole number from 1 to 999999, or off")
    .optional(),
  LOG_ADDRESSES: onOff.default(false),
  LOG_LEVEL: choice("fatal", "error", "warn", "info", "debug", "trace", "silent").default("info"),
});

/** All settings (docs/self-hosting.md, "Settings"), parsed once. Folders are absolute; `publicUrl` has no trailing slash. */
export interface Config {
  /** The version of Reprise that runs. */
  version: string;
  host: string;
  port: number;
  dataDir: string;
  databaseFile: string;
  /** The PostgreSQL database, if the site has one instead of the file. */
  databaseUrl: string | undefined;
  /** The bucket of pictures, exports and imports, with its key, if the site has one instead of folders. */
  s3Url: string | undefined;
  mediaDir: string;
  outboxDir: string;
  /** Database copies from before migrations. */
  backupDir: string;
  /** Archives of the site; `every` in milliseconds. */
  backups: {
    every: number | undefined;
    folder: string;
    keep: number;
    passphrase: string | undefined;
    recipient: string | undefined;
  };
  publicUrl: string;
  /** Whether `PUBLIC_URL` is set. */
  isPublicUrlSet: boolean;
  /** Whether the first administrator comes by a link: strangers can find the site before they sign up. */
  setUpByLink: boolean;
  /** By administrators, or else `SITE_NAME` (`givenName`). */
  siteName: string;
  givenName: string;
  /** Whether `SITE_NAME` is set. */
  isNamed: boolean;
  docsUrl: string;
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** Without a mail server, the log shows links of emails, on a terminal only: readers of stored logs must not get links that open accounts. */
  logsMailLinks: boolean;
  google: { clientId: string; clientSecret: string; issuer: string } | undefined;
  rateLimit: boolean;
  /** The most bytes of what is kept in memory because it can be made again. */
  cacheBytes: number;
  /** Whether saving imports remote images. */
  fetchPictures: boolean;
  /** The WebSub hub of the feeds. */
  feedHub: string | undefined;
  /** Whether browsers cache read articles for offline use. */
  serviceWorker: boolean;
  trustProxy: boolean;
  /** Without a token, `/metrics` is off. */
  metrics: { token: string | undefined };
  logLevel: string;
  /**
   * One of `sample` successful responses is logged, a blocked thread from `blockedFromMs` milliseconds, IP addresses if `addresses`.
   */
  log: { format: "pretty" | "json"; sample: number | undefined; blockedFromMs: number; addresses: boolean };
  /** Whether cookies are `Secure` and `__Host-`. */
  https: boolean;
  /** Sign-in examples, only in demo mode. */
  samples: { name: string; email: string; password: string }[];
}

/** Returns names in the environment that are probably misspelt settings, each with the setting. */
export function misspeltSettings(
  environment: Record<string, string | undefined>,
): [name: string, setting: string][] {
  const settings = Object.keys(Settings.shape);
  const unknown = Object.keys(environment).filter((name) => !settings.includes(name));
  return unknown.flatMap((name): [string, string][] => {
    // Other programs have settings of their own: only near misses of long names.
    const setting = settings.find(
      (known) => distance(name.toUpperCase(), known) <= Math.min(2, Math.floor(known.length / 5)),
    );
    return setting === undefined ? [] : [[name, setting]];
  });
}

/** Returns how many letters were added, left out, replaced or swapped with the next one. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const at = (up: number, left: number) => (up === 0 ? row : rows[i - up])?.[j - left] ?? 0;
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          at(1, 0) + 1,
          at(0, 1) + 1,
          at(1, 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
          ...(isSwapped ? [at(2, 2) + 1] : []),
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

/** Not to be logged, even if invalid. */
const isSecret = (setting: string) => /PASSPHRASE|SECRET|TOKEN|SMTP_URL|DATABASE_URL|S3_URL/.test(setting);

/**
 * Reads the environment. Throws an Error of one line for an invalid setting. With `onTerminal`, the log is quiet and readable
 * by default.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
  onTerminal: boolean = process.stdout.isTTY,
): Config {
  const nonEmpty = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Settings.safeParse(nonEmpty);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    throw new Error(
      `The setting ${name} is wrong: ${issue?.message}${isSecret(name) ? "" : ` (it is ${JSON.stringify(nonEmpty[name])})`}.`,
    );
  }
  const settings = parsed.data;
  if (settings.BACKUP_PASSPHRASE !== undefined && settings.BACKUP_RECIPIENT !== undefined)
    throw new Error(
      "The settings BACKUP_PASSPHRASE and BACKUP_RECIPIENT exclude each other: set one of them.",
    );
  if ((settings.GOOGLE_CLIENT_ID === undefined) !== (settings.GOOGLE_CLIENT_SECRET === undefined)) {
    throw new Error(
      "The settings GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: set both or neither.",
    );
  }
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  const dataDir = path.resolve(settings.DATA_DIR);
  return {
    version,
    host: settings.HOST,
    port: settings.PORT,
    dataDir,
    databaseFile: path.join(dataDir, "reprise.db"),
    databaseUrl: settings.DATABASE_URL,
    s3Url: settings.S3_URL,
    mediaDir: path.join(dataDir, "media"),
    outboxDir: path.join(dataDir, "outbox"),
    backupDir: path.join(dataDir, "backups"),
    backups: {
      every: settings.BACKUP_EVERY,
      folder: path.resolve(settings.BACKUP_DIR ?? path.join(dataDir, "backups")),
      keep: settings.BACKUP_KEEP,
      passphrase: settings.BACKUP_PASSPHRASE,
      recipient: settings.BACKUP_RECIPIENT,
    },
    publicUrl,
    isPublicUrlSet: settings.PUBLIC_URL !== undefined,
    setUpByLink: ![new URL(publicUrl).hostname, settings.HOST].every(isThisComputer),
    siteName: settings.SITE_NAME,
    givenName: settings.SITE_NAME,
    isNamed: nonEmpty.SITE_NAME !== undefined,
    docsUrl: settings.DOCS_URL,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    logsMailLinks:
      onTerminal &&
      settings.SMTP_URL === undefined &&
      ["info", "debug", "trace"].includes(settings.LOG_LEVEL),
    google:
      settings.GOOGLE_CLIENT_ID && settings.GOOGLE_CLIENT_SECRET
        ? {
            clientId: settings.GOOGLE_CLIENT_ID,
            clientSecret: settings.GOOGLE_CLIENT_SECRET,
            issuer: settings.GOOGLE_ISSUER.replace(/\/+$/, ""),
          }
        : undefined,
    rateLimit: settings.RATE_LIMIT,
    cacheBytes: settings.CACHE_MB * 1024 * 1024,
    fetchPictures: settings.FETCH_PICTURES,
    feedHub: settings.FEED_HUB,
    serviceWorker: settings.SERVICE_WORKER,
    trustProxy: settings.TRUST_PROXY,
    metrics: { token: settings.METRICS_TOKEN },
    logLevel: settings.LOG_LEVEL,
    log: {
      format: settings.LOG_FORMAT ?? (onTerminal ? "pretty" : "json"),
      sample: sampleOf(settings.LOG_SAMPLE ?? (onTerminal ? "off" : "10")),
      blockedFromMs: onTerminal ? 1_000 : 0,
      addresses: settings.LOG_ADDRESSES,
    },
    https: publicUrl.startsWith("https:"),
    samples: [],
  };
}

/** Whether only this computer's people reach a host of this name or address. */
const isThisComputer = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\]|::1)$/.test(host);

const sampleOf = (value: string): number | undefined => (value === "off" ? undefined : Number(value));
