import { errorCode, errorField, errorMessage, retryAfter } from "../api/errors.ts";
import { draftLimits, type SavedState } from "../../shared/drafts.ts";
import type { Server, SyncProblem } from "./commits.ts";
import { isUnknownToServer } from "./draft.ts";
import type { Draft, DraftApi } from "./draft.ts";

/** A longer wait, in seconds, is shown as an error with its reason. */
const maxSilentWait = 60;

/** The server for the sync of one draft. */
export interface DraftServer extends Server {
  /** Creates a new blog, however often it is called. Returns its slug. */
  begin: () => Promise<string>;
}

/** Restricts the API to one account: sends nothing as another account or a guest. `isOwn`: whether it is still signed in. */
export function restrictToAccount(api: DraftApi, isOwn: () => boolean): DraftApi {
  const restrict = (call: (input: never) => Promise<unknown>) => async (input: never) => {
    if (!isOwn()) throw Object.assign(new Error("Please sign in."), { data: { code: "UNAUTHORIZED" } });
    return call(input);
  };
  const { pushAtUnload, ...calls } = api;
  const restricted = Object.entries(calls).map(([name, call]) => [name, restrict(call as never)]);
  return {
    ...(Object.fromEntries(restricted) as unknown as typeof calls),
    pushAtUnload: (commit) => isOwn() && pushAtUnload(commit),
  };
}

/** Callbacks: the blog was created; its state was fetched with missed commits. */
interface ServerCallbacks {
  created?: () => void;
  saved?: (state: SavedState) => void;
}

/** Returns the server for a draft's sync. It creates a new blog before its first commit, and records the epoch in the draft. */
export function createDraftServer(api: DraftApi, draft: Draft, callbacks: ServerCallbacks = {}): DraftServer {
  const { blogId: id, at } = draft;
  let beginning: Promise<string> | undefined;
  const begin = (): Promise<string> =>
    (beginning ??= (async () => {
      const { slug } = await api.begin({ id });
      at.epoch = (await api.open({ id })).epoch;
      callbacks.created?.();
      return slug;
    })().finally(() => (beginning = undefined)));
  return {
    begin,
    push: async (commit) => {
      // Otherwise refused only after the upload, by a proxy perhaps without a reason.
      if (commit.steps.length > draftLimits.stepsLength) throw tooLong();
      if (isUnknownToServer(draft)) await begin();
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

/** Whether a blog is deleted, not just hidden from the account signed in now. */
export const isGone = (api: DraftApi, id: string): Promise<boolean> =>
  api.open({ id }).then(
    () => false,
    (error: unknown) => errorCode(error) === "NOT_FOUND",
  );
