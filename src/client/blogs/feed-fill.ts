import { retryDelay } from "../api/retry-delay.ts";

export interface Asking {
  /** Asks; where something is under way already, once more after it. */
  ask(): void;
  /** What is under way may be older than what was heard just now: it is asked for once more. */
  doubt(): void;
  stop(): void;
}

/**
 * Reads one thing at a time and hands it to `use`, but for what was asked for again meanwhile, or stopped. Where no answer
 * comes it reads again after `pause(failures)` ms.
 */
export function oneAtATime<T>(
  read: () => Promise<T>,
  use: (read: T) => void,
  pause: (failures: number) => number = retryDelay,
): Asking {
  let state: "idle" | "running" | "again" | "stopped" = "idle";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (failures: number): void => {
    state = "running";
    read().then(
      (answer) => {
        if (state === "again") return run(0);
        if (state === "stopped") return;
        state = "idle";
        use(answer);
      },
      () => {
        if (state !== "stopped") timer = setTimeout(() => run(failures + 1), pause(failures));
      },
    );
  };
  const doubt = (): void => {
    if (state === "running") state = "again";
  };
  return {
    ask: () => (state === "idle" ? run(0) : doubt()),
    doubt,
    stop: () => {
      state = "stopped";
      clearTimeout(timer);
    },
  };
}
