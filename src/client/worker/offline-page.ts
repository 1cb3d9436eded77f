import "./offline-page.css";

/*
 * Runs in the documents that the worker shows offline, and waits until the site responds again. A saved article then becomes live
 * by itself, like any open page; the list in place of another page reloads to show that page.
 */

const INTERVAL = 5_000;
/** Milliseconds to wait after "online": a network that has just come back is often lost again. */
const SETTLE_AFTER = 1_000;
const isList = document.body.dataset.why !== undefined;
const theme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
if (isList && theme) document.documentElement.dataset.theme = theme;

const siteAnswers = (): Promise<boolean> =>
  fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );

async function checkSite(): Promise<void> {
  if (!navigator.onLine || document.hidden || !(await siteAnswers())) return;
  clearInterval(timer);
  navigator.serviceWorker.controller?.postMessage({ kind: "online" });
  if (isList) location.reload();
  else document.querySelector(".offline-note")?.remove();
}

const timer =
  document.body.dataset.why === "asked" ? undefined : setInterval(() => void checkSite(), INTERVAL);
if (timer) {
  addEventListener("online", () => setTimeout(() => void checkSite(), SETTLE_AFTER));
  document.addEventListener("visibilitychange", () => void checkSite());
}

document.getElementById("forget")?.addEventListener("click", () => {
  navigator.serviceWorker.controller?.postMessage({ kind: "forget" });
  const list = document.querySelector("ul");
  list?.previousElementSibling?.remove();
  list?.nextElementSibling?.remove();
  if (list) list.outerHTML = "<p role='status'>No saved articles.</p>";
});
