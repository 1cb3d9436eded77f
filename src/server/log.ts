import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { pino, type DestinationStream, type LoggerOptions } from "pino";
import type { Config } from "./config.ts";

/** What of a message may be somebody's own, as docs/privacy.md promises that none of it is logged. The order counts. */
const hidden: [RegExp, string][] = [
  [/\bparams: [\s\S]*$/, "params: …"],
  [/\baltnames: [\s\S]*$/, "altnames: …"],
  // A mail server says whatever it likes behind its number.
  [/\b([2-5]\d\d)[ -][\s\S]*$/, "$1 …"],
  [/"(?:[^"\\]|\\.)*"?|`[^`]*`?|“[^”]*”?|‘[^’]*’?|<[^>]*>?|(?<!\w)'[^']*'?/g, "…"],
  [/\b\w+:\/\/\S+/g, "…"],
  [/\S+@\S+/g, "…"],
  [/(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|(?<!\w)(?:[\da-f]{0,4}:){2,}[\da-f.]*/gi, "…"],
  // Paths, tokens, keys.
  [/(?<![\w.])\/\S+|(?=\S*\d)[\w+/=-]{16,}/g, "…"],
];
const withoutValues = (text: string): string =>
  hidden.reduce((left, [what, instead]) => left.replace(what, instead), text).slice(0, 300);

const named = (value: unknown): string | undefined =>
  typeof value === "number" || (typeof value === "string" && /^[\w.-]{1,60}$/.test(value))
    ? String(value)
    : undefined;

type Told = Record<string, unknown> & Record<"type" | "message" | "stack", string>;

/** Where an error came from, and what it is, as far as it is the program's own. `depth` bounds causes of causes. */
export function toldOf(error: unknown, depth = 4): Told {
  if (!(error instanceof Error)) return { type: typeof error, message: "…", stack: "" };
  const {
    name,
    message,
    stack = "",
    cause,
    code,
    syscall,
    statusCode,
    responseCode,
  } = error as Error & Partial<Record<"code" | "syscall" | "statusCode" | "responseCode", unknown>>;
  // V8 quotes what it could not parse, quotation marks and all; the system says what it was called with.
  const said =
    name === "SyntaxError" ? "…" : syscall ? `${named(syscall)} ${named(code)}` : withoutValues(message);
  // A message may have many lines, and look like anything.
  const frames = stack.startsWith(`${name}: ${message}`)
    ? stack.slice(name.length + 2 + message.length)
    : stack;
  return {
    type: named(error.constructor.name) ?? named(name) ?? "Error",
    message: said,
    code: named(code),
    status: named(responseCode ?? statusCode),
    stack: frames
      .split("\n")
      .filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line))
      .map((line) => line.trim().replace(/\?\S*?(?=:\d+:\d+)/, ""))
      .join("\n"),
    ...(cause === undefined || depth === 0 ? {} : { cause: toldOf(cause, depth - 1) }),
  };
}

/**
 * Opens the log: one JSON line for each event, or lines for people to read; in both nothing of what anybody said, asked for or
 * is known by. docs/privacy.md lists what is in a line.
 */
export async function openLog({
  logLevel: level,
  log: { format },
}: Pick<Config, "logLevel" | "log">): Promise<FastifyBaseLogger> {
  const options: LoggerOptions = {
    level,
    serializers: {
      req: ({ method, routeOptions }: FastifyRequest) => ({ method, route: routeOptions?.url }),
      err: (error: unknown) => toldOf(error),
      // Of libraries that log by themselves.
      path: () => "…",
      busboyOptions: () => "…",
    },
    hooks: {
      // An error that comes without words gets its own message for them, past the serializers.
      logMethod([first, second, ...rest]: unknown[], method: (...entry: never[]) => void): void {
        const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
        const entry =
          error === undefined
            ? [typeof first === "string" ? first.replace(/"[^"]*"/g, "…") : first, second]
            : [first instanceof Error ? { err: first } : first, second ?? "an error"];
        method.apply(this, [...entry, ...rest] as never[]);
      },
    },
  };
  const stream = format === "pretty" ? await readableLines() : undefined;
  // As its own first step, with no line of ours below it: pino asks which file called it, for which Node would read the whole
  // map of that file, and keep 15 MB.
  const open: (...given: [LoggerOptions, DestinationStream?]) => FastifyBaseLogger = pino<never>;
  return Promise.resolve().then(open.bind(undefined, options, stream));
}

/** Lines with the time, the level and the event, for a terminal. */
async function readableLines(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    ignore: "pid,hostname,reqId,req",
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
    sync: true,
  });
}

const slow = 1_000;

/**
 * Writes a line of an answer: of those that went well each `log.sample`th, or none; of slow ones, and of those that did not, all
 * but what is not there, which programs that look for holes ask for all day.
 */
export function answerLog(
  { sample, addresses }: Pick<Config["log"], "sample" | "addresses">,
  callOf: CallOf,
) {
  let usual = 0;
  return (request: FastifyRequest, { raw }: FastifyReply, milliseconds: number): void => {
    const status = raw.headersSent ? raw.statusCode : 499;
    const isUsual = (status < 400 || status === 404) && milliseconds < slow;
    if (isUsual && (sample === undefined || usual++ % sample !== 0)) return;
    const line = {
      call: callOf(request),
      status,
      ms: Math.round(milliseconds * 10) / 10,
      ...(isUsual && sample !== undefined && sample > 1 ? { oneOf: sample } : {}),
      ...(addresses ? { address: request.ip } : {}),
    };
    if (status >= 500) request.log.warn(line, "answered");
    else request.log.info(line, "answered");
  };
}
type CallOf = (request: FastifyRequest) => string;
