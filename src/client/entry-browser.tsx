import "./ui/theme.css";
import "./ui/type.css";
import "./ui/base.css";
import { getQueryKey } from "@trpc/react-query";
import { StrictMode, startTransition, useEffect, useEffectEvent } from "react";
import type { ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import { RouterProvider, matchRoutes } from "react-router-dom";
import { createBrowserClient } from "./app/links.ts";
import { createQueryClient } from "./api/query-client.ts";
import { fetchNeeded } from "./api/retry.ts";
import { dataOf, trpc } from "./api/trpc.ts";
import { App } from "./app/app.tsx";
import { createRouter, followPlainLinks } from "./app/browser-router.ts";
import { liveTable } from "./app/kept.ts";
import { codeOf } from "./app/load-page.ts";
import { siteRoutes } from "./app/router.tsx";
import { notFoundPage } from "./app/routes.ts";
import type { Page } from "./app/routes.ts";
import { STATE_ID, unpackQueries } from "./app/state.ts";
import type { PageState } from "./app/state.ts";
import { prepareLive, takeOwnSide } from "./live/live.ts";
import { askAgain, startSession } from "./session/session.ts";

void start();

/** Lets the browser do what waits: each piece of the start is to be short, also on a slow phone. Timers wait long in a hidden tab. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}

// Not at the top level: the pages' chunks import this one, and each would wait for the other.
async function start(): Promise<void> {
  await turn();
  const packed = document.getElementById(STATE_ID)!;
  const state = JSON.parse(packed.textContent) as PageState;
  // Texts that are withdrawn later are not to stay in the page.
  packed.textContent = "";
  const queryClient = createQueryClient();
  unpackQueries(queryClient, state);
  await turn();
  const { client, line } = createBrowserClient();
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
  const hands = { client, navigate: (to: string) => router.navigate(to) };
  const beginToLive = prepareLive(queryClient, liveTable, line, hands, () => void askAgain());
  if (queryClient.getQueryData(getQueryKey(trpc.users.me, undefined, "query"))) await loadOwnSide();

  // Nothing before: React takes the page over in slices, and what changed between two of them would differ from what the
  // server sent.
  const begin = (): void => {
    followPlainLinks(router);
    beginToLive();
    startSession({
      queryClient,
      data: dataOf(client, queryClient),
      router,
      loadOwnSide,
      deleteWork: async (userId) => (await import("./app/device-work.ts")).deleteWork(userId),
      reconnect: () => line.reconnect(),
    });
    // When fields have told what was typed into them.
    queueMicrotask(replay);
  };
  // As a transition: between its slices the browser answers.
  startTransition(() => {
    hydrateRoot(
      document.getElementById("root")!,
      <StrictMode>
        <App {...sources} renderedAt={state.now}>
          <TakenOver then={begin}>
            <RouterProvider router={router} useTransitions={false} />
          </TakenOver>
        </App>
      </StrictMode>,
    );
  });
}

/** Tells when the page has been taken over. */
function TakenOver({ then, children }: { then: () => void; children: ReactNode }): ReactNode {
  const isOver = useEffectEvent(then);
  useEffect(() => isOver(), []);
  return children;
}

const loadOwnSide = async (): Promise<void> =>
  takeOwnSide((await fetchNeeded(() => import("./app/own-side.ts"))).ownSide);

/** What was chosen, clicked and pressed before the page was ours happens now, where it still can. */
function replay(): void {
  const { choices, clicks, keys } = window.early?.() ?? { choices: [], clicks: [], keys: [] };
  for (const [box, value] of choices) {
    // React may have put it back; the files of a field are still in it.
    if (box instanceof HTMLSelectElement) box.value = value;
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const button of clicks) if (button.isConnected) button.click();
  // As it was: what is held down repeats itself.
  for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", key));
}
