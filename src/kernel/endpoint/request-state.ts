import type { Context } from 'hono';
import type { Authentication, Principal } from '../auth/principals.ts';
import { UnitOfWork } from '../database/unit-of-work.ts';
import type { Endpoint } from './endpoint.ts';
import type { Services } from '../deployment/services.ts';

/** The state of a running request. */
export class RequestState {
  readonly id: string;
  /** The time of the request, for everything it does. */
  readonly now: Date;
  readonly services: Services;
  endpoint: Endpoint | undefined;
  /** The parameters of its path. */
  params: Readonly<Record<string, string>> = {};
  /** Unknown names in the request: fields of the body, and parameters. */
  readonly ignored: Partial<Record<'ignored_fields' | 'ignored_parameters', readonly string[]>> =
    {};
  /** The error that ended the request with a 500 or 503. */
  failure: Error | undefined;
  /** The code of the error that was answered, if it has one. */
  code: string | undefined;
  /** A hash of the credential that the request was counted against, if it was counted. */
  credential: string | undefined;
  /** The id of the API key, if the request was refused because the key may not do this. */
  refusedKey: number | undefined;
  /** The reason why the scheduler could not be reached, if a write was made without it. */
  unscheduled: Error | undefined;
  /** The operation that delegated this request; it counted the request. */
  readonly via: string | undefined;
  /** Settles when the body is sent or broken off, if it is sent after the headers. */
  sent: Promise<void> | undefined;
  /** True if the request was delegated to another operation, which authorised the caller and is logged. */
  delegated = false;
  #opened: { principal: Principal; unit: UnitOfWork } | undefined;
  #earlier = { trips: 0, milliseconds: 0 };

  constructor(id: string, now: Date, services: Services, via?: string) {
    this.id = id;
    this.now = now;
    this.services = services;
    this.via = via;
  }

  /** The state of a delegated request. */
  forPart(): RequestState {
    return new RequestState(this.id, this.now, this.services, this.endpoint?.id);
  }

  /** Opens the unit of work for a caller; a second time when the request is planned again. */
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

  /** True once the guard has passed; before that there is no principal and no unit of work. */
  get opened(): boolean {
    return this.#opened !== undefined;
  }

  /** Round trips to the database so far, and the milliseconds they took. */
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

/** True for a delegated request, which got its state from the request that delegated it. */
export const hasState = (request: Request): boolean => states.has(request);

/** The state of the request that is being answered. */
export function stateOf(c: Context): RequestState {
  const state = states.get(c.req.raw);
  if (!state) throw new Error('The request has no state.');
  return state;
}
