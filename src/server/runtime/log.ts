import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { pino, type DestinationStream, type LoggerOptions } from "pino";
import type { Config } from "./config.ts";

/** What may be personal data in messages, which docs/privacy.md promises not to log. The order matters. */
const hidden: [RegExp, string][] = [
  [/\bparams: [\s\S]*$/, "params: …"],
  [/\baltnames: [\s\S]*$/, "altnames: …"],
  // A mail server's text can be anything.
  [/\b([2-5]\d\d)[ -][\s\S]*$/, "$1 …"],
  [/"(?:[^"\\]|\\.)*"?|`[^`]*`?|“[^”]*”?|‘[^’]*’?|<[^>]*>?|(?<!\w)'[^']*'?/g, "…"],
  [/\b\w+:\/\/\S+/g, "…"],
  [/\S+@\S+/g, "…"],
  [/(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|(?<!\w)(?:[\da-f]{0,4}:){2,}[\da-f.]*/gi, "…"],
  // Paths, tokens, keys.
  [/(?<![\w.])\/\S+|(?=\S*\d)[\w+/=-]{16,}/g, "…"],
];
const withoutValues = (text: string): string =>
  hidden
    .reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text)
    .slice(0, 300);

const safeName = (value: unknown): string | undefined =>
  typeof value === "number" || (typeof value === "string" && /^[\w.-]{1,60}$/.test(value))
    ? String(value)
    : undefined;

type LoggedError = Record<string, unknown> & Record<"type" | "message" | "stack", string>;

/** Returns an error's origin and type without personal data. `depth` bounds nested causes. */
export function loggableError(error: unknown, depth = 4): LoggedError {
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
  // V8 quotes unparsable text, and system errors their arguments.
  const safeMessage =
    name === "SyntaxError"
      ? "…"
      : syscall
        ? `${safeName(syscall)} ${safeName(code)}`
        : withoutValues(message);
  // A message may look like stack frames.
  const frames = stack.startsWith(`${name}: ${message}`)
    ? stack.slice(name.length + 2 + message.length)
    : stack;
  return {
    type: safeName(error.constructor.name) ?? safeName(name) ?? "Error",
    message: safeMessage,
    code: safeName(code),
    status: safeName(responseCode ?? statusCode),
    stack: frames
      .split("\n")
      .filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line))
      .map((line) => line.trim().replace(/\?\S*?(?=:\d+:\d+)/, ""))
      .join("\n"),
    ...(cause === undefined || depth === 0 ? {} : { cause: loggableError(cause, depth - 1) }),
  };
}

/** Opens the log, as JSON lines or for people, without personal data (docs/privacy.md lists the fields). */
export async function openLog({
  logLevel,
  log: { format },
}: Pick<Config, "logLevel" | "log">): Promise<FastifyBaseLogger> {
  const options: LoggerOptions = {
    level: logLevel,
    serializers: {
      req: ({ method, routeOptions }: FastifyRequest) => ({ method, route: routeOptions?.url }),
      err: (error: unknown) => loggableError(error),
      // For libraries that log by themselves.
      path: () => "…",
      busboyOptions: () => "…",
    },
    hooks: {
      // Otherwise, pino would log the error's own message, past the serializers.
      logMethod([first, second, ...args]: unknown[], method: (...entry: never[]) => void): void {
        const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
        const entry =
          error === undefined
            ? [typeof first === "string" ? first.replace(/"[^"]*"/g, "…") : first, second]
            : [first instanceof Error ? { err: first } : first, second ?? "an error"];
        method.apply(this, [...entry, ...args] as never[]);
      },
    },
  };
  const stream = format === "pretty" ? await readableLines(/debug|trace/.test(logLevel)) : undefined;
  return pino(options, stream);
}

async function readableLines(withStacks: boolean): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    ignore: withStacks ? "pid,hostname,reqId,req" : "pid,hostname,reqId,req,err",
    ...(withStacks ? {} : { messageFormat: messageWithError }),
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
    sync: true,
  });
}

/** Returns a line of the log with its error and the causes: their messages, and where they were thrown. */
export function messageWithError({ msg, err }: { msg?: unknown; err?: unknown }): string {
  const parts = [String(msg)];
  for (let error = err as LoggedError | undefined; error; error = error.cause as LoggedError | undefined) {
    const [frame] = error.stack.split("\n");
    parts.push(`${error.type}: ${error.message}${frame ? ` ${frame}` : ""}`);
  }
  return parts.join(": ");
}

const slow = 1_000;

/**
 * Logs slow and failed responses, and each `sample`th of the others. 404 is no failure: vulnerability scanners cause it all
 * day.
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
