import { getQueryKey } from "@trpc/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { createBrowserRouter } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { Viewer } from "../../shared/users.ts";
import { STALE_AT_ONCE } from "../api/query-client.ts";
import { trpc } from "../api/trpc.ts";
import type { Data } from "../api/trpc.ts";
import { pause, retryUntilAnswered } from "../api/retry.ts";
import { setLiveViewer, setAnswer } from "../live/live.ts";
import { clearToasts, toast } from "../ui/toasts.tsx";
import { recordSignOut, accountsToClear } from "./signed-out-accounts.ts";
import { isRemembered, rememberTies, rememberUser, storedToken, watchStoredUser } from "./stored-user.ts";

interface SessionContext {
  queryClient: QueryClient;
  data: Data;
  router: Pick<ReturnType<typeof createBrowserRouter>, "navigate" | "revalidate">;
  /** Loads the code that only members need; called before the tab is given a viewer. */
  loadMemberRuntime: () => Promise<void>;
  /** Deletes a person's unsent texts from this device. */
  deleteWork: (userId: string) => Promise<void>;
  /** Replaces the live connection by one with the current session cookie. */
  reconnect: () => void;
}

let context: SessionContext | undefined;
/** While the person signs out, other tabs and the server reporting it are ignored. */
let signingOut = false;
/** The number of changes of this tab's viewer. */
let viewerChanges = 0;
/** The session of this tab's viewer; null for a guest. */
let token: string | null = null;
const me = getQueryKey(trpc.users.me, undefined, "query");

/** Starts to keep this tab, the local storage and other tabs agreed on who is signed in. Browser only, once. */
export function startSession(sessionContext: SessionContext): void {
  context = sessionContext;
  const viewer = sessionContext.data.users.me.getData() ?? null;
  // After signing in with Google, which ends with a page load.
  if (viewer && !isRemembered(viewer.id)) fetchTies(viewer.id);
  token = viewer?.session ?? null;
  rememberUser(viewer);
  setLiveViewer(viewer);
  void deleteLeft();
  watchStoredUser((stored) => {
    if (stored !== token) void checkSession();
  });
  // A page from the back/forward cache has missed changes of the session.
  addEventListener("pageshow", ({ persisted }) => persisted && void checkSession());
}

/** Fetches followers and followed people once; later changes arrive as events. */
function fetchTies(userId: string): void {
  context?.data.social.ties.fetch(undefined, { staleTime: STALE_AT_ONCE }).then(
    (ties) => rememberTies(userId, ties),
    () => undefined,
  );
}

/** Shows the site to a person whose session has just begun: at `to`, or this page again. */
export async function onSignedIn(viewer: Viewer, to?: string): Promise<void> {
  await switchViewer(viewer, to);
}

/** Shows the site to a guest. */
async function onSignedOut(to?: string): Promise<void> {
  await switchViewer(null, to);
}

/**
 * Asks the server who is signed in, until it answers; called when another tab, a socket closed with 4401 or a refused
 * subscription casts doubt. A session that still runs gets a new connection, since the old one may be older than the session.
 */
export function checkSession(): Promise<void> {
  return (checking ??= refreshViewer().finally(() => (checking = undefined)));
}

let checking: Promise<void> | undefined;
/** Milliseconds in which another tab's sign-in is answered and stored. */
const HANDOVER = 700;

async function refreshViewer(): Promise<void> {
  if (!context || signingOut) return;
  const { data, reconnect } = context;
  const changesBefore = viewerChanges;
  const isWanted = () => changesBefore === viewerChanges && !signingOut;
  const fetchViewer = () =>
    retryUntilAnswered(() => data.users.me.fetch(undefined, { staleTime: STALE_AT_ONCE }), {
      isWanted,
    }).catch(() => undefined);
  let viewer = await fetchViewer();
  // While another tab signs in as another person, the old session ends a moment before the browser has the new one.
  if (viewer === null && token !== null && token === storedToken()) {
    await pause(HANDOVER);
    if (isWanted()) viewer = await fetchViewer();
  }
  if (viewer === undefined || !isWanted()) return;
  if ((viewer?.session ?? null) === token) return reconnect();
  await switchViewer(viewer);
  if (!viewer) toast({ message: "You’ve been signed out." });
}

/**
 * Asks the server whether this tab's session still runs, when its viewer is redirected to /signin. If not, returns false and
 * makes the tab a guest's. During server rendering the request has decided already.
 */
export async function isStillSignedIn(): Promise<boolean> {
  if (!context) return true;
  const viewer = await context.data.users.me
    .fetch(undefined, { staleTime: STALE_AT_ONCE })
    .catch(() => undefined);
  if (viewer !== null) return true;
  setViewer(context, null);
  void context.queryClient.invalidateQueries({
    refetchType: "none",
    predicate: ({ queryKey }) => !isSiteQuery(queryKey),
  });
  context.reconnect();
  return false;
}

/** Shows the viewer's account as a mutation has returned it, unless the session has ended here. */
export function updateViewer(viewer: Viewer): void {
  if (viewer.session === token) setAnswer(me, viewer);
}

/** Makes `viewer` this tab's viewer, without changing the page. */
function setViewer({ queryClient }: SessionContext, viewer: Viewer | null): void {
  viewerChanges++;
  // Requests that are under way belong to the session before.
  void queryClient.cancelQueries({ predicate: ({ queryKey }) => isSiteQuery(queryKey) });
  setAnswer(me, viewer);
  token = viewer?.session ?? null;
  rememberUser(viewer);
  setLiveViewer(viewer);
  clearToasts();
  // The next person may not see the data of the one before; what is shown is fetched again by the caller.
  queryClient.removeQueries({ type: "inactive" });
}

async function switchViewer(viewer: Viewer | null, to?: string): Promise<void> {
  if (!context) return;
  const { queryClient, router, loadMemberRuntime, reconnect } = context;
  // After an upgrade that code may be gone; the reloaded page shows who is signed in.
  if (viewer) await loadMemberRuntime().catch(() => location.reload());
  setViewer(context, viewer);
  if (to === undefined) {
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !isSiteQuery(queryKey) });
    await router.revalidate();
  } else {
    void queryClient.invalidateQueries({
      refetchType: "none",
      predicate: ({ queryKey }) => !isSiteQuery(queryKey),
    });
    await router.navigate(to, { replace: true, flushSync: true });
  }
  queryClient.removeQueries({
    type: "inactive",
    predicate: ({ queryKey, state }) => !isSiteQuery(queryKey) && state.isInvalidated,
  });
  // After removeQueries, which would cancel this request.
  if (viewer) fetchTies(viewer.id);
  reconnect();
}

function isSiteQuery([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path[0] === "users" && (path[1] === "me" || path[1] === "site");
}

interface EndOptions {
  /** The page shown to the guest afterwards; null for the same page. */
  to?: string | null;
  /** Keeps unsent texts on this device for a person who will come back. */
  keepsWork?: boolean;
}

/** Makes a call that ends this tab's session, deletes the person's unsent texts from this device, and shows /signin. */
export async function endSession<Answer>(
  call: () => Promise<Answer>,
  { to = routes.signIn(), keepsWork = false }: EndOptions = {},
): Promise<Answer> {
  signingOut = true;
  try {
    const viewer = context?.data.users.me.getData();
    const answer = await call();
    if (viewer && !keepsWork) recordSignOut(viewer.id, false);
    await onSignedOut(to ?? undefined);
    await deleteLeft();
    return answer;
  } finally {
    signingOut = false;
  }
}

/** Deletes the unsent texts of accounts that have signed out on this device. */
async function deleteLeft(): Promise<void> {
  for (const id of accountsToClear()) {
    const isDeleted = await context?.deleteWork(id).then(
      () => true,
      () => false,
    );
    if (isDeleted) recordSignOut(id, true);
  }
}
