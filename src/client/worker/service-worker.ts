import type { PushMessage } from "../../shared/push.ts";
import { sessionHeader } from "../../shared/worker.ts";
import type { WorkerMessage } from "../../shared/worker.ts";
import { become, check, forgetAll, inTurn, isArticle, keep, keepAnew, keptPart } from "./kept.ts";
import { LIST, listPage, withoutNetwork } from "./offline.ts";
import { clicked, endPushes, pushed, renewed } from "./push.ts";
import { scope } from "./scope.ts";
import type { Fetching } from "./scope.ts";

/*
 * The site's worker (docs/decisions/0030-on-a-device.md). The network comes first for everything, and what is kept is shown
 * only where no answer comes. It answers for documents and what they are made of; calls, streams, uploads and files go past it.
 */

/** What programs ask for, and files: no page of the site. */
const noPage = /^\/(api|trpc|media|assets|static|healthz|readyz|metrics|google)(\/|$)|\.\w+$/;

scope.addEventListener("install", () => void scope.skipWaiting());
scope.addEventListener("activate", (event) =>
  event.waitUntil(
    Promise.all([
      scope.clients.claim(),
      // The browser asks for a page while the worker is being woken.
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
        const kept = await keptPart(url);
        if (kept) return kept;
        throw failure;
      }),
    );
  }
});

async function navigated(event: Fetching, url: URL): Promise<Response> {
  if (url.pathname === LIST) return listPage("asked");
  let response: Response;
  try {
    response = (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return withoutNetwork(url.pathname);
  }
  const copy = isArticle(url.pathname) && response.type === "basic" ? response.clone() : undefined;
  event.waitUntil(
    inTurn(async () => {
      if (copy) await keep(url.pathname, copy);
      // Of another page that the server made: whose device it is by now.
      else if (response.type === "basic" && response.status < 429)
        await become(response.headers.get(sessionHeader));
      await check();
    }),
  );
  return response;
}

scope.addEventListener("message", (event) =>
  event.waitUntil(inTurn(() => hear(event.data as WorkerMessage))),
);

scope.addEventListener("push", (event) => {
  const message = event.data?.json() as PushMessage | undefined;
  if (message) event.waitUntil(pushed(message));
});
scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewed()));
scope.addEventListener("notificationclick", (event) => event.waitUntil(clicked(event.notification)));

async function hear(message: WorkerMessage): Promise<void> {
  if (message.kind === "session") await become(message.session);
  if (message.kind === "session" && message.session === null) await endPushes();
  if (message.kind === "forget") await forgetAll();
  if (message.kind === "read" && isArticle(message.path)) await keepAnew(message.path);
  if (message.kind !== "session" && message.kind !== "forget") await check();
}
