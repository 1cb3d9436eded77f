import {
  initTRPC,
  TRPCError,
  type TRPCBuiltRouter,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCRouterRecord,
} from "@trpc/server";
import { ZodError } from "zod";
import { AppError, errorCodes, messages } from "../../shared/errors.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { asUnavailable } from "../database/errors.ts";
import { userTopic } from "../live/stored-events.ts";
import { cursorNow } from "../live/event-log.ts";
import { limitConcurrency } from "../runtime/concurrency.ts";
import { fieldOf } from "./input-messages.ts";

/** Streams restart after these milliseconds: nothing else shows that the client still reads. */
export const maxStreamMs = 120_000;

/**
 * `costly`: the work of many calls. `waits`: yields between queries. `fleeting`: a frequent, unstored change. `large`: its input
 * may be as long as a text.
 */
export interface Meta {
  costly?: boolean;
  waits?: boolean;
  fleeting?: boolean;
  large?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    sse: {
      // A dead stream is noticed as fast as a dead socket (`PING_AFTER` and `PONG_WITHIN` of the live connection).
      ping: { enabled: true, intervalMs: 10_000 },
      client: { reconnectAfterInactivityMs: 13_000 },
      maxDurationMs: maxStreamMs,
    },
    errorFormatter: ({ shape, error }) => {
      const { code, httpStatus, path } = shape.data;
      const planned = error.cause instanceof AppError ? error.cause : undefined;
      const issue = error.cause instanceof ZodError ? error.cause.issues[0] : undefined;
      const field = planned?.field ?? fieldOf(issue);
      const message = issue?.message ?? (code === "INTERNAL_SERVER_ERROR" ? messages.wrong : shape.message);
      return { ...shape, message, data: { code, httpStatus, path, field, retryAfter: planned?.retryAfter } };
    },
  });

export const { router, createCallerFactory } = t;

/** Converts planned errors to tRPC's; others are bugs. Streams call it, too, since their errors bypass middleware. */
export function toTrpcError(thrown: unknown): unknown {
  const error = asUnavailable(thrown) ?? thrown;
  return error instanceof AppError
    ? new TRPCError({ code: errorCodes[error.code].trpc, message: error.message, cause: error })
    : error;
}

/** Returns the `retry-after` header of failed calls. */
export function retryAfterOf(errors: TRPCError[]): Record<string, string> {
  const seconds = errors.flatMap(({ cause }) => (cause instanceof AppError ? (cause.retryAfter ?? []) : []));
  return seconds.length > 0 ? { "retry-after": String(Math.max(...seconds)) } : {};
}

/** Costly calls per request; pages make two or three. */
const maxCostlyCalls = 5;
const tooCostly = () =>
  new AppError(
    "bad_request",
    `Too much for one request: at most ${maxCostlyCalls} searches, lists of comments or recommendations.`,
  );

type Step = Extract<Parameters<typeof t.procedure.use>[0], (...of: never[]) => unknown>;
type ProcedureCall = Pick<Parameters<Step>[0], "ctx" | "type" | "meta" | "next">;
type Outcome = Awaited<ReturnType<Step>>;

/** Yielding while it holds a snapshot occupies a database connection: at most two calls do, others wait before reading. */
const limitedSnapshots = limitConcurrency(2);

/** Each open snapshot's cursor, read once. */
const cursors = new WeakMap<Connection, Promise<string>>();
function cursorOf(snapshot: Connection): Promise<string> {
  let cursor = cursors.get(snapshot);
  if (!cursor) cursors.set(snapshot, (cursor = cursorNow(snapshot)));
  return cursor;
}

/**
 * Adds to every response its cursor (docs/decisions/0007-event-log-and-live-store.md). A query reads one snapshot: everything
 * up to the cursor and nothing beyond. A mutation's cursor is read after the commit, so that it covers the mutation's events;
 * the viewer's open pages are signalled to advance.
 */
async function withCursors({ ctx, type, meta, next }: ProcedureCall): Promise<Outcome> {
  if (type === "subscription") return next();
  if (type === "mutation") {
    const result = await next();
    if (!result.ok) return result;
    // The change is committed: better no cursor than an error.
    const cursor = await cursorNow(ctx.database.read).catch(() => undefined);
    if (ctx.viewer && !meta?.fleeting) ctx.bus.signal([userTopic(ctx.viewer.id)]);
    return cursor === undefined ? result : { ...result, data: withCursor(result.data, cursor) };
  }
  const { snapshot } = ctx.database;
  const answer = async (read: Connection) => {
    const cursor = await cursorOf(read);
    const result = await next({ ctx: { database: { ...ctx.database, read } } });
    return result.ok ? { ...result, data: withCursor(result.data, cursor) } : result;
  };
  return meta?.waits ? limitedSnapshots(() => snapshot(answer, { alone: true })) : snapshot(answer);
}

const withCursor = (data: unknown, cursor: string): unknown =>
  typeof data === "object" && data !== null ? { ...data, cursor } : data;

/** A router whose responses all have a cursor. */
export type WithCursors<Router> =
  Router extends TRPCBuiltRouter<infer Root, infer Record>
    ? TRPCBuiltRouter<Root, PlacedRecord<Record>>
    : never;
type PlacedRecord<Of extends TRPCRouterRecord> = {
  [Name in keyof Of]: Of[Name] extends TRPCQueryProcedure<infer Def>
    ? TRPCQueryProcedure<PlacedDef<Def>>
    : Of[Name] extends TRPCMutationProcedure<infer Def>
      ? TRPCMutationProcedure<PlacedDef<Def>>
      : Of[Name] extends TRPCRouterRecord
        ? PlacedRecord<Of[Name]>
        : Of[Name];
};
type PlacedDef<Def extends { meta: unknown; input: unknown; output: unknown }> = Omit<Def, "output"> & {
  output: Def["output"] extends infer Answer ? PlacedAnswer<Answer> : never;
};

type PlacedAnswer<Answer> = Answer extends object
  ? "cursor" extends keyof Answer
    ? Answer
    : Answer & { cursor: string }
  : Answer;

/**
 * For guests and members. Rate-limits calls, also by the time that they take, and converts planned errors. `app.ts` adds the
 * length of answers.
 */
export const publicProcedure = t.procedure.use(async (call) => {
  const { ctx, type, meta } = call;
  // A socket cannot set cookies and bypasses HTTP's checks.
  if (ctx.transport === "ws" && type !== "subscription")
    throw new TRPCError({
      code: "METHOD_NOT_SUPPORTED",
      message: "Only subscriptions run over WebSocket.",
    });
  try {
    if (meta?.costly && ctx.costly && ++ctx.costly.calls > maxCostlyCalls) throw tooCostly();
    if (type === "mutation")
      await ctx.limits.take(meta?.fleeting ? "caret" : "write", ctx.viewer?.id ?? ctx.address);
    else if (ctx.transport !== "local") await ctx.limits.take("read", ctx.address);
    const result = await ctx.limits.chargeTime(ctx.address, () => withCursors(call));
    const planned =
      !result.ok && result.error.code === "INTERNAL_SERVER_ERROR" && toTrpcError(result.error.cause);
    if (planned instanceof TRPCError) throw planned;
    return result;
  } catch (thrown) {
    throw toTrpcError(thrown);
  }
});

/** For members only. */
export const authedProcedure = publicProcedure.use(({ ctx, next }) =>
  next({ ctx: { viewer: asMember(ctx).viewer } }),
);

/** Throws `unauthorized` for a guest. */
export function asMember(ctx: Context): MemberContext {
  if (!ctx.viewer) throw new AppError("unauthorized", "Please sign in first.");
  return ctx as MemberContext;
}
