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

document.getElementById("retry")?.addEventListener("click", () => location.reload());

document.getElementById("forget")?.addEventListener("click", () => {
  navigator.serviceWorker.controller?.postMessage({ kind: "forget" });
  const list = document.querySelector("main > ul");
  list?.previousElementSibling?.remove();
  list?.nextElementSibling?.remove();
  if (list) list.outerHTML = "<p role='status'>No saved articles.</p>";
});

/** An entry of the offline queue, whose own code would load the site's (live/mutations/offline-queue.ts). */
interface Waiting {
  viewerId: string;
  name: string;
  input: { text?: string };
  at: number;
}

if (isList && localStorage.getItem("reprise:offline-queue") !== null) {
  const opening = indexedDB.open("reprise-offline-queue", 1);
  // Creates nothing.
  opening.addEventListener("upgradeneeded", () => opening.transaction?.abort());
  opening.addEventListener("success", () => {
    const database = opening.result;
    const reading = database.transaction("mutations").objectStore("mutations").getAll() as IDBRequest<
      Waiting[]
    >;
    reading.addEventListener("success", () => {
      database.close();
      showWaiting(reading.result.toSorted((one, other) => one.at - other.at));
    });
  });
}

/** Lists the comments of the signed-in person that wait, and counts the rest. */
function showWaiting(entries: readonly Waiting[]): void {
  const { id } = JSON.parse(localStorage.getItem("user") ?? "{}") as { id?: string };
  const own = entries.filter(({ viewerId, name }) => viewerId === id && name !== "comments.deleteUnsent");
  const comments = own.flatMap(({ name, input }) => (name === "comments.create" ? [input.text ?? ""] : []));
  const others = own.length - comments.length;
  const lines = [
    ...comments,
    ...(others > 0 ? [others === 1 ? "1 like or save" : `${others} likes and saves`] : []),
  ];
  const section = document.getElementById("waiting");
  if (!section || lines.length === 0) return;
  section
    .querySelector("ul")!
    .append(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  section.hidden = false;
}
