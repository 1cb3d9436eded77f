/**
 * Divides the main thread's time among the calls of a turn of the event loop: their queries run one after the other, without
 * waiting. What a call does after it has waited (for a worker, for the writer) belongs to nobody.
 */
class ThreadShares {
  #open = new Set<ThreadShare>();
  /** Milliseconds of the thread until now, and those of each call since the turn began. */
  #spent = 0;
  #share = 0;
  #isTurn = false;

  begin(): ThreadShare {
    this.#advance();
    if (!this.#isTurn) {
      this.#isTurn = true;
      setImmediate(() => {
        this.#advance();
        for (const call of this.#open) call.milliseconds = this.#share - call.begunAt;
        this.#open = new Set();
        this.#isTurn = false;
      });
    }
    const call = { begunAt: this.#share, milliseconds: 0 };
    this.#open.add(call);
    return call;
  }

  /** Returns the milliseconds that a call took. */
  end(call: ThreadShare): number {
    this.#advance();
    if (this.#open.delete(call)) call.milliseconds = this.#share - call.begunAt;
    return call.milliseconds;
  }

  #advance(): void {
    const { user, system } = process.threadCpuUsage();
    const now = (user + system) / 1_000;
    if (this.#open.size > 0) this.#share += (now - this.#spent) / this.#open.size;
    this.#spent = now;
  }
}

interface ThreadShare {
  begunAt: number;
  milliseconds: number;
}

const shares = new ThreadShares();

/** Runs `work`, and calls `onTaken` with the milliseconds of the main thread that it took before it waited. */
export async function measureThread<T>(
  work: () => Promise<T>,
  onTaken: (milliseconds: number) => void,
): Promise<T> {
  const call = shares.begin();
  try {
    return await work();
  } finally {
    onTaken(shares.end(call));
  }
}
