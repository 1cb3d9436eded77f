import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** 1 is internal, 2 a request. */
  kind: number;
  milliseconds: number;
  status?: { code?: number };
  values: Record<string, string | number>;
}
interface Value {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
}
type Sent = Omit<ReceivedSpan, "values" | "milliseconds"> & {
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Value[];
};

const valuesOf = (attributes: Value[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );

/**
 * Starts a trace collector on loopback that takes OTLP over HTTP as JSON. With `hangs` it takes everything and never responds.
 */
export async function startTraceCollector({ hangs = false } = {}) {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const requests: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const resources: Record<string, string | number>[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    if (hangs) return;
    const collect = async () => {
      const body = await text(request);
      bodies.push(body);
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { resource: { attributes: Value[] }; scopeSpans: { spans: Sent[] }[] }[];
      };
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(valuesOf(resource.attributes));
        for (const { attributes, startTimeUnixNano, endTimeUnixNano, ...span } of scopeSpans.flatMap(
          (scope) => scope.spans,
        ))
          spans.push({
            ...span,
            milliseconds: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
            values: valuesOf(attributes),
          });
      }
      response.setHeader("content-type", "application/json").end("{}");
    };
    collect().catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    requests,
    resources,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
