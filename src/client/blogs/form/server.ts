import type { Server, Trouble } from "../../editor/sync/sync.ts";
import { errorCode, errorField, errorMessage, retryAfter } from "../../api/errors.ts";
import { writingLimits } from "../../../shared/writing.ts";
import type { Surroundings, Work } from "./work.ts";

/** Who is asked to come back later than in so many seconds is told why. */
const soon = 60;

/** The server as the sync of one piece of work has it: where it does not know the blog yet, it begins it. */
export interface WritingServer extends Server {
  /** Has it begin a new blog. */
  begin: () => Promise<void>;
}

/**
 * The same for one account alone: nothing is asked or written as whoever else is signed in by now, nor as nobody. `isOwn`: whether
 * that account still is.
 */
export function forAccount(api: Surroundings["api"], isOwn: () => boolean): Surroundings["api"] {
  const guarded = (call: (asked: never) => Promise<unknown>) => async (asked: never) => {
    if (!isOwn()) throw Object.assign(new Error("Please sign in."), { data: { code: "UNAUTHORIZED" } });
    return call(asked);
  };
  return Object.fromEntries(
    Object.entries(api).map(([name, call]) => [name, guarded(call as never)]),
  ) as unknown as Surroundings["api"];
}

/** Whether the server does not know of it. */
export const isUnbegun = ({ isNew, at }: Work): boolean => isNew && at.epoch === "";

/** What is heard from the server on the way: it knows of the blog by now, or says up to which commit it was saved. */
interface Hearers {
  begun?: () => void;
  saved?: (seq: number, isDraft: boolean) => void;
}

export function serverOf(api: Surroundings["api"], work: Work, hearers: Hearers = {}): WritingServer {
  const { blogId: id, at } = work;
  let beginning: Promise<void> | undefined;
  const begin = (): Promise<void> =>
    (beginning ??= (async () => {
      await api.begin({ id });
      at.epoch = (await api.open({ id })).epoch;
      hearers.begun?.();
    })().finally(() => (beginning = undefined)));
  return {
    begin,
    push: async (commit) => {
      // It would be refused only after all of it has travelled, and by what stands before the server in other words or none.
      if (commit.steps.length > writingLimits.stepsLength) throw tooLong();
      if (isUnbegun(work)) await begin();
      return api.push({ ...commit, epoch: at.epoch });
    },
    since: async (asked) => {
      const answer = await api.since(asked);
      if (answer.saved) hearers.saved?.(answer.saved.seq, answer.saved.draft);
      return answer;
    },
    troubleOf,
  };
}

const tooLong = () =>
  Object.assign(new Error("This text is too long to save."), { data: { code: "PAYLOAD_TOO_LARGE" } });

/** What went wrong, for the sync: what has no answer, or one that passes, is sent again. */
export function troubleOf(error: unknown): Trouble {
  const code = errorCode(error);
  if (code === "CONFLICT" && errorField(error) === "schema") return "old";
  if (code === "CONFLICT" && errorField(error) === "number") return "number";
  if (code === "CONFLICT" && errorField(error) === "client") return "full";
  if (code === "NOT_FOUND") return "gone";
  if (code === "FORBIDDEN") return "ended";
  if (code === "UNAUTHORIZED") return "signed-out";
  const isFull = code === "TOO_MANY_REQUESTS" && (retryAfter(error) ?? 0) > soon;
  if (isFull || code === "BAD_REQUEST" || code === "PAYLOAD_TOO_LARGE")
    return { reason: errorMessage(error, "") };
  if (code === "TOO_MANY_REQUESTS" || code === "SERVICE_UNAVAILABLE") return "busy";
  // What stands before the server may answer in its place, in words of its own.
  const isAnswered =
    code !== undefined || (error as { cause?: unknown } | null)?.cause instanceof SyntaxError;
  return isAnswered ? "troubled" : "offline";
}
