// Many open pages in a process of their own, controlled over IPC by many-pages.ts. They use the browser's store, query table and
// live connection over a real socket. Only rendering is left out.
import { setMaxListeners } from "node:events";
import { QueryObserver, type QueryClient } from "@tanstack/react-query";
import { createTRPCClientProxy, createTRPCUntypedClient, httpLink } from "@trpc/client";
import { WebSocket as Socket } from "ws";
import { ConnectionStatus } from "../../src/client/api/connection-status.ts";
import { createQueryClient } from "../../src/client/api/query-client.ts";
import { articleQueries } from "../../src/client/blogs/article/article-query.ts";
import { viewerQueries } from "../../src/client/session/viewer-queries.ts";
import { blogQueries } from "../../src/client/blogs/blog-queries.ts";
import { commentQueries } from "../../src/client/comments/comment-queries.ts";
import { LiveConnection } from "../../src/client/live/connection/live-connection.ts";
import { createWebSocketTransport } from "../../src/client/live/connection/web-socket.ts";
import type { LiveQueries } from "../../src/client/live/queries/live-query.ts";
import { LiveStore } from "../../src/client/live/queries/live-store.ts";
import type { AppRouter } from "../../src/server/router.ts";

/** A query whose result a page shows. */
export type PageQuery =
  | { path: "blogs.list"; input: { page: number; sort: "latest" | "likes" } }
  | { path: "blogs.search"; input: { query: string; page: number } }
  | { path: "blogs.bySlug"; input: { slug: string } }
  | { path: "comments.list"; input: { blogId: string } };
/**
 * `open` opens that many pages with these queries, from an address of their own; `calls` asks for the calls since the last
 * time.
 */
export type PagesCommand =
  | { open: string; from: string; pages: number; shows: PageQuery[] }
  | { calls: true };
/** When each call was made, as Unix time in milliseconds; how many failed; and the fewest new blogs that any page heard of. */
export interface Calls {
  calls: number[];
  failed: number;
  publishedCount: number;
}

// The window's events, which pauses between tries listen to.
const windowEvents = new EventTarget();
setMaxListeners(0, windowEvents);
Object.assign(globalThis, {
  addEventListener: windowEvents.addEventListener.bind(windowEvents),
  removeEventListener: windowEvents.removeEventListener.bind(windowEvents),
});

const { refetch: _inPieces, ...article } = articleQueries["blogs.bySlug"]!;
const table: LiveQueries = {
  ...viewerQueries,
  ...blogQueries,
  ...commentQueries,
  // What changes a text in place needs a document: here the whole blog is read again.
  "blogs.bySlug": article,
};
const publishedCounts: number[] = [];
let calls: number[] = [];
let failed = 0;

process.on("disconnect", () => process.exit());
process.on("message", (order: PagesCommand) => {
  if ("open" in order) return void openPages(order).then(() => process.send?.({ ready: true }));
  process.send?.({ calls, failed, publishedCount: Math.min(...publishedCounts) } satisfies Calls);
  calls = [];
});

async function openPages({
  open: url,
  from,
  pages,
  shows,
}: Extract<PagesCommand, { open: string }>): Promise<void> {
  const client = createTRPCUntypedClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        fetch: async (input, init) => {
          calls.push(Date.now());
          const response = await fetch(input, init as RequestInit).catch(() => undefined);
          if (!response?.ok && !init?.signal?.aborted) failed++;
          if (!response) throw new Error("There was no answer.");
          return response;
        },
      }),
    ],
  });
  const runQuery = ({ path, input }: PageQuery): Promise<unknown> => client.query(path, input);
  // The data that the server would have rendered the page with.
  const results = await Promise.all(shows.map(runQuery));
  calls = [];
  class PageSocket extends Socket {
    constructor(address: string) {
      super(address, { perMessageDeflate: false, localAddress: from, headers: { origin: url } });
      this.on("error", () => undefined);
    }
  }
  const transport = createWebSocketTransport(
    PageSocket as unknown as typeof WebSocket,
    () => `${url.replace("http", "ws")}/trpc`,
  );
  const openPage = (): Promise<void> =>
    new Promise((isLive) => {
      const index = publishedCounts.push(0) - 1;
      const queryClient: QueryClient = createQueryClient();
      const connection = new ConnectionStatus(async () => true);
      connection.subscribe(() => connection.state === "live" && isLive());
      const liveConnection = new LiveConnection([transport], connection);
      const store = new LiveStore(queryClient, table, liveConnection, {
        client: createTRPCClientProxy<AppRouter>(client),
      });
      shows.forEach((query, queryIndex) => {
        const queryKey = [query.path.split("."), { input: query.input, type: "query" }];
        queryClient.setQueryData(queryKey, results[queryIndex]);
        new QueryObserver(queryClient, { queryKey, queryFn: () => runQuery(query) }).subscribe(
          () => undefined,
        );
      });
      store.start(
        () => undefined,
        () => undefined,
      );
      store.listen(({ event }) => void (publishedCounts[index]! += event.kind === "blog.published" ? 1 : 0));
    });
  for (let remaining = pages; remaining > 0; remaining -= 50)
    await Promise.all(Array.from({ length: Math.min(50, remaining) }, openPage));
}
