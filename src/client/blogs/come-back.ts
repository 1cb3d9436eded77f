const longest = 60_000;

/** From two seconds on, doubled each time up to a minute; by chance a little less or more, so that not all readers ask at once. */
const growing = (attempt: number): number =>
  Math.min(longest, 2_000 * 2 ** attempt) * (0.75 + Math.random() / 2);

/**
 * Tries again and again until it succeeds: after `pause(attempt)` ms, and as soon as the page is looked at again; never
 * while nobody looks, and never twice at a time. Returns how to stop.
 */
export function tryUntilBack(
  attempt: () => Promise<unknown>,
  pause: (attempt: number) => number = growing,
): () => void {
  let attempts = 0;
  let state: "waiting" | "trying" | "over" = "waiting";
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    timer = setTimeout(run, pause(attempts++));
  };
  const stop = (): void => {
    state = "over";
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", run);
  };
  const run = (): void => {
    if (state !== "waiting" || document.visibilityState === "hidden") return;
    state = "trying";
    clearTimeout(timer);
    attempt().then(stop, () => {
      if (state === "over") return;
      state = "waiting";
      wait();
    });
  };
  document.addEventListener("visibilitychange", run);
  wait();
  return stop;
}
