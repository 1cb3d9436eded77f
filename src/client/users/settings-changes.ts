import type { Viewer } from "../../shared/users.ts";

export type Settings = Pick<
  Viewer,
  "private" | "showLikedBlogs" | "showSavedBlogs" | "showFollowers" | "interests"
>;

/** A change that the person makes: applied to whatever the settings are by then. */
export type Change = (settings: Settings) => Settings;

interface Server {
  /** The settings as the server last told of them. */
  current: () => Settings;
  /** Stores what differs, and makes `current` answer with it. Rejects where the server refuses or can't be reached. */
  send: (update: Partial<Settings>) => Promise<void>;
  /** What was taken back, and the way to make it again. */
  failed: (error: unknown, retry: () => void) => void;
}

/**
 * Changes of the settings on their way to the server. They show at once; one request is under way at a time, and what
 * was changed meanwhile goes with the next. Where one fails, its changes alone are taken back.
 */
export class SettingsChanges {
  #open: readonly Change[] = [];
  #sending = false;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** The changes that the server does not have yet, oldest first. */
  readonly open = (): readonly Change[] => this.#open;

  async make(changes: readonly Change[], server: Server): Promise<void> {
    this.#become([...this.#open, ...changes]);
    if (this.#sending) return;
    this.#sending = true;
    while (this.#open.length > 0) {
      const batch = this.#open;
      const update = difference(server.current(), batch.reduce(applied, server.current()));
      let failure: { error: unknown } | undefined;
      try {
        if (Object.keys(update).length > 0) await server.send(update);
      } catch (error) {
        failure = { error };
      }
      this.#become(this.#open.slice(batch.length));
      if (failure) server.failed(failure.error, () => void this.make(batch, server));
    }
    this.#sending = false;
  }

  #become(open: readonly Change[]): void {
    this.#open = open;
    for (const listener of this.#listeners) listener();
  }
}

const applied = (settings: Settings, change: Change): Settings => change(settings);

/** The settings with the person's open changes on top. */
export const shownSettings = (settings: Settings, open: readonly Change[]): Settings =>
  open.reduce(applied, settings);

function difference(before: Settings, after: Settings): Partial<Settings> {
  const changed = (Object.keys(after) as (keyof Settings)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  return Object.fromEntries(changed.map((key) => [key, after[key]]));
}
