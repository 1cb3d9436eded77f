/** Milliseconds: shares of less may count waits for other programs as well, since reading the thread's CPU time costs a call's tenth. */
export const exactFrom = 5;

/**
 * Divides the main thread's time among the calls of a turn of the event loop: their queries run one after the other, without
 * waiting. What a call does after it has waited (for a worker, for the writer) belongs to nobody.
 */
class ThreadShares {
  #open = new Set<ThreadShare>();
  /** Milliseconds of the clock until now, and those of each call since the turn began. */
  #clock = 0;
  #share = 0;
  /** The clock and the thread's CPU time when the turn began. */
  #turn: { clock: number; cpu: number } | undefined;

  begin(): ThreadShare {
    this.#advance();
    if (!this.#turn) {
      this.#turn = { clock: this.#clock, cpu: cpuTime() };
      setImmediate(() => {
        this.#advance();
        for (const call of this.#open) call.milliseconds = this.#taken(call);
        this.#open = new Set();
        this.#turn = undefined;
      });
    }
    const call = { begunAt: this.#share, milliseconds: 0 };
    this.#open.add(call);
    return call;
  }

  /** Returns the milliseconds that a call took. */
  end(call: ThreadShare): number {
    this.#advance();
    if (this.#open.delete(call)) call.milliseconds = this.#taken(call);
    return call.milliseconds;
  }

  #advance(): void {
    const now = performance.now();
    if (this.#open.size > 0) this.#share += (now - this.#clock) / this.#open.size;
    this.#clock = now;
  }

  #taken({ begunAt }: ThreadShare): number {
    const share = this.#share - begunAt;
    if (share < exactFrom || !this.#turn) return share;
    const { clock, cpu } = this.#turn;
    return share * Math.min(1, (cpuTime() - cpu) / (this.#clock - clock));
  }
}

/** Returns the thread's CPU time so far, in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
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
