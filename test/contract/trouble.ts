import { expect, vi } from 'vitest';
import { type Endpoint, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';
import type { Fault } from '../../src/local/neon/faults.ts';
import type { ApiClient, Reply } from '../harness/client.ts';
import { type Example, tripsOf } from './examples.ts';
import { mainRoute } from './routes.ts';
import type { Scene } from './scene.ts';

/** A fault that ends a request, on any of its trips. */
export interface Trouble {
  readonly fault: Fault;
  /** True if the trip takes effect and only its answer is lost. */
  readonly done?: true;
  /** True if the fault lasts longer than a request may. */
  readonly late?: true;
}

const anHour = 3_600_000;

export const troubles: Readonly<Record<string, Trouble>> = {
  'the connection breaks before anything runs': { fault: { cut: 'before parse' } },
  'the connection breaks before the commit': { fault: { cut: 'before commit' } },
  'the connection breaks after the commit': { fault: { cut: 'after commit' }, done: true },
  'the answer ends in the middle': { fault: { cut: 'mid body' }, done: true },
  'too many connections': { fault: { sqlState: '53300' } },
  'the server shuts down': { fault: { sqlState: '57P01' } },
  'an answer that is no JSON': { fault: { answer: { status: 200, body: '<html>Welcome</html>' } } },
  'an error in plain text': { fault: { answer: { status: 500, body: 'upstream connect error' } } },
  'a serialisation failure, three times': { fault: { sqlState: '40001', times: 3 } },
  'a deadlock, three times': { fault: { sqlState: '40P01', times: 3 } },
  'nothing runs before the deadline': { fault: { delay: anHour }, late: true },
  'nothing is committed before the deadline': { fault: { hold: true }, late: true },
};

/** Fails unless the answer is a 503 that says when to try again. */
export function expectUnavailable(reply: Reply, name: string): void {
  expect(reply, name).toMatchObject({
    status: 503,
    body: {
      code: 'rest_unavailable',
      message: 'The database is not available right now. Try again.',
      data: { status: 503 },
    },
  });
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
}

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

let keys = 0;

/** An endpoint's example, which can be sent repeatedly under one Idempotency-Key. */
export class Attempt {
  readonly #scene: Scene;
  readonly #endpoint: Endpoint;
  readonly #example: Example;
  readonly #caller: ApiClient;
  readonly #headers = { 'idempotency-key': `attempt-${++keys}` };

  private constructor(scene: Scene, endpoint: Endpoint, example: Example, caller: ApiClient) {
    this.#scene = scene;
    this.#endpoint = endpoint;
    this.#example = example;
    this.#caller = caller;
  }

  static async arrange(scene: Scene, endpoint: Endpoint): Promise<Attempt> {
    const example = await scene.example(endpoint);
    return new Attempt(scene, endpoint, example, await scene.caller(endpoint, example));
  }

  /** The number of trips: a write with an Idempotency-Key always takes two. */
  get trips(): number {
    return keepsAnswers(this.#endpoint) ? 2 : tripsOf(this.#endpoint, this.#example);
  }

  send = (): Promise<Reply> =>
    this.#scene.call(this.#caller, mainRoute(this.#endpoint), this.#example, {
      headers: this.#headers,
    });

  /** Sends it with a fault on a trip, which has to occur. */
  async meet(fault: Fault, trip: number): Promise<Reply> {
    const { reached } = await this.#scene.inTheWay(fault, trip);
    const reply = await this.send();
    await reached;
    return reply;
  }

  /** Sends it into trouble, and fails unless the answer is a 503. */
  async fail(name: string, { fault, late }: Trouble, trip: number): Promise<void> {
    const reply = await (late ? this.#pastDeadline(fault, trip) : this.meet(fault, trip));
    expectUnavailable(reply, `${name}, on trip ${trip}`);
  }

  /** Sends it into a lasting fault, and lets its ten seconds pass at once. */
  async #pastDeadline(fault: Fault, trip: number): Promise<Reply> {
    const deadlines: AbortController[] = [];
    const { reached } = await this.#scene.inTheWay(fault, trip);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      expect(milliseconds).toBe(10_000);
      const deadline = new AbortController();
      deadlines.push(deadline);
      return deadline.signal;
    });
    try {
      const answer = this.send();
      await Promise.race([reached, answer]);
      // After slow work at the bucket the following trips get their full time again.
      const most = this.#endpoint.id.startsWith('files.') ? 3 : 1;
      expect(deadlines.length).toBeLessThanOrEqual(most);
      deadlines.at(-1)?.abort(new DOMException('The operation timed out.', 'TimeoutError'));
      return await answer;
    } finally {
      timeout.mockRestore();
    }
  }

  /** Fails unless the next answer is a success that was not stored. */
  async succeed(): Promise<void> {
    const reply = await this.send();
    expect(reply).toMatchObject({ status: this.#endpoint.reply[0], trips: this.trips });
    expect(reply.headers.get('idempotency-replayed')).toBeNull();
  }

  /** Fails unless the next answer is a stored one: its only trip has no second effect. */
  async succeedAgain(): Promise<void> {
    const reply = await this.send();
    expect(reply).toMatchObject({ status: this.#endpoint.reply[0], trips: 1 });
    expect(reply.headers.get('idempotency-replayed')).toBe('true');
  }
}
