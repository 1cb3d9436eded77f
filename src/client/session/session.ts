import { getQueryKey } from "@trpc/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { createBrowserRouter } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import type { Data } from "../api/trpc.ts";
import { pause, untilAnswered } from "../api/retry.ts";
import { becomeLive, takeAnswer } from "../live/live.ts";
import { clearToasts, toast } from "../ui/toasts.tsx";
import { noteLeft, toDelete } from "./left.ts";
import { isRemembered, rememberTies, rememberUser, storedToken, watchStoredUser } from "./stored-user.ts";

interface Surroundings {
  queryClient: QueryClient;
  data: Data;
  router: Pick<ReturnType<typeof createBrowserRouter>, "navigate" | "revalidate">;
  /** Fetches what a member needs, and a guest does not, before somebody becomes one. */
  loadOwnSide: () => Promise<void>;
  /** Deletes all that a person wrote on this device and did not send. */
  deleteWork: (userId: string) => Promise<void>;
  /** Drops the live connection, so that the next one is opened with the cookie of now. */
  reconnect: () => void;
}

let around: Surroundings | undefined;
/** The person asked for it: what the server and the other tabs say meanwhile is no news. */
let signingOut = false;
/** How often this tab has become somebody's, or nobody's. */
let turns = 0;
/** The session that the tab shows the site for, or null for a guest. */
let token: string | null = null;
const me = getQueryKey(trpc.users.me, undefined, "query");

/** Begins to keep this tab, the local storage and the other tabs agreed on who is signed in. Browser only, once. */
export function startSession(surroundings: Surroundings): void {
  around = surroundings;
  const viewer = surroundings.data.users.me.getData() ?? null;
  // Google's way leads here: its sign-in is a page of the server's.
  if (viewer && !isRemembered(viewer.id)) askForTies(viewer.id);
  token = viewer?.session ?? null;
  rememberUser(viewer);
  becomeLive(viewer);
  void deleteLeft();
  watchStoredUser((stored) => {
    if (stored !== token) void askAgain();
  });
  // A page that the browser has kept as it was heard of nothing meanwhile.
  addEventListener("pageshow", ({ persisted }) => persisted && void askAgain());
}

/** Whom the account follows, and who follows it, come once; the account's stream tells of what it follows from there on. */
function askForTies(userId: string): void {
  around?.data.social.ties.fetch(undefined, { staleTime: 0 }).then(
    (ties) => rememberTies(userId, ties),
    () => undefined,
  );
}

/** Shows the site as `viewer` sees it, after the server has begun their session: at `to`, or this page anew. */
export async function signedIn(viewer: Viewer, to?: string): Promise<void> {
  await become(viewer, to);
}

/** Shows the site as a guest sees it. */
async function signedOut(to?: string): Promise<void> {
  await become(null, to);
}

/**
 * Asks the server who is signed in, until it answers, where this tab has a reason to doubt it: another tab, a socket
 * closed with 4401, a stream refused. A session that still runs gets a new connection, as the old one may be from before.
 */
export function askAgain(): Promise<void> {
  return (asking ??= ask().finally(() => (asking = undefined)));
}

let asking: Promise<void> | undefined;
/** Milliseconds that an answer to a sign-in takes to arrive, and be stored. */
const HANDOVER = 700;

async function ask(): Promise<void> {
  if (!around || signingOut) return;
  const { data, reconnect } = around;
  const turn = turns;
  const isWanted = () => turn === turns && !signingOut;
  const who = () =>
    untilAnswered(() => data.users.me.fetch(undefined, { staleTime: 0 }), { isWanted }).catch(
      () => undefined,
    );
  let viewer = await who();
  // Another tab may be signing in as somebody else: the session before ends a moment before the browser has the next.
  if (viewer === null && token !== null && token === storedToken()) {
    await pause(HANDOVER);
    if (isWanted()) viewer = await who();
  }
  if (viewer === undefined || !isWanted()) return;
  if ((viewer?.session ?? null) === token) return reconnect();
  await become(viewer);
  if (!viewer) toast({ message: "You’ve been signed out." });
}

/**
 * Asks the server, where somebody whom this tab takes for signed in is sent to sign in. False where the session is over:
 * nothing of it is left here then. On the server the request itself has said so.
 */
export async function isStillSignedIn(): Promise<boolean> {
  if (!around) return true;
  const viewer = await around.data.users.me.fetch(undefined, { staleTime: 0 }).catch(() => undefined);
  if (viewer !== null) return true;
  takeOver(around, null);
  void around.queryClient.invalidateQueries({
    refetchType: "none",
    predicate: ({ queryKey }) => !isOfTheSite(queryKey),
  });
  around.reconnect();
  return false;
}

/** Shows the account as a change of it has answered, unless its session is over here by now. */
export function renewViewer(viewer: Viewer): void {
  if (viewer.session === token) takeAnswer(me, viewer);
}

/** Makes this tab the one of `viewer`, but for what is shown. */
function takeOver({ queryClient }: Surroundings, viewer: Viewer | null): void {
  turns++;
  // An answer that is still under way tells of the session before.
  void queryClient.cancelQueries({ predicate: ({ queryKey }) => isOfTheSite(queryKey) });
  takeAnswer(me, viewer);
  token = viewer?.session ?? null;
  rememberUser(viewer);
  becomeLive(viewer);
  clearToasts();
  // What one person may see is not for the next: drop what is not shown, and ask again for what is.
  queryClient.removeQueries({ type: "inactive" });
}

async function become(viewer: Viewer | null, to?: string): Promise<void> {
  if (!around) return;
  const { queryClient, router, loadOwnSide, reconnect } = around;
  // Where a new release has no such code any more, the page that it has instead shows who is signed in.
  if (viewer) await loadOwnSide().catch(() => location.reload());
  takeOver(around, viewer);
  if (to === undefined) {
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !isOfTheSite(queryKey) });
    await router.revalidate();
  } else {
    void queryClient.invalidateQueries({
      refetchType: "none",
      predicate: ({ queryKey }) => !isOfTheSite(queryKey),
    });
    await router.navigate(to, { replace: true, flushSync: true });
  }
  queryClient.removeQueries({
    type: "inactive",
    predicate: ({ queryKey, state }) => !isOfTheSite(queryKey) && state.isInvalidated,
  });
  // Not before: what is dropped is dropped on its way, too.
  if (viewer) askForTies(viewer.id);
  reconnect();
}

function isOfTheSite([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path[0] === "users" && (path[1] === "me" || path[1] === "site");
}

interface Ending {
  /** Where the guest that is left is led; null shows the same page. */
  to?: string | null;
  /** The person comes back: what they wrote here stays for them. */
  keepsWork?: boolean;
}

/** Makes a call that ends this tab's own session, deletes what the person wrote on this device, and shows the guest that is left /signin. */
export async function endSession<Answer>(
  call: () => Promise<Answer>,
  { to = routes.signIn(), keepsWork = false }: Ending = {},
): Promise<Answer> {
  signingOut = true;
  try {
    const viewer = around?.data.users.me.getData();
    const answer = await call();
    if (viewer && !keepsWork) noteLeft(viewer.id, false);
    await signedOut(to ?? undefined);
    await deleteLeft();
    return answer;
  } finally {
    signingOut = false;
  }
}

/** Deletes what accounts that signed out had written on this device. */
async function deleteLeft(): Promise<void> {
  for (const id of toDelete()) {
    const isDeleted = await around?.deleteWork(id).then(
      () => true,
      () => false,
    );
    if (isDeleted) noteLeft(id, true);
  }
}
