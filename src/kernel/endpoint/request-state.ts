import type { Context } from 'hono';
import type { Authentication, Principal } from '../auth/principals.ts';
import { UnitOfWork } from '../database/unit-of-work.ts';
import type { Endpoint } from './endpoint.ts';
import type { Services } from '../deployment/services.ts';

export class RequestState {
  readonly id: string;
  /** The one time that all code of the request uses. */
  readonly now: Date;
  readonly services: Services;
  endpoint: Endpoint | undefined;
  params: Readonly<Record<string, string>> = {};
  /** Unknown fields of the body and unknown parameters. */
  readonly ignored: Partial<Record<'ignored_fields' | 'ignored_parameters', readonly string[]>> =
    {};
  /** The error behind a 500 or 503. */
  failure: Error | undefined;
  /** The code of the answered error, if there was one. */
  code: string | undefined;
  /** A hash of the credential that the request was counted against. */
  credential: string | undefined;
  /** The id of the API key, if the key may not do this. */
  refusedKey: number | undefined;
  /** The reason why the scheduler could not be reached before a write. */
  unscheduled: Error | undefined;
  /** The operation that delegated this request and counted it. */
  readonly via: string | undefined;
  /** Settles when a streamed body is sent or broken off. */
  sent: Promise<void> | undefined;
  /** True if this request was delegated to another operation, which authorised the caller and is logged. */
  delegated = false;
  #opened: { principal: Principal; unit: UnitOfWork } | undefined;
  #earlier = { trips: 0, milliseconds: 0 };

  constructor(id: string, now: Date, services: Services, via?: string) {
    this.id = id;
    this.now = now;
    this.services = services;
    this.via = via;
  }

  forPart(): RequestState {
    return new RequestState(this.id, this.now, this.services, this.endpoint?.id);
  }

  /** Opens the unit of work for a caller, or again for a corrected caller. */
  open({ principal, authorising }: Authentication): void {
    this.#earlier = this.cost();
    this.#opened = { principal, unit: new UnitOfWork(this.services.connection, authorising) };
  }

  get principal(): Principal {
    return this.#required.principal;
  }

  get unit(): UnitOfWork {
    return this.#required.unit;
  }

  get #required() {
    if (!this.#opened) throw new Error('The request has not passed its guard.');
    return this.#opened;
  }

  /** True once the guard has passed. Before, there is no principal and no unit of work. */
  get opened(): boolean {
    return this.#opened !== undefined;
  }

  /** Round trips to the database, and the milliseconds they took. */
  cost(): { trips: number; milliseconds: number } {
    const { trips, milliseconds } = this.#opened?.unit ?? { trips: 0, milliseconds: 0 };
    return {
      trips: this.#earlier.trips + trips,
      milliseconds: this.#earlier.milliseconds + milliseconds,
    };
  }
}

const states = new WeakMap<Request, RequestState>();

export const keepState = (request: Request, state: RequestState) => states.set(request, state);

/** True for a delegated request, which starts with a state. */
export const hasState = (request: Request): boolean => states.has(request);

export function stateOf(c: Context): RequestState {
  const state = states.get(c.req.raw);
  if (!state) throw new Error('The request has no state.');
  return state;
}
