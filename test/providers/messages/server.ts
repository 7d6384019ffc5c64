import type { Asked } from '../provider.ts';
import { type Answered, ProviderServer } from '../server.ts';
import type { Arrived, SendFault, TestSender } from './sender.ts';

type Refused = Parameters<TestSender['refuse']>[0];

type Order = SendFault | { readonly kind: Refused; readonly retryAfter: number | undefined };

/** The planned faults and the gate of a sender, by server or binding. */
export class Script {
  readonly #orders: Order[] = [];
  #gate: Promise<void> = Promise.resolve();

  fail(fault: SendFault): void {
    this.#orders.push(fault);
  }

  refuse(kind: Refused, retryAfter?: number): void {
    this.#orders.push({ kind, retryAfter });
  }

  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  /**
   * Waits at the gate.
   * @returns the plan for this message
   */
  async next(): Promise<Order | undefined> {
    const order = this.#orders.shift();
    await this.#gate;
    return order;
  }
}

export abstract class SenderServer {
  protected readonly arrived: Arrived[] = [];
  protected origin = '';
  protected now: () => Date = () => new Date();
  readonly #script = new Script();
  #answering: Promise<void> = Promise.resolve();
  readonly #server = new ProviderServer(
    (asked) => this.#meet(asked),
    () => undefined,
    () => undefined,
  );

  get journal(): readonly Asked[] {
    return this.#server.journal;
  }

  async open(now: () => Date): Promise<void> {
    this.now = now;
    this.origin = await this.#server.open();
  }

  close = () => this.#server.close();
  fail = (fault: SendFault) => this.#script.fail(fault);
  refuse = (kind: Refused, retryAfter?: number) => this.#script.refuse(kind, retryAfter);
  hold = () => this.#script.hold();
  sent = (): readonly Arrived[] => this.arrived;

  protected holdAnswers = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answering = promise;
    return resolve;
  };

  protected abstract answer(asked: Asked): Answered | Promise<Answered>;
  protected abstract refused(kind: Refused): Answered;
  /** The body of a 500 or 503. */
  protected abstract broken(status: number): unknown;

  async #meet(asked: Asked): Promise<Answered | null> {
    const order = await this.#script.next();
    switch (order) {
      case undefined: {
        const answer = await this.answer(asked);
        await this.#answering;
        return answer;
      }
      case 'dropped':
        return null;
      case 'lost':
        await this.answer(asked);
        return null;
      case 'refused':
        return { status: 500, body: this.broken(500) };
      case 'overloaded':
        return { status: 503, body: this.broken(503) };
      case 'lying':
        return { status: 200, body: {} };
      default: {
        const { kind, retryAfter } = order;
        const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
        return { ...this.refused(kind), headers };
      }
    }
  }
}
