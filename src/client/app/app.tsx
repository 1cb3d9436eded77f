import type { ReactNode } from "react";
import { Outlet, ScrollRestoration } from "react-router-dom";
import { ApiProvider } from "../api/provider.tsx";
import { trpc } from "../api/trpc.ts";
import type { ApiSources } from "../api/provider.tsx";
import { SiteContext } from "../session/site.ts";
import { ViewerContext } from "../session/viewer.ts";
import { RenderedAt } from "../ui/time.tsx";
import { useFocusOnNavigation } from "./focus-on-navigation.ts";
import { Layout } from "./layout.tsx";

interface Props extends ApiSources {
  /** When the server rendered the page, in milliseconds. */
  renderedAt: number;
  children: ReactNode;
}

export function App({ client, queryClient, renderedAt, children }: Props) {
  return (
    <RenderedAt value={renderedAt}>
      <ApiProvider client={client} queryClient={queryClient}>
        {children}
      </ApiProvider>
    </RenderedAt>
  );
}

/** The layout around every page, with the viewer and the site's facts. */
export function Site() {
  const viewer = trpc.users.me.useQuery().data ?? null;
  const site = trpc.users.site.useQuery().data;
  useFocusOnNavigation();
  return (
    <ViewerContext value={viewer}>
      <SiteContext value={site}>
        <Layout>
          <Outlet />
        </Layout>
        <ScrollRestoration />
      </SiteContext>
    </ViewerContext>
  );
}
