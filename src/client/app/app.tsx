import type { ReactNode } from "react";
import { Outlet, ScrollRestoration } from "react-router-dom";
import { ApiProvider } from "../api/provider.tsx";
import { trpc } from "../api/trpc.ts";
import type { ApiSources } from "../api/provider.tsx";
import { SiteContext } from "../session/site.ts";
import { ViewerContext } from "../session/viewer.ts";
import { RenderedAt } from "../ui/time.tsx";
import { useArrival } from "./arrive.ts";
import { Layout } from "./layout.tsx";

interface Props extends ApiSources {
  /** When the server rendered the page, in milliseconds. */
  renderedAt: number;
  /** The router, which draws the page in its frame. */
  children: ReactNode;
}

/** What the server renders and the browser takes over. */
export function App({ client, queryClient, renderedAt, children }: Props) {
  return (
    <RenderedAt value={renderedAt}>
      <ApiProvider client={client} queryClient={queryClient}>
        {children}
      </ApiProvider>
    </RenderedAt>
  );
}

/** The frame around every page, which knows who is signed in, and the site's facts. */
export function Site() {
  const viewer = trpc.users.me.useQuery().data ?? null;
  const site = trpc.users.site.useQuery().data;
  useArrival();
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
