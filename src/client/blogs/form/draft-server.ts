import type { Server, SyncProblem } from "../../editor/sync/sync.ts";
import { errorCode, errorField, errorMessage, retryAfter } from "../../api/errors.ts";
import { draftLimits, type SavedState } from "../../../shared/drafts.ts";
import type { SessionDependencies, WorkingCopy } from "./working-copy.ts";

/** A longer wait, in seconds, is shown as an error with its reason. */
const maxSilentWait = 60;

/** The server for the sync of one working copy; creates a new blog there. */
export interface DraftServer extends Server {
  begin: () => Promise<void>;
}

/** Restricts the API to one account: sends nothing as another account or a guest. `isOwn`: whether it is still signed in. */
export function restrictToAccount(
  api: SessionDependencies["api"],
  isOwn: () => boolean,
): SessionDependencies["api"] {
  const restrict = (call: (input: never) => Promise<unknown>) => async (input: never) => {
    if (!isOwn()) throw Object.assign(new Error("Please sign in."), { data: { code: "UNAUTHORIZED" } });
    return call(input);
  };
  return Object.fromEntries(
    Object.entries(api).map(([name, call]) => [name, restrict(call as never)]),
  ) as unknown as SessionDependencies["api"];
}

/** Whether the server does not know it yet. */
export const isUnknownToServer = ({ isNew, at }: WorkingCopy): boolean => isNew && at.epoch === "";

/** Callbacks: the blog was created; its state was fetched with missed commits. */
interface ServerCallbacks {
  created?: () => void;
  saved?: (state: SavedState) => void;
}

export function createDraftServer(
  api: SessionDependencies["api"],
  work: WorkingCopy,
  callbacks: ServerCallbacks = {},
): DraftServer {
  const { blogId: id, at } = work;
  let beginning: Promise<void> | undefined;
  const begin = (): Promise<void> =>
    (beginning ??= (async () => {
      await api.begin({ id });
      at.epoch = (await api.open({ id })).epoch;
      callbacks.created?.();
    })().finally(() => (beginning = undefined)));
  return {
    begin,
    push: async (commit) => {
      // Otherwise refused only after the upload, by a proxy perhaps without a reason.
      if (commit.steps.length > draftLimits.stepsLength) throw tooLong();
      if (isUnknownToServer(work)) await begin();
      return api.push({ ...commit, epoch: at.epoch });
    },
    since: async (input) => {
      const answer = await api.since(input);
      if (answer.saved) callbacks.saved?.(answer.saved);
      return answer;
    },
    classifyError,
  };
}

const tooLong = () =>
  Object.assign(new Error("This text is too long to save."), { data: { code: "PAYLOAD_TOO_LARGE" } });

/** Classifies an error for the sync, which retries temporary ones. */
export function classifyError(error: unknown): SyncProblem {
  const code = errorCode(error);
  if (code === "CONFLICT" && errorField(error) === "schema") return "old";
  if (code === "CONFLICT" && errorField(error) === "number") return "number";
  if (code === "CONFLICT" && errorField(error) === "client") return "full";
  if (code === "NOT_FOUND") return "gone";
  if (code === "FORBIDDEN") return "ended";
  if (code === "UNAUTHORIZED") return "signed-out";
  const isFull = code === "TOO_MANY_REQUESTS" && (retryAfter(error) ?? 0) > maxSilentWait;
  if (isFull || code === "BAD_REQUEST" || code === "PAYLOAD_TOO_LARGE")
    return { reason: errorMessage(error, "") };
  if (code === "TOO_MANY_REQUESTS" || code === "SERVICE_UNAVAILABLE") return "busy";
  // A proxy may answer instead of the server, not in JSON.
  const isAnswered =
    code !== undefined || (error as { cause?: unknown } | null)?.cause instanceof SyntaxError;
  return isAnswered ? "troubled" : "offline";
}
