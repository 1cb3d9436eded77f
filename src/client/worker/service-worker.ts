import type { PushMessage } from "../../shared/push.ts";
import { sessionHeader } from "../../shared/service-worker.ts";
import type { WorkerMessage } from "../../shared/service-worker.ts";
import { LIST, listDocument, offlineDocument } from "./offline-documents.ts";
import { endPushes, onNotificationClick, onPush, onSubscriptionChange } from "./push.ts";
import {
  clearAll,
  clearOtherSessions,
  isArticle,
  refreshArticle,
  removeUnreadable,
  saveArticle,
  savedPart,
  serialize,
} from "./saved-articles.ts";
import { scope } from "./scope.ts";
import type { Fetching } from "./scope.ts";

/*
 * The site's service worker (docs/decisions/0018-offline-and-service-worker.md). The network comes first; a saved article is
 * shown only when the site does not respond. It handles documents and their parts; API calls, streams, uploads and files go
 * past it.
 */

/** API endpoints and files, which are no pages of the site. */
const noPage =
  /^\/(api|docs\/api|trpc|media|assets|static|healthz|readyz|metrics|google|blog\/[^/]+\/embed)(\/|$)|\.\w+$/;

scope.addEventListener("install", () => void scope.skipWaiting());
scope.addEventListener("activate", (event) =>
  event.waitUntil(
    Promise.all([
      scope.clients.claim(),
      // The browser requests a page while it starts the worker.
      scope.registration.navigationPreload?.enable(),
    ]),
  ),
);

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.location.origin || request.headers.has("range"))
    return;
  if (request.mode === "navigate") {
    if (!noPage.test(url.pathname)) event.respondWith(navigated(event, url));
  } else if (/^\/(assets|media|static)\//.test(url.pathname) && request.destination !== "") {
    event.respondWith(
      fetch(request).catch(async (failure: unknown) => {
        const saved = await savedPart(url);
        if (saved) return saved;
        throw failure;
      }),
    );
  }
});

async function navigated(event: Fetching, url: URL): Promise<Response> {
  if (url.pathname === LIST) return listDocument("asked");
  let response: Response;
  try {
    response = (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return offlineDocument(url.pathname);
  }
  const copy = isArticle(url.pathname) && response.type === "basic" ? response.clone() : undefined;
  event.waitUntil(
    serialize(async () => {
      if (copy) await saveArticle(url.pathname, copy);
      // Any other page also says whose session it is.
      else if (response.type === "basic" && response.status < 429)
        await clearOtherSessions(response.headers.get(sessionHeader));
      await removeUnreadable();
    }),
  );
  return response;
}

scope.addEventListener("message", (event) =>
  event.waitUntil(serialize(() => onMessage(event.data as WorkerMessage))),
);

scope.addEventListener("push", (event) => {
  const message = event.data?.json() as PushMessage | undefined;
  if (message) event.waitUntil(onPush(message));
});
scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(onSubscriptionChange()));
scope.addEventListener("notificationclick", (event) =>
  event.waitUntil(onNotificationClick(event.notification)),
);

async function onMessage(message: WorkerMessage): Promise<void> {
  if (message.kind === "session") await clearOtherSessions(message.session);
  if (message.kind === "session" && message.session === null) await endPushes();
  if (message.kind === "forget") await clearAll();
  if (message.kind === "read" && isArticle(message.path)) await refreshArticle(message.path);
  if (message.kind !== "session" && message.kind !== "forget") await removeUnreadable();
}
