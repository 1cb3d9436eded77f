import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import type { CardWords } from "../shared/cards.ts";
import { errorCode, mayPass, retryAfter } from "./api/errors.ts";
import { createQueryClient } from "./api/query-client.ts";
import { loadDocument } from "./api/document.ts";
import { dataOf } from "./api/trpc.ts";
import type { Client } from "./api/trpc.ts";
import { App } from "./app/app.tsx";
import { htmlDocument } from "./app/document.ts";
import type { Assets } from "./app/document.ts";
import { locationOf } from "./app/navigation.ts";
import { ownAddress } from "./app/own-address.ts";
import { Redirect } from "./pages/page.ts";
import { failedPage, resolvePage } from "./app/resolve.ts";
import type { ReadyPage } from "./app/resolve.ts";
import { failed, notFound, pages } from "./app/routes.ts";
import { headOf } from "./app/page-head.ts";
import { packQueries, scriptText } from "./app/state.ts";
import type { PageState } from "./app/state.ts";
import type { Theme } from "./ui/theme.ts";
import { loadComments } from "./comments/lazy-section.tsx";
import type { Navigation } from "./ui/location.ts";

export interface RenderRequest {
  url: URL;
  theme: Theme;
  /** Where the site's worker is, where pages are to begin it. */
  worker: string | undefined;
  /** Calls the API as the viewer of the page, without HTTP. */
  client: Client;
  /** Fetches a JSON document of this site, without HTTP. */
  load: (path: string) => Promise<unknown>;
  /** The address of a drawn card. */
  cardAt: (card: CardWords) => Promise<string>;
  /** What the browser must load for a page's source file. */
  assetsFor: (file: string, forMember: boolean) => Assets;
  onError: (error: unknown) => void;
}

export type Rendered =
  | { kind: "redirect"; to: string; permanent: boolean }
  /** `topics` are null where the page must not be kept. */
  | {
      kind: "page";
      /** As the table of pages has it. */
      route: string;
      status: ReadyPage["status"] | 429 | 503;
      /** In parts, with `drawnText` in place of an article's text. */
      html: string[];
      topics: string[] | null;
      /** Seconds until another try is welcome, where it is told. */
      retryAfter?: number | undefined;
    };

/** Renders the page of an address as a whole document. */
export async function render({
  url,
  theme,
  worker,
  client,
  load,
  cardAt,
  assetsFor,
  onError,
}: RenderRequest): Promise<Rendered> {
  const now = Date.now();
  const queryClient = createQueryClient();
  const data = dataOf(client, queryClient);
  let page = await resolvePage(url, {
    data,
    load: (path) => loadDocument(queryClient, path, Infinity, load),
  });
  if (page instanceof Redirect) return { kind: "redirect", to: page.to, permanent: page.permanent };
  if (page.error && !mayPass(page.error)) onError(page.error);
  const draw = (shown: ReadyPage): string =>
    renderToString(
      <StrictMode>
        <App
          client={client}
          queryClient={queryClient}
          shown={{ page: shown, location: locationOf(url) }}
          navigation={nowhere}
          renderedAt={now}
        />
      </StrictMode>,
    );
  let body: string;
  try {
    body = draw(page);
  } catch (error) {
    onError(error);
    page = await failedPage(error as Error, page.route, data);
    body = draw(page);
  }
  const site = await data.users.site.ensureData();
  const { status, problem } = page;
  const queries = packQueries(queryClient, status === 200);
  const state = scriptText({ status, problem, now, queries } satisfies PageState);
  const viewer = await data.users.me.ensureData();
  const head = await headOf({ page, url, data, site, viewer, cardAt });
  const assets = assetsFor(page.route.file, viewer !== null);
  const html = htmlDocument({ page, head, site, url, theme, worker, body, state, assets });
  return {
    kind: "page",
    route: page.route.path,
    ...answerOf(page),
    html,
    topics: page.status === 200 ? (page.facts.topics ?? null) : null,
  };
}

/** The error page of what may work in a moment is none of a bug: it says so, and when. */
function answerOf({
  status,
  error,
  facts,
}: ReadyPage): Pick<Rendered & { kind: "page" }, "status" | "retryAfter"> {
  if (facts.nothing) return { status: 404 };
  if (!mayPass(error)) return { status };
  return {
    status: errorCode(error) === "TOO_MANY_REQUESTS" ? 429 : 503,
    retryAfter: retryAfter(error),
  };
}

/** Loads the code that any page may need. */
export const loadPages = async (): Promise<void> => {
  await Promise.all([...pages.map(({ load }) => load()), notFound.load(), failed.load(), loadComments()]);
};

export { ownAddress };
export type { Assets };

const nowhere: Navigation = {
  navigate: notHere,
  reload: notHere,
  subscribe: () => () => undefined,
  pending: () => false,
};

function notHere(): never {
  throw new Error(
    "The server renders a page; it does not go to another one. Throw a Redirect from the page's prefetch.",
  );
}
