import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { trpc } from "../api/trpc.ts";
import { showHead } from "../pages/head.ts";
import { PlaceContext } from "../ui/location.ts";
import type { Navigation } from "../ui/location.ts";
import { RenderedAt } from "../ui/time.tsx";
import { arrive } from "./arrive.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Layout } from "./layout.tsx";
import type { BrowserNavigation, Shown } from "./navigation.ts";
import { dataFrom } from "./resolve.ts";
import type { Sources } from "./resolve.ts";

interface Props extends Sources {
  shown: Pick<Shown, "page" | "location">;
  navigation: Navigation;
  /** When the server rendered the page, in milliseconds. */
  renderedAt: number;
}

/** The page in its frame; what the server renders and the browser takes over. */
export function App({ client, queryClient, shown: { page, location }, navigation, renderedAt }: Props) {
  const { params } = page;
  const place = useMemo(() => ({ location, params, navigation }), [location, params, navigation]);
  return (
    <RenderedAt value={renderedAt}>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <PlaceContext value={place}>
            <Layout>
              <ErrorBoundary key={page.route.path + location.pathname}>
                <page.Component {...page.problem} />
              </ErrorBoundary>
            </Layout>
          </PlaceContext>
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
}: Sources & { navigation: BrowserNavigation; renderedAt: number; onReady: () => void }): ReactNode {
  const shown = useSyncExternalStore(navigation.subscribe, navigation.shown, navigation.shown);
  useLayoutEffect(() => {
    if (shown.arrival !== "first")
      showHead(shown.page.facts, dataFrom({ client, queryClient }).users.site.getData());
    arrive(shown);
  }, [shown, client, queryClient]);
  const ready = useEffectEvent(onReady);
  useEffect(() => ready(), []);
  return (
    <App
      client={client}
      queryClient={queryClient}
      renderedAt={renderedAt}
      shown={shown}
      navigation={navigation}
    />
  );
}
