import path from "node:path";
import { z } from "zod";

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
  .enum(["on", "off", "true", "false", "1", "0"])
  .transform((value) => value === "on" || value === "true" || value === "1");

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Such as `24h`; in milliseconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, "must be a number with s, m, h or d behind it, as 24h")
  .transform((value) => Number(value.slice(0, -1)) * units[value.slice(-1) as keyof typeof units]);

const Settings = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  DATA_DIR: z.string().min(1).default("./data"),
  PUBLIC_URL: address(["http:", "https:"])
    .refine(
      (value) => !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`,
      "must be the address of a whole site, with nothing after its name and port",
    )
    .transform((value) => new URL(value).origin)
    .optional(),
  SITE_NAME: z.string().trim().min(1).max(60).default("Reprise"),
  DOCS_URL: z.union([address(["http:", "https:"]), z.string().startsWith("/")]).default("/docs"),
  SMTP_URL: address(["smtp:", "smtps:"]).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: address(["http:", "https:"]).default("https://accounts.google.com"),
  RATE_LIMIT: onOff.default(true),
  FETCH_PICTURES: onOff.default(true),
  FEED_HUB: address(["http:", "https:"]).optional(),
  SERVICE_WORKER: onOff.default(true),
  TRUST_PROXY: onOff.default(false),
  BACKUP_EVERY: z.union([z.literal("off").transform(() => undefined), duration]).optional(),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(10_000).default(7),
  BACKUP_PASSPHRASE: z.string().min(8, "must have at least 8 characters").optional(),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[a-z0-9]+$/, "must be the public key of an age identity: age1…")
    .optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(["http:", "https:"]).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address(["http:", "https:"]).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_FORMAT: z.enum(["pretty", "json"]).optional(),
  LOG_SAMPLE: z
    .string()
    .regex(/^(off|[1-9]\d{0,5})$/, "must be a whole number from 1 to 999999, or off")
    .optional(),
  LOG_ADDRESSES: onOff.default(false),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** All settings (docs/self-hosting.md, "Settings"), parsed once. Folders are absolute; `publicUrl` has no trailing slash. */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseFile: string;
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
  google: { clientId: string; clientSecret: string; issuer: string } | undefined;
  rateLimit: boolean;
  /** Whether saving imports remote images. */
  fetchPictures: boolean;
  /** The WebSub hub of the feeds. */
  feedHub: string | undefined;
  /** Whether browsers cache read articles for offline use. */
  serviceWorker: boolean;
  trustProxy: boolean;
  /** Without a token, `/metrics` is off. */
  metrics: { token: string | undefined };
  /** The collector, and the fraction of traces that it gets. */
  tracing: { url: string; ratio: number } | undefined;
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

/** Not to be logged, even if invalid. */
const isSecret = (setting: string) => /PASSPHRASE|SECRET|TOKEN|SMTP_URL|OTLP/.test(setting);

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
    host: settings.HOST,
    port: settings.PORT,
    dataDir,
    databaseFile: path.join(dataDir, "reprise.db"),
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
    setUpByLink: !isThisComputer(new URL(publicUrl).hostname),
    siteName: settings.SITE_NAME,
    givenName: settings.SITE_NAME,
    isNamed: nonEmpty.SITE_NAME !== undefined,
    docsUrl: settings.DOCS_URL,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    google:
      settings.GOOGLE_CLIENT_ID && settings.GOOGLE_CLIENT_SECRET
        ? {
            clientId: settings.GOOGLE_CLIENT_ID,
            clientSecret: settings.GOOGLE_CLIENT_SECRET,
            issuer: settings.GOOGLE_ISSUER.replace(/\/+$/, ""),
          }
        : undefined,
    rateLimit: settings.RATE_LIMIT,
    fetchPictures: settings.FETCH_PICTURES,
    feedHub: settings.FEED_HUB,
    serviceWorker: settings.SERVICE_WORKER,
    trustProxy: settings.TRUST_PROXY,
    metrics: { token: settings.METRICS_TOKEN },
    tracing: collectorOf(settings),
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

/** Whether only this computer's people reach a host of this name. */
const isThisComputer = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

const sampleOf = (value: string): number | undefined => (value === "off" ? undefined : Number(value));

/** By the OpenTelemetry standard: the traces' own URL, or else the general one with their path. */
function collectorOf(settings: z.output<typeof Settings>): Config["tracing"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesUrl } = settings;
  const url = tracesUrl ?? (baseUrl && `${baseUrl.replace(/\/+$/, "")}/v1/traces`);
  return url === undefined ? undefined : { url, ratio: settings.OTEL_TRACES_SAMPLER_ARG };
}
