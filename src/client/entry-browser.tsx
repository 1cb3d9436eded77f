import "./ui/theme.css";
import "./ui/type.css";
import "./ui/base.css";
import { getQueryKey } from "@trpc/react-query";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { loadDocument } from "./api/document.ts";
import { createBrowserClient } from "./app/links.ts";
import { createQueryClient } from "./api/query-client.ts";
import { fetchNeeded } from "./api/retry.ts";
import { dataOf, trpc } from "./api/trpc.ts";
import { LiveApp } from "./app/app.tsx";
import { liveTable } from "./app/kept.ts";
import { BrowserNavigation } from "./app/navigation.ts";
import { codeOf, dataFrom, matchRoute, resolvePage } from "./app/resolve.ts";
import { failed, notFound } from "./app/routes.ts";
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

  // The page's code first: without it the first render would differ from what the server sent.
  const { route: named, params } = matchRoute(location.pathname);
  const route = state.status === 404 ? notFound : state.status === 500 ? failed : named;
  const { default: Component, code } = await codeOf(route);
  await Promise.resolve(code?.(location)).catch(() => undefined);
  const page = {
    route,
    params,
    Component,
    facts: { title: "" },
    status: state.status,
    problem: state.problem,
  };
  const navigation = new BrowserNavigation(page, (url, maxAge) =>
    resolvePage(url, {
      data: dataFrom(sources, maxAge),
      load: (path) => loadDocument(queryClient, path, maxAge),
    }),
  );
  const hands = { client, navigate: navigation.navigate };
  const beginToLive = prepareLive(queryClient, liveTable, line, hands, () => void askAgain());
  if (queryClient.getQueryData(getQueryKey(trpc.users.me, undefined, "query"))) await loadOwnSide();

  // Nothing before: React takes the page over in slices, and what changed between two of them would differ from what the
  // server sent.
  const begin = (): void => {
    navigation.start();
    beginToLive();
    startSession({
      queryClient,
      data: dataOf(client, queryClient),
      navigation,
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
        <LiveApp {...sources} navigation={navigation} renderedAt={state.now} onReady={begin} />
      </StrictMode>,
    );
  });
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
