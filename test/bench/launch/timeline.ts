import { setImmediate, setTimeout } from 'node:timers/promises';
import type { TestClock } from '../../harness/store.ts';

/** What rings at a moment that may be set anew. */
interface Alarm {
  readonly at: () => number;
  readonly ring: () => Promise<unknown>;
}

/** Simulated time: it moves on to the next moment once everything that began has ended, or waits for a later one. */
export class Timeline {
  readonly #clock: TestClock;
  readonly #entries: { readonly at: number; readonly work: () => unknown }[] = [];
  /** Requests under way in this process. */
  #requests = 0;
  #running = 0;

  constructor(clock: TestClock) {
    this.#clock = clock;
    clock.until = (moment) =>
      new Promise((resolve) => {
        if (moment <= this.now()) resolve();
        else this.at(moment, resolve);
      });
    const { fetch } = globalThis;
    globalThis.fetch = async (...request) => {
      this.#requests++;
      try {
        const answer = await fetch(...request);
        const body = await answer.arrayBuffer();
        return new Response(body.byteLength === 0 ? null : body, answer);
      } finally {
        this.#requests--;
      }
    };
  }

  now = () => this.#clock.now().getTime();

  /** Has something done at a moment, in milliseconds since 1970. */
  at(moment: number, work: () => unknown): void {
    this.#entries.push({ at: Math.max(moment, this.now()), work });
  }

  /** Does what is to be done until a moment. */
  async run(end: number, background: Promise<unknown>[], alarm: Alarm): Promise<void> {
    for (;;) {
      const next = Math.max(this.now(), Math.min(alarm.at(), ...this.#entries.map(({ at }) => at)));
      if (next > end) return;
      this.#clock.set(new Date(next).toISOString());
      const due = this.#entries.filter(({ at }) => at <= next);
      for (const entry of due) this.#entries.splice(this.#entries.indexOf(entry), 1);
      for (const { work } of due) this.#begin(Promise.resolve(work()));
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

  /** Waits until nothing goes on but what waits for a later moment. */
  async #calm(background: Promise<unknown>[]): Promise<void> {
    for (let quiet = 0; quiet < 3;) {
      for (const work of background.splice(0)) this.#begin(work);
      if (this.#running === 0) return;
      for (let turn = 0; turn < 10; turn++) await setImmediate();
      await setTimeout(1);
      quiet = this.#requests === 0 ? quiet + 1 : 0;
    }
  }
}
