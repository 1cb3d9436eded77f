import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span as OtelSpan } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { Span, Tracing } from "./tracing.ts";

interface Collector {
  url: string;
  /** The fraction of requests and jobs traced. */
  ratio: number;
  /** Called for the first of several failures. */
  onError: (error: unknown) => void;
}

const closeTimeoutMs = 2_000;

class OtlpSpan implements Span {
  readonly otel: OtelSpan;
  constructor(otel: OtelSpan) {
    this.otel = otel;
  }
  set(name: string, value: string | number): void {
    if (name === "name") this.otel.updateName(String(value));
    else this.otel.setAttribute(name, value);
  }
  fail(error: unknown): void {
    this.otel.setStatus({ code: SpanStatusCode.ERROR });
    this.otel.setAttribute("error.type", error instanceof Error ? error.constructor.name : String(error));
  }
  end(): void {
    this.otel.end();
  }
}

/**
 * Traces by OTLP over HTTP in JSON. The SDK reads other standard settings (headers, timeout, service name) from the
 * environment. Its instrumentation is off: it records addresses and statements.
 */
export function traceByOtlp({ url, ratio, onError }: Collector): Tracing {
  const exporter = reportingFailures(new OTLPTraceExporter({ url }), onError);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "reprise" }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("reprise");
  const current = new AsyncLocalStorage<OtlpSpan>();
  return {
    begin: (name, { ago = 0, isRequest = false, root = isRequest } = {}) => {
      const parentSpan = root ? undefined : current.getStore();
      const parent = parentSpan ? trace.setSpan(ROOT_CONTEXT, parentSpan.otel) : ROOT_CONTEXT;
      const kind = isRequest ? SpanKind.SERVER : SpanKind.INTERNAL;
      return new OtlpSpan(tracer.startSpan(name, { kind, startTime: Date.now() - ago }, parent));
    },
    within: (span, work) => current.run(span as OtlpSpan, work),
    close: async () => {
      const timeout = new AbortController();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        pause(closeTimeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
    },
  };
}

/** Reports an unreachable collector once, until it was reachable again. */
function reportingFailures(exporter: SpanExporter, onError: Collector["onError"]): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error && !isFailing) onError(error);
        isFailing = error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
