import "./ui/theme.css";
import "./ui/type.css";
import "./ui/base.css";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { fetchDocument } from "./api/document.ts";
import { createBrowserClient } from "./app/links.ts";
import { createQueryClient } from "./api/query-client.ts";
import { LiveApp } from "./app/app.tsx";
import { keptActs, liveTable } from "./app/kept.ts";
import { BrowserNavigation } from "./app/navigation.ts";
import { codeOf, dataFrom, matchRoute, resolvePage } from "./app/resolve.ts";
import { failed, notFound } from "./app/routes.ts";
import { STATE_ID, unpackQueries } from "./app/state.ts";
import type { PageState } from "./app/state.ts";
import { startLive } from "./live/live.ts";
import { askAgain, startSession } from "./session/session.ts";

void start();

// Not at the top level: the page's chunk imports this one, and each would wait for the other.
async function start(): Promise<void> {
  const packed = document.getElementById(STATE_ID)!;
  const state = JSON.parse(packed.textContent) as PageState;
  // Texts that are withdrawn later are not to stay in the page.
  packed.textContent = "";
  const queryClient = createQueryClient();
  unpackQueries(queryClient, state);
  const { client, line } = createBrowserClient();
  const sources = { client, queryClient, load: fetchDocument };

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
    resolvePage(url, { ...sources, data: dataFrom(sources, maxAge) }, maxAge),
  );
  navigation.start();
  const hands = { client, navigate: navigation.navigate };
  startLive(queryClient, liveTable, line, hands, keptActs, () => void askAgain());
  startSession({ queryClient, data: dataFrom(sources), navigation, reconnect: () => line.reconnect() });

  const clicks = window.earlyClicks?.() ?? [];
  // As a transition React takes the page over in slices, between which the browser answers.
  startTransition(() => {
    hydrateRoot(
      document.getElementById("root")!,
      <StrictMode>
        <LiveApp {...sources} navigation={navigation} renderedAt={state.now} onReady={() => replay(clicks)} />
      </StrictMode>,
    );
  });
}

/** What was clicked before the page was ours happens now, where it still can. */
function replay(clicks: HTMLButtonElement[]): void {
  for (const button of clicks.splice(0)) if (button.isConnected) button.click();
}
