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
  /** Of how many requests and jobs it is told. */
  ratio: number;
  /** Hears of the first of the times that it could not be told. */
  tell: (error: unknown) => void;
}

const patience = 2_000;

class Part implements Span {
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
 * Spans by OTLP over HTTP, in JSON. The SDK takes the rest of the standard settings (headers, timeout, service name) from the
 * environment itself. None of its own instrumentation is used: that tells of addresses and statements.
 */
export function traceByOtlp({ url, ratio, tell }: Collector): Tracing {
  const exporter = telling(new OTLPTraceExporter({ url }), tell);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "reprise" }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("reprise");
  const current = new AsyncLocalStorage<Part>();
  return {
    begin: (name, { ago = 0, isRequest = false, root = isRequest } = {}) => {
      const around = root ? undefined : current.getStore();
      const parent = around ? trace.setSpan(ROOT_CONTEXT, around.otel) : ROOT_CONTEXT;
      const kind = isRequest ? SpanKind.SERVER : SpanKind.INTERNAL;
      return new Part(tracer.startSpan(name, { kind, startTime: Date.now() - ago }, parent));
    },
    within: (span, work) => current.run(span as Part, work),
    close: async () => {
      const over = new AbortController();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        pause(patience, undefined, { signal: over.signal }).catch(() => undefined),
      ]);
      over.abort();
    },
  };
}

/** A collector that is away is told of once, and again after it was there. */
function telling(exporter: SpanExporter, tell: Collector["tell"]): SpanExporter {
  let isAway = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error && !isAway) tell(error);
        isAway = error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
