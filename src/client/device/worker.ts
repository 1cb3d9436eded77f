import type { WorkerMessage } from "../../shared/worker.ts";

/** The site's worker, begun where it was not; undefined where there is none. Rejects where the browser has none. */
export async function beginWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const link = document.querySelector<HTMLLinkElement>("[rel=serviceworker]");
  const { serviceWorker } = navigator;
  if (!link) return undefined;
  await serviceWorker.register(link.href);
  return serviceWorker.ready;
}

/** Tells the site's worker something, where there is one. */
export const tellWorker = (message: WorkerMessage): Promise<void> =>
  beginWorker().then(
    (worker) => worker?.active?.postMessage(message),
    () => undefined,
  );
