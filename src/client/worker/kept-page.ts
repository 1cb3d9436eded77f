import "./kept-page.css";

/*
 * Runs in what the worker shows without a network: waits until the site answers again. A kept article goes on by itself then,
 * as any page that was open all the while; what stood in place of another page gives way to it.
 */

const EVERY = 5_000;
/** A network that has just come back may go again at once. */
const SETTLED = 1_000;
const isList = document.body.dataset.why !== undefined;
const theme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
if (isList && theme) document.documentElement.dataset.theme = theme;

const answers = (): Promise<boolean> =>
  fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );

async function look(): Promise<void> {
  if (!navigator.onLine || document.hidden || !(await answers())) return;
  clearInterval(timer);
  navigator.serviceWorker.controller?.postMessage({ kind: "online" });
  if (isList) location.reload();
  else document.querySelector(".kept-line")?.remove();
}

const timer = document.body.dataset.why === "asked" ? undefined : setInterval(() => void look(), EVERY);
if (timer) {
  addEventListener("online", () => setTimeout(() => void look(), SETTLED));
  document.addEventListener("visibilitychange", () => void look());
}

document.getElementById("forget")?.addEventListener("click", () => {
  navigator.serviceWorker.controller?.postMessage({ kind: "forget" });
  const list = document.querySelector("ul");
  list?.previousElementSibling?.remove();
  list?.nextElementSibling?.remove();
  if (list) list.outerHTML = "<p role='status'>No saved articles.</p>";
});
