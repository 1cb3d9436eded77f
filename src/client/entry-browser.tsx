import "./ui/theme.css";
import "./ui/type.css";
import "./ui/base.css";
import "./ui/layout.css";
import "./ui/utilities.css";
import { getQueryKey } from "@trpc/react-query";
import { StrictMode, startTransition, useEffect, useEffectEvent } from "react";
import type { ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import { RouterProvider, matchRoutes } from "react-router-dom";
import { createBrowserClient } from "./app/browser-client.ts";
import { createQueryClient } from "./api/query-client.ts";
import { fetchCodeWithRetry } from "./api/retry.ts";
import { dataOf, trpc } from "./api/trpc.ts";
import { App } from "./app/app.tsx";
import { createRouter, followPlainLinks } from "./app/browser-router.ts";
import { articleQueries } from "./blogs/article/article-query.ts";
import { codeOf } from "./app/load-page.ts";
import { siteRoutes } from "./app/router.tsx";
import { notFoundPage } from "./app/routes.ts";
import type { Page } from "./app/routes.ts";
import { STATE_ID, unpackQueries } from "./app/state.ts";
import type { PageState } from "./app/state.ts";
import { prepareLive, startMemberRuntime } from "./live/live.ts";
import { checkSession, startSession } from "./session/session.ts";
import { viewerQueries } from "./session/viewer-queries.ts";

void start();

/** Yields to the browser, so that the start has no long task on a slow phone. Timers wait too long in a hidden tab. */
function yieldToBrowser(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}

// Not at the top level: the pages' chunks import this one, and they would wait for each other.
async function start(): Promise<void> {
  await yieldToBrowser();
  const stateElement = document.getElementById(STATE_ID)!;
  const state = JSON.parse(stateElement.textContent) as PageState;
  // The page must not hold texts that are withdrawn later.
  stateElement.textContent = "";
  const queryClient = createQueryClient();
  unpackQueries(queryClient, state);
  await yieldToBrowser();
  const { client, connection } = createBrowserClient();
  const sources = { client, queryClient };

  const { id = "", handle } = matchRoutes(siteRoutes, location)?.at(-1)?.route ?? {};
  const page = state.error?.status === 404 ? notFoundPage : state.error ? null : (handle as Page);
  if (page) {
    // The page's code first: without it the first render would differ from what the server sent.
    const { code } = await codeOf(page);
    await Promise.resolve(code?.(location)).catch(() => undefined);
  }
  const router = createRouter(
    sources,
    state.error ? { errors: { [id]: state.error } } : { loaderData: { [id]: null } },
  );
  const startLive = prepareLive(
    queryClient,
    { ...articleQueries, ...viewerQueries },
    connection,
    { client, navigate: (to: string) => router.navigate(to) },
    () => void checkSession(),
  );
  if (queryClient.getQueryData(getQueryKey(trpc.users.me, undefined, "query"))) await loadMemberRuntime();

  // Not before hydration is complete: React hydrates in slices, and a change between two would differ from the server's HTML.
  const begin = (): void => {
    followPlainLinks(router);
    startLive();
    startSession({
      queryClient,
      data: dataOf(client, queryClient),
      router,
      loadMemberRuntime,
      deleteWork: async (userId) => (await import("./app/unsaved-work.ts")).deleteUnsavedWork(userId),
      reconnect: () => connection.reconnect(),
    });
    // After React has read what was typed into fields.
    queueMicrotask(replay);
  };
  tolerateTranslation();
  // As a transition, so that the browser stays responsive.
  startTransition(() => {
    hydrateRoot(
      document.getElementById("root")!,
      <StrictMode>
        <App {...sources} renderedAt={state.now}>
          <Hydrated then={begin}>
            <RouterProvider router={router} useTransitions={false} />
          </Hydrated>
        </App>
      </StrictMode>,
    );
  });
}

/** Calls `then` once the page is hydrated. */
function Hydrated({ then, children }: { then: () => void; children: ReactNode }): ReactNode {
  const onHydrated = useEffectEvent(then);
  useEffect(() => onHydrated(), []);
  return children;
}

const loadMemberRuntime = async (): Promise<void> =>
  startMemberRuntime((await fetchCodeWithRetry(() => import("./app/member-runtime.ts"))).createMemberRuntime);

/** Replays what the person chose, clicked and typed before hydration, where that is still possible. */
function replay(): void {
  const { choices, clicks, keys } = window.early?.() ?? { choices: [], clicks: [], keys: [] };
  for (const [control, value] of choices) {
    // React may have reset it; a file field still has its files.
    if (control instanceof HTMLSelectElement) control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const button of clicks) if (button.isConnected) button.click();
  // With `repeat` as it was, for a key that is held down.
  for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", key));
}

/**
 * Lets React work on a page that the browser translates: Chrome and Edge put texts into `<font>` elements, and React, which
 * then asks to remove a text from its former parent or to insert something before it, would replace the page by an error
 * (github.com/facebook/react/issues/11538).
 */
function tolerateTranslation(): void {
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const parent = child.parentNode;
    if (parent) removeChild.call(parent, child);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    node: Child,
    before: Node | null,
  ): Child {
    let next = before;
    while (next && next.parentNode !== this) next = next.parentNode;
    insertBefore.call(this, node, next);
    return node;
  };
}
