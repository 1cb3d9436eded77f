import type { WorkerMessage } from "../../shared/worker.ts";

/** Tells the site's worker something, which begins to work with the first word. Nothing where there is none. */
export async function tellWorker(message: WorkerMessage): Promise<void> {
  const address = document.querySelector<HTMLLinkElement>('link[rel="serviceworker"]')?.href;
  if (!address || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(address, { updateViaCache: "none" });
  (await navigator.serviceWorker.ready).active?.postMessage(message);
}
