import { retryDelay } from "./retry.ts";

/**
 * The pauses between one attempt to connect and the next, longer after each failure. `cut` ends the one that is under way
 * and begins to count anew: something says that the next attempt will succeed.
 */
export class Pauses {
  #failures = 0;
  #due = 0;
  #end: (() => void) | undefined;

  /** Before an attempt: waits where one has failed before. */
  async take(): Promise<void> {
    const due = this.#due;
    this.#due = 0;
    if (due === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, due);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  failed(): void {
    this.#due = retryDelay(this.#failures++);
  }

  cut(): void {
    this.#failures = 0;
    this.#due = 0;
    this.#end?.();
  }
}
