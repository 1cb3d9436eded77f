import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";

/** Something that takes its time, and may be a part of something that does. Names and values say nothing of anybody. */
export interface Span {
  set(name: string, value: string | number): void;
  /** That it went wrong: of what an error says nothing is told. */
  fail(error: unknown): void;
  end(): void;
}

/** Tells a collector how long what takes. It is there where a setting asks for it. */
export interface Tracing {
  /** A span that began so many milliseconds ago: of a request, or `root` of what is part of nothing, else of where it is called. */
  begin(name: string, options?: { ago?: number; isRequest?: boolean; root?: boolean }): Span;
  /** Does something so that what begins in it is a part of the span. */
  within<T>(span: Span, work: () => T): T;
  /** Sends what has not gone yet, for two seconds at most. */
  close(): Promise<void>;
}

/** Nothing of it is loaded where no collector is named. */
export const openTracing = async (
  { tracing }: Config,
  tell: (error: unknown) => void,
): Promise<Tracing | undefined> =>
  tracing && (await import("./tracing-otlp.ts")).traceByOtlp({ ...tracing, tell });

/** Does something as a span of its own, where there are any. */
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

/** Has each write tell how long it took, and for how much of that it waited. */
export const traceWrites = (database: Database, tracing: Tracing | undefined): Database =>
  tracing
    ? {
        ...database,
        write: (work) => {
          const asked = performance.now();
          return traced(tracing, "write", (span) =>
            database.write((tx) => {
              span?.set("reprise.waited_ms", performance.now() - asked);
              return work(tx);
            }),
          );
        },
      }
    : database;
