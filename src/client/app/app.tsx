import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";
import type { ContextType, ReactNode } from "react";
import { NavigationType, Router, UNSAFE_RouteContext as RouteContext } from "react-router-dom";
import type { Navigator } from "react-router-dom";
import { trpc } from "../api/trpc.ts";
import { RenderedAt } from "../ui/time.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { showHead } from "./head.ts";
import { Layout } from "./layout.tsx";
import { arrive } from "./arrive.ts";
import type { Navigation, Shown } from "./navigation.ts";
import { dataFrom } from "./resolve.ts";
import type { Sources } from "./resolve.ts";
import { NavigationContext } from "./use-navigation.ts";

interface Props extends Sources {
  shown: Shown;
  navigator: Navigator;
  /** When the server rendered the page, in milliseconds. */
  renderedAt: number;
  onServer?: boolean;
}

/** The page in its frame; what the server renders and the browser takes over. */
export function App({ client, queryClient, shown, navigator, renderedAt, onServer = false }: Props) {
  const { page, location } = shown;
  return (
    <RenderedAt value={renderedAt}>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <Router
            location={location}
            navigator={navigator}
            navigationType={typeOf(shown)}
            static={onServer}
            useTransitions={false}
          >
            <Layout>
              <RouteContext value={matched(shown)}>
                <ErrorBoundary key={page.route.path + location.pathname}>
                  <page.Component {...page.problem} />
                </ErrorBoundary>
              </RouteContext>
            </Layout>
          </Router>
        </QueryClientProvider>
      </trpc.Provider>
    </RenderedAt>
  );
}

/** The App that follows the navigation. `onReady` is called when the page has been taken over. */
export function LiveApp({
  navigation,
  client,
  queryClient,
  renderedAt,
  onReady,
}: Sources & { navigation: Navigation; renderedAt: number; onReady: () => void }): ReactNode {
  const shown = useSyncExternalStore(navigation.subscribe, navigation.shown, navigation.shown);
  useLayoutEffect(() => {
    if (shown.arrival !== "first")
      showHead(shown.page.facts, dataFrom({ client, queryClient }).users.site.getData());
    arrive(shown);
  }, [shown, client, queryClient]);
  const ready = useEffectEvent(onReady);
  useEffect(() => ready(), []);
  return (
    <NavigationContext value={navigation}>
      <App
        client={client}
        queryClient={queryClient}
        renderedAt={renderedAt}
        shown={shown}
        navigator={navigation.navigator}
      />
    </NavigationContext>
  );
}

/** The route was matched before its page was loaded: React Router's own `Routes` would do it again, and weighs 1.3 kB. */
function matched({
  page: { route, params },
  location: { pathname },
}: Shown): ContextType<typeof RouteContext> {
  return {
    outlet: null,
    isDataRoute: false,
    matches: [{ params, pathname, pathnameBase: pathname, route: { path: route.path } }],
  };
}

function typeOf({ arrival }: Shown): NavigationType {
  if (arrival === "push") return NavigationType.Push;
  return arrival === "pop" || arrival === "first" ? NavigationType.Pop : NavigationType.Replace;
}
