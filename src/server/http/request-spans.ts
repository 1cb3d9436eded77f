import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callOf } from "../runtime/loop-watch.ts";
import type { Span, Tracing } from "../runtime/tracing.ts";

/** Traces requests by route. Returns the function that ends a response's span. */
export function traceRequests(server: FastifyInstance, tracing: Tracing) {
  const spans = new WeakMap<FastifyRequest, Span>();
  const begin = (ago: number) => tracing.begin("request", { ago, isRequest: true });
  // Reading the body continues in the connection's async context, so not earlier.
  server.addHook("preHandler", (request, reply, done) => {
    if (request.ws || request.headers.accept === "text/event-stream") return done();
    const span = begin(reply.elapsedTime);
    spans.set(request, span);
    tracing.within(span, done);
  });
  return (request: FastifyRequest, { raw }: FastifyReply, milliseconds: number): void => {
    const span = spans.get(request) ?? begin(milliseconds);
    const status = raw.headersSent ? raw.statusCode : 499;
    const call = callOf(request);
    span.set("name", call);
    span.set("http.request.method", request.method);
    span.set("http.route", call.slice(request.method.length + 1));
    span.set("http.response.status_code", status);
    if (status >= 500) span.fail(status);
    span.end();
  };
}
