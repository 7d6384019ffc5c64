/** Thrown by a call when the invocation has no calls left. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** The calls that a piece of work may make, and the calls that other work must leave free to record its result. */
export interface Need {
  readonly calls: number;
  readonly kept: number;
}

/**
 * The calls that one invocation may make to the database and to other servers. The platform lets calls beyond its limit
 * fail.
 */
export class Budget {
  #left: number;
  /** The needs of all running work. */
  #reserved = 0;
  #kept = 0;
  #isShort = false;

  constructor(calls: number) {
    this.#left = calls;
  }

  /** True once work was left to a later invocation. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** Counts a call to the database. @throws BudgetSpent */
  takeTrip(): void {
    this.#take(0);
  }

  /**
   * Counts a call to another server.
   * @throws BudgetSpent if the result of the call might not be recorded
   */
  takeRequest(): void {
    this.#take(this.#kept);
  }

  #take(kept: number): void {
    if (this.#left <= kept) throw new BudgetSpent('The invocation has no calls left.');
    this.#left--;
  }

  /** Returns how many pieces of work can begin after a number of further calls. */
  fits({ calls }: Pick<Need, 'calls'>, before = 0): number {
    return Math.max(0, Math.floor((this.#left - this.#reserved - before) / calls));
  }

  /**
   * Reserves the calls of a piece of work.
   * @returns a function that releases them; undefined if too few are left
   */
  reserve(need: Need): (() => void) | undefined {
    if (this.fits(need) === 0) return undefined;
    this.#reserved += need.calls;
    this.#kept += need.kept;
    return () => {
      this.#reserved -= need.calls;
      this.#kept -= need.kept;
    };
  }

  /** Leaves the remaining work to a later invocation. */
  putOff(): void {
    this.#isShort = true;
  }
}

/** Does a piece of work if enough calls are left. Otherwise a later invocation does it, and undefined is returned. */
export async function reserving<T>(
  budget: Budget,
  need: Need,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const release = budget.reserve(need);
  if (!release) {
    budget.putOff();
    return undefined;
  }
  try {
    return await work();
  } finally {
    release();
  }
}

interface Round {
  readonly need: Need;
  /** Calls before the first piece. */
  readonly before: number;
  /** The largest number of pieces. */
  readonly most: number;
}

/**
 * Does as many pieces of work in parallel as there are calls for.
 * @param begin returns the pieces, at most `most` of them
 * @returns the results, and whether the round was full; undefined if a later invocation does the round
 */
export async function inRound<T>(
  budget: Budget,
  { need, before, most }: Round,
  begin: (most: number) => Promise<readonly (() => Promise<T>)[]>,
): Promise<{ done: PromiseSettledResult<T | undefined>[]; wasFull: boolean } | undefined> {
  const pieces = Math.max(1, Math.min(most, budget.fits(need, before)));
  const whole = { calls: before + pieces * need.calls, kept: pieces * need.kept };
  const begun = await reserving(budget, whole, () => begin(pieces));
  if (!begun) return undefined;
  // All pieces reserve their calls before the first one makes any.
  const releases = begun.map(() => budget.reserve(need));
  const done = await Promise.allSettled(
    begun.map(async (work, i) => {
      const release = releases[i];
      // A piece without a call is due again once its lease ends.
      return release && work().finally(release);
    }),
  );
  return { done, wasFull: begun.length === pieces };
}
