/** The error of a call when the invocation has no calls left. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/**
 * The calls that one piece of work may make, and the calls that every other call leaves free for it, so that its
 * outcome can be written back.
 */
export interface Need {
  readonly calls: number;
  readonly kept: number;
}

/**
 * Calls that one invocation may make. The platform counts those to the database and those to other servers,
 * and lets each fail that comes after the last.
 */
export class Budget {
  #left: number;
  /** Needs of the work under way. */
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

  /** Counts a call to another server. @throws BudgetSpent where its outcome might not be written back */
  takeRequest(): void {
    this.#take(this.#kept);
  }

  #take(kept: number): void {
    if (this.#left <= kept) throw new BudgetSpent('The invocation has no calls left.');
    this.#left--;
  }

  /** Tells how many pieces of work can begin, after so many calls more. */
  fits({ calls }: Pick<Need, 'calls'>, before = 0): number {
    return Math.max(0, Math.floor((this.#left - this.#reserved - before) / calls));
  }

  /** Reserves what a piece of work needs. @returns a function that ends that, undefined where too little is left */
  reserve(need: Need): (() => void) | undefined {
    if (this.fits(need) === 0) return undefined;
    this.#reserved += need.calls;
    this.#kept += need.kept;
    return () => {
      this.#reserved -= need.calls;
      this.#kept -= need.kept;
    };
  }

  /** Leaves what remains to a later invocation. */
  putOff(): void {
    this.#isShort = true;
  }
}

/** Does work if enough calls are left for it; else a later invocation does, and undefined is returned. */
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

/** A round of like pieces of work. */
interface Round {
  readonly need: Need;
  /** Calls before any of them. */
  readonly before: number;
  /** Most pieces. */
  readonly most: number;
}

/**
 * Does a round of as many pieces as there are calls for, all at once.
 * @param begin takes at most so many
 * @returns what became of each, and whether as many were taken; undefined where a later invocation does all of it
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
  // All of them have theirs before the first takes any.
  const releases = begun.map(() => budget.reserve(need));
  const done = await Promise.allSettled(
    begun.map(async (work, i) => {
      const release = releases[i];
      // Its lease brings it up again.
      return release && work().finally(release);
    }),
  );
  return { done, wasFull: begun.length === pieces };
}
