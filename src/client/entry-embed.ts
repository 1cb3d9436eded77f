import type { LiveMessage } from "../shared/live.ts";
import "./embed/embed.css";
import { followBlog } from "./embed/follow-blog.ts";
import { mergeEntries } from "./embed/merge-entries.ts";
import { writeTimes } from "./embed/write-times.ts";

/*
 * A live blog in a frame on another site (src/server/feeds/live-blog-embed.ts): small, without cookies, and live. After each
 * change it fetches the entries again, so it does not have to apply changes.
 */

/** Milliseconds between two fetches at least, and the most by which those of different frames are apart. */
const [between, spread] = [2_000, 600];
/** Milliseconds until a fetch that failed is tried again. */
const retriedAfter = 5_000;

const main = document.querySelector("main")!;
const { blog = "", cursor = "" } = document.body.dataset;
const address = `${location.pathname}?part=entries`;

// Not Date.now(): the device's clock may be set back.
let fetchedAt = -Infinity;
let state: "idle" | "planned" | "fetching" | "outdated" = "idle";

/** Plans a fetch, unless one is planned; one that is under way may have missed the change. */
function refresh(pause = 0): void {
  if (state === "fetching") state = "outdated";
  if (state !== "idle") return;
  state = "planned";
  const rest = Math.max(pause, fetchedAt + between - performance.now(), 0);
  setTimeout(() => void fetchEntries(), rest + Math.random() * spread);
}

async function fetchEntries(): Promise<void> {
  state = "fetching";
  fetchedAt = performance.now();
  const isAnswered = await fetch(address, { credentials: "omit", cache: "no-cache" })
    .then(async (response) => {
      if (response.ok) show(await response.text());
      else if (response.status === 404) showGone(true);
      return response.ok || response.status === 404;
    })
    .catch(() => false);
  const isOutdated = (state as string) === "outdated";
  state = "idle";
  if (!isAnswered) refresh(retriedAfter);
  else if (isOutdated) refresh();
}

function show(html: string): void {
  const fresh = mergeEntries(main, html);
  writeTimes(main);
  const announced = document.querySelector(".announced");
  if (announced && fresh > 0) announced.textContent = fresh === 1 ? "A new entry" : `${fresh} new entries`;
  showGone(false);
}

function showGone(isGone: boolean): void {
  main.hidden = isGone;
  document.querySelector<HTMLElement>(".gone")!.hidden = !isGone;
}

function onMessage({ event }: LiveMessage): void {
  switch (event.kind) {
    case "entry.posted":
    case "entry.edited":
    case "entry.withdrawn":
    case "blog.edited":
    case "accessRestored":
    case "reset":
      refresh();
      break;
    case "accessLost":
      showGone(true);
      break;
    default:
  }
}

writeTimes(main);
void followBlog(blog, cursor, onMessage);
