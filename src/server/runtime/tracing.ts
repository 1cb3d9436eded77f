import type { Config } from "./config.ts";
import type { Database } from "../database/connection.ts";

/** A traced operation. Names and values contain no personal data. */
export interface Span {
  set(name: string, value: string | number): void;
  /** Marks a failure without the error's message. */
  fail(error: unknown): void;
  end(): void;
}

/** Sends durations of operations to a collector. */
export interface Tracing {
  /** Begins a span `ago` milliseconds back: of a request, without a parent (`root`), or within the current span. */
  begin(name: string, options?: { ago?: number; isRequest?: boolean; root?: boolean }): Span;
  /** Runs `work` as part of `span`. */
  within<T>(span: Span, work: () => T): T;
  /** Sends remaining spans within two seconds. */
  close(): Promise<void>;
}

/** Loads nothing without a collector. */
export const openTracing = async (
  { tracing }: Config,
  onError: (error: unknown) => void,
): Promise<Tracing | undefined> =>
  tracing && (await import("./tracing-otlp.ts")).traceByOtlp({ ...tracing, onError });

/** Runs `work` as a span, if tracing is on. */
export async function traced<T>(
  tracing: Tracing | undefined,
  name: string,
  work: (span?: Span) => Promise<T>,
  options?: { root: boolean },
): Promise<T> {
  if (!tracing) return work();
  const span = tracing.begin(name, options);
  try {
    return await tracing.within(span, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Traces each write, and how long it was queued. */
export const traceWrites = (database: Database, tracing: Tracing | undefined): Database =>
  tracing
    ? {
        ...database,
        write: (work) => {
          const queuedAt = performance.now();
          return traced(tracing, "write", (span) =>
            database.write((tx) => {
              span?.set("reprise.waited_ms", performance.now() - queuedAt);
              return work(tx);
            }),
          );
        },
      }
    : database;
