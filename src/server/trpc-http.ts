import { getTRPCErrorFromUnknown, getTRPCErrorShape, type TRPCError } from "@trpc/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { mostCalls } from "../shared/answer.ts";
import type { Context } from "./context.ts";
import { appRouter } from "./router.ts";
import { retryAfterOf } from "./trpc.ts";

interface Call {
  path: string;
  input: unknown;
  procedure: Procedure;
}
interface Procedure {
  (call: object): Promise<unknown>;
  _def: { type: "query" | "mutation" | "subscription"; meta: unknown };
}
interface Answered {
  body: { result: { data: unknown } } | { error: { data: { httpStatus: number } } };
  error?: TRPCError;
}

const procedures = new Map(Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>));
const config = appRouter._def._config;

export const isProcedure = (path: string): boolean => procedures.has(path);

/** What its procedure says of itself. */
export const metaOf = (path: string): unknown => procedures.get(path)?._def.meta;

/**
 * Answers questions and changes over HTTP word for word as tRPC's adapter does, which makes a web request, a response and
 * streams of each: that takes longer than most calls. False where it is to answer itself: what goes on, and what no page asks.
 */
export async function answerCalls(
  request: FastifyRequest,
  reply: FastifyReply,
  contextFor: (paths: string[]) => Promise<Context>,
  onError: (error: TRPCError, path: string) => void,
): Promise<boolean> {
  const asked = callsIn(request);
  // Whatever is wrong with who asks is said of each call: that is told there.
  const ctx = asked && (await contextFor(asked.calls.map(({ path }) => path)).catch(() => undefined));
  if (!asked || !ctx) return false;
  const type = request.method === "GET" ? "query" : "mutation";
  const answer = async ({ path, input, procedure }: Call, batchIndex: number): Promise<Answered> => {
    try {
      const own: Context = { ...ctx, isOwn: true };
      const call = { path, ctx: own, type, getRawInput: async () => input, signal: ctx.signal, batchIndex };
      return { body: { result: { data: await procedure(call) } } };
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      onError(error, path);
      return { error, body: { error: getTRPCErrorShape({ config, ctx, error, input, path, type }) } };
    }
  };
  const answers = await Promise.all(asked.calls.map(answer));
  const bodies = answers.map(({ body }) => body);
  const statuses = new Set(bodies.map((body) => ("error" in body ? body.error.data.httpStatus : 200)));
  const [status = 200] = statuses;
  await reply
    .code(statuses.size > 1 ? 207 : status)
    .headers({
      vary: "trpc-accept, accept",
      ...retryAfterOf(answers.flatMap(({ error }) => error ?? [])),
    })
    .type("application/json")
    .send(JSON.stringify(asked.isBatch ? bodies : bodies[0]));
  return true;
}

/** The calls of a request, where it is such as pages send. */
function callsIn({
  method,
  headers,
  params,
  query,
  body,
}: FastifyRequest): { calls: Call[]; isBatch: boolean } | undefined {
  const { path = "" } = params as { path?: string };
  const { batch, input, connectionParams } = query as Record<string, unknown>;
  const isBatch = batch === "1";
  const paths = isBatch ? path.split(",") : [path];
  const type = { GET: "query", POST: "mutation" }[method];
  const isJson = headers["content-type"]?.startsWith("application/json") ?? method === "GET";
  const isOdd = headers["trpc-accept"] !== undefined || headers.accept?.includes("jsonl");
  if (!isJson || isOdd || connectionParams !== undefined || paths.length > mostCalls) return undefined;
  const isBare = method === "GET" && (input === undefined || input === "");
  const given = isBare ? { value: isBatch ? {} : undefined } : parsed(method === "GET" ? input : body);
  if (!given || (isBatch && !isRecord(given.value))) return undefined;
  const inputs = isBatch ? (given.value as Record<string, unknown>) : [given.value];
  const calls: Call[] = [];
  for (const [index, name] of paths.entries()) {
    const procedure = procedures.get(name);
    if (!procedure || procedure._def.type !== type) return undefined;
    calls.push({ path: name, procedure, input: inputs[index as never] });
  }
  return { calls, isBatch };
}

const isRecord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: unknown): { value: unknown } | undefined {
  try {
    return typeof text === "string" ? { value: JSON.parse(text) as unknown } : undefined;
  } catch {
    return undefined;
  }
}
