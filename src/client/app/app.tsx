import { Component, useEffect, useEffectEvent, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { ApiProvider } from "../api/provider.tsx";
import { dataOf, trpc } from "../api/trpc.ts";
// Not loaded on demand: what it tells of is often the network.
import ErrorPage from "../pages/error-page.tsx";
import { showHead } from "../pages/head.ts";
import { SiteContext } from "../session/site.ts";
import { ViewerContext } from "../session/viewer.ts";
import { PlaceContext } from "../ui/location.ts";
import type { Navigation } from "../ui/location.ts";
import { RenderedAt } from "../ui/time.tsx";
import { arrive } from "./arrive.ts";
import { Layout } from "./layout.tsx";
import type { BrowserNavigation, Shown } from "./navigation.ts";
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
      <ApiProvider client={client} queryClient={queryClient}>
        <PlaceContext value={place}>
          <Known>
            <Layout>
              <ErrorBoundary key={page.route.path + location.pathname}>
                <page.Component {...page.problem} />
              </ErrorBoundary>
            </Layout>
          </Known>
        </PlaceContext>
      </ApiProvider>
    </RenderedAt>
  );
}

/** Gives to all that is drawn who is signed in, and the site's facts. */
function Known({ children }: { children: ReactNode }) {
  const viewer = trpc.users.me.useQuery().data ?? null;
  const site = trpc.users.site.useQuery().data;
  return (
    <ViewerContext value={viewer}>
      <SiteContext value={site}>{children}</SiteContext>
    </ViewerContext>
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
      showHead(shown.page.facts, dataOf(client, queryClient).users.site.getData());
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

/** Catches what a page's components throw; the frame around them stays usable. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    // What broke it breaks it again: only a document of its own may help.
    return this.state.broken ? <ErrorPage retry={() => location.reload()} /> : this.props.children;
  }
}
