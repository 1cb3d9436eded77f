import type { WorkerMessage } from "../../shared/service-worker.ts";

/** Registers the site's service worker. Undefined if the site has none; rejects if the browser has none. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const link = document.querySelector<HTMLLinkElement>("[rel=serviceworker]");
  const { serviceWorker } = navigator;
  if (!link) return undefined;
  await serviceWorker.register(link.href);
  return serviceWorker.ready;
}

/** Posts a message to the service worker, if any. */
export const postToServiceWorker = (message: WorkerMessage): Promise<void> =>
  registerServiceWorker().then(
    (worker) => worker?.active?.postMessage(message),
    () => undefined,
  );
