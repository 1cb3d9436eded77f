import { QueryClientProvider } from "@tanstack/react-query";
import { createContext, useContext, useLayoutEffect, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { NavigationType, Route, Router, Routes } from "react-router-dom";
import type { Navigator } from "react-router-dom";
import { trpc } from "../api/trpc.ts";
import { RenderedAt } from "../ui/time.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { showHead } from "./head.ts";
import { Layout } from "./layout.tsx";
import { arrive } from "./arrive.ts";
import type { Navigation, Shown } from "./navigation.ts";
import type { Sources } from "./resolve.ts";

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
          <Router location={location} navigator={navigator} navigationType={typeOf(shown)} static={onServer} useTransitions={false}>
            <Layout>
              <ErrorBoundary key={page.route.path + location.pathname}>
                <Routes>
                  <Route path={page.route.path} element={<page.Component />} />
                </Routes>
              </ErrorBoundary>
            </Layout>
          </Router>
        </QueryClientProvider>
      </trpc.Provider>
    </RenderedAt>
  );
}

const NavigationContext = createContext<Navigation | null>(null);

/** The browser's navigation; null on the server. */
export const useNavigation = (): Navigation | null => useContext(NavigationContext);

/** The App that follows the navigation. */
export function LiveApp({ navigation, ...rest }: Sources & { navigation: Navigation; renderedAt: number }): ReactNode {
  const shown = useSyncExternalStore(navigation.subscribe, navigation.shown, navigation.shown);
  useLayoutEffect(() => {
    if (shown.arrival !== "first") showHead(shown.page.facts, rest.queryClient);
    arrive(shown);
  }, [shown, rest.queryClient]);
  return (
    <NavigationContext value={navigation}>
      <App {...rest} shown={shown} navigator={navigation.navigator} />
    </NavigationContext>
  );
}

function typeOf({ arrival }: Shown): NavigationType {
  if (arrival === "push") return NavigationType.Push;
  return arrival === "pop" || arrival === "first" ? NavigationType.Pop : NavigationType.Replace;
}
