import { setImmediate } from 'node:timers/promises';
import type { NeonEndpoint } from '../../../src/local/neon/index.ts';
import type { TestClock } from '../../harness/store.ts';

/** An alarm that can be set again; it doesn't ring while its previous ring is being handled. */
interface Alarm {
  readonly at: () => number;
  readonly ring: () => Promise<unknown>;
}

/** Milliseconds whose due work runs at once, as a burst. */
const burst = 10_000;

/** Turns of the event loop after which all self-continuing work has ended. */
const turns = 25;

/** Factor by which work may be slower here than in a deployment. */
const patience = 60;

/** Simulated time: it advances to the next moment once all started work has ended or waits for a later one. */
export class Timeline {
  readonly #clock: TestClock;
  readonly #entries = new Map<number, (() => unknown)[]>();
  /** Requests, trips to the database, and computations outside the event loop. */
  #pending = 0;
  /** Resolves once none is pending. */
  #idle = Promise.withResolvers<void>();
  #running = 0;

  constructor(clock: TestClock, database: Pick<NeonEndpoint, 'fetch'>) {
    this.#clock = clock;
    database.fetch = this.#counted(database.fetch);
    clock.until = (moment) =>
      new Promise((resolve) => {
        if (moment <= this.now()) resolve();
        else this.#enter(Math.ceil(moment), resolve);
      });
    this.#watch();
  }

  now = () => this.#clock.now().getTime();

  /** Schedules work for a moment, in milliseconds since 1970, or for the next burst after it. */
  at(moment: number, work: () => unknown): void {
    this.#enter(Math.max(Math.ceil(moment / burst) * burst, this.now()), work);
  }

  #enter(moment: number, work: () => unknown): void {
    const works = this.#entries.get(moment);
    if (works) works.push(work);
    else this.#entries.set(moment, [work]);
  }

  async run(end: number, background: Promise<unknown>[], alarm: Alarm): Promise<void> {
    for (;;) {
      const next = Math.max(this.now(), Math.min(alarm.at(), ...this.#entries.keys()));
      if (next > end) return;
      this.#clock.set(new Date(next).toISOString());
      const due = this.#entries.get(next) ?? [];
      this.#entries.delete(next);
      for (const work of due) this.#begin(Promise.resolve(work()));
      if (alarm.at() <= next) this.#begin(alarm.ring());
      await this.#calm(background);
    }
  }

  #begin(work: Promise<unknown>): void {
    this.#running++;
    void work
      .catch((error: unknown) => {
        console.error(error);
        process.exitCode = 1;
      })
      .finally(() => this.#running--);
  }

  /** Waits until all remaining work waits for a later moment. */
  async #calm(background: Promise<unknown>[]): Promise<void> {
    for (let quiet = 0; quiet < turns; quiet++) {
      for (const work of background.splice(0)) this.#begin(work);
      if (this.#running === 0) return;
      await setImmediate();
      if (this.#pending === 0) continue;
      this.#idle = Promise.withResolvers();
      await this.#idle.promise;
      quiet = 0;
    }
  }

  /** Counts the requests and computations of this process, and gives them more time. */
  #watch(): void {
    const { fetch } = globalThis;
    globalThis.fetch = this.#counted(async (...request: Parameters<typeof fetch>) => {
      const answer = await fetch(...request);
      const body = await answer.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, answer);
    });
    const { subtle } = crypto;
    const methods = ['digest', 'sign', 'verify', 'importKey', 'deriveBits'] as const;
    for (const method of methods) {
      const compute = subtle[method].bind(subtle) as (...data: unknown[]) => Promise<unknown>;
      Object.defineProperty(subtle, method, { value: this.#counted(compute) });
    }
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(patience * milliseconds);
  }

  #counted<Data extends unknown[], T>(work: (...data: Data) => Promise<T>) {
    return async (...data: Data): Promise<T> => {
      this.#pending++;
      try {
        return await work(...data);
      } finally {
        if (--this.#pending === 0) this.#idle.resolve();
      }
    };
  }
}
