import {
  initTRPC,
  TRPCError,
  type TRPCBuiltRouter,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCRouterRecord,
} from "@trpc/server";
import { ZodError } from "zod";
import { AppError, errorCodes, messages } from "../shared/errors.ts";
import type { Context, MemberContext } from "./context.ts";
import type { Connection } from "./database/connection.ts";
import { asTrouble } from "./database/errors.ts";
import { userTopic } from "./live/stored-events.ts";
import { cursorNow } from "./live/event-log.ts";
import { fewAtOnce } from "./turns.ts";
import { fieldOf } from "./wording.ts";

/** An answer that goes on is begun anew after so many milliseconds: nothing else shows that somebody still reads it. */
export const answersFor = 120_000;

/**
 * `costly`: one call does the work of many. `waits`: it waits for its turn between one statement and the next. `fleeting`: a
 * change that is stored nowhere, of which there may be many.
 */
const t = initTRPC
  .context<Context>()
  .meta<{ costly?: boolean; waits?: boolean; fleeting?: boolean }>()
  .create({
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
      maxDurationMs: answersFor,
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

/** Planned errors to tRPC's own; the rest stays what it is: a bug. Streams need it too, whose errors pass by middleware. */
export function toTrpcError(thrown: unknown): unknown {
  const error = asTrouble(thrown) ?? thrown;
  return error instanceof AppError
    ? new TRPCError({ code: errorCodes[error.code].trpc, message: error.message, cause: error })
    : error;
}

/** What an answer over HTTP says of when to come back, as the errors in it do. */
export function retryAfterOf(errors: TRPCError[]): Record<string, string> {
  const seconds = errors.flatMap(({ cause }) => (cause instanceof AppError ? (cause.retryAfter ?? []) : []));
  return seconds.length > 0 ? { "retry-after": String(Math.max(...seconds)) } : {};
}

/** Costly calls that may go in one request: a page asks for two or three at once. */
const mostCostly = 5;
const tooCostly = () =>
  new AppError(
    "bad_request",
    `Too much for one request: at most ${mostCostly} searches, lists of comments or recommendations.`,
  );

type Step = Extract<Parameters<typeof t.procedure.use>[0], (...of: never[]) => unknown>;
type Asking = Pick<Parameters<Step>[0], "ctx" | "type" | "meta" | "next">;
type Outcome = Awaited<ReturnType<Step>>;

/**
 * A procedure whose calls `answer` answers, after they were counted; planned errors become tRPC's own.
 */
const counted = (answer: (asking: Asking) => Promise<Outcome>) =>
  t.procedure.use(async (asking) => {
    const { ctx, type, meta } = asking;
    // A socket can't set cookies and passes by the checks of HTTP: it is there to be listened to.
    if (ctx.transport === "ws" && type !== "subscription")
      throw new TRPCError({
        code: "METHOD_NOT_SUPPORTED",
        message: "Only subscriptions run over WebSocket.",
      });
    try {
      if (meta?.costly && ctx.costly && ++ctx.costly.calls > mostCostly) throw tooCostly();
      if (type === "mutation")
        await ctx.limits.take(meta?.fleeting ? "caret" : "write", ctx.viewer?.id ?? ctx.address);
      else if (ctx.transport !== "local") await ctx.limits.take("read", ctx.address);
      const result = await answer(asking);
      const planned =
        !result.ok && result.error.code === "INTERNAL_SERVER_ERROR" && toTrpcError(result.error.cause);
      if (planned instanceof TRPCError) throw planned;
      return result;
    } catch (thrown) {
      throw toTrpcError(thrown);
    }
  });

/** Whoever waits while a snapshot is held keeps a connection from the rest: the others wait before they begin to read. */
const oneOfFew = fewAtOnce(2);

/** Where each snapshot that is held was taken: whoever shares one asks once. */
const places = new WeakMap<Connection, Promise<string>>();
function placeOf(snapshot: Connection): Promise<string> {
  let place = places.get(snapshot);
  if (!place) places.set(snapshot, (place = cursorNow(snapshot)));
  return place;
}

/**
 * Says in every answer where it was read (docs/decisions/0018): it holds all up to its cursor, and nothing beyond, since it is
 * read in one snapshot. The cursor of a change is read after the commit, so that it is not before the facts of the change; the
 * viewer's open pages hear that they have come so far.
 */
async function placed({ ctx, type, meta, next }: Asking): Promise<Outcome> {
  if (type === "subscription") return next();
  if (type === "mutation") {
    const result = await next();
    if (!result.ok) return result;
    // The change stands, whether or not the store can be read just now: an answer without a cursor is no refusal.
    const cursor = await cursorNow(ctx.database.read).catch(() => undefined);
    if (ctx.viewer && !meta?.fleeting) ctx.bus.signal([userTopic(ctx.viewer.id)]);
    return cursor === undefined ? result : { ...result, data: withCursor(result.data, cursor) };
  }
  const ask = () =>
    ctx.database.snapshot(async (read) => {
      const cursor = await placeOf(read);
      const result = await next({ ctx: { database: { ...ctx.database, read } } });
      return result.ok ? { ...result, data: withCursor(result.data, cursor) } : result;
    });
  return meta?.waits ? oneOfFew(ask) : ask();
}

const withCursor = (data: unknown, cursor: string): unknown =>
  typeof data === "object" && data !== null ? { ...data, cursor } : data;

/** A router with what `placed` adds: a procedure's own type does not know of it. */
export type Placed<Router> =
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

/** Anyone who asks for a piece of a stream: it goes by its own cursor, and looks beyond one snapshot. */
export const pieces = counted(({ next }) => next());

/** Anyone, signed in or not. */
export const anyone = counted(placed);

/** A procedure for members alone. */
export const member = anyone.use(({ ctx, next }) => next({ ctx: { viewer: asMember(ctx).viewer } }));

/** The context of somebody signed in. Throws `unauthorized` for a guest. */
export function asMember(ctx: Context): MemberContext {
  if (!ctx.viewer) throw new AppError("unauthorized", "Please sign in first.");
  return ctx as MemberContext;
}
