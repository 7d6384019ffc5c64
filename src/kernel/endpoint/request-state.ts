import type { Context } from 'hono';
import type { Authentication, Principal } from '../auth/principals.ts';
import { UnitOfWork } from '../database/unit-of-work.ts';
import type { Endpoint } from './endpoint.ts';
import type { Services } from '../deployment/services.ts';

/** The state of a request while it is under way. */
export class RequestState {
  readonly id: string;
  /** The moment of the request, for everything it does. */
  readonly now: Date;
  readonly services: Services;
  endpoint: Endpoint | undefined;
  /** The parameters of its path. */
  params: Readonly<Record<string, string>> = {};
  /** Names in the request that the endpoint doesn't know: of the body's fields, and of parameters. */
  readonly ignored: Partial<Record<'ignored_fields' | 'ignored_parameters', readonly string[]>> =
    {};
  /** The error that ended the request with a 500 or 503. */
  failure: Error | undefined;
  /** The code of the error it was answered with, where that has one. */
  code: string | undefined;
  /** A hash of the credential it was counted to, where requests are. */
  credential: string | undefined;
  /** The id of the API key, if the request was refused because the key may not do this. */
  refusedKey: number | undefined;
  /** The reason why the scheduler could not be reached, if a write was made without it. */
  unscheduled: Error | undefined;
  /** The operation this one is carried out for; the request was counted there. */
  readonly via: string | undefined;
  /** Settles when the answer was sent, or isn't sent any further, where that goes on after its headers. */
  sent: Promise<void> | undefined;
  /** True if another operation was carried out for it, which authorised the caller and is logged. */
  delegated = false;
  #opened: { principal: Principal; unit: UnitOfWork } | undefined;
  #earlier = { trips: 0, milliseconds: 0 };

  constructor(id: string, now: Date, services: Services, via?: string) {
    this.id = id;
    this.now = now;
    this.services = services;
    this.via = via;
  }

  /** The state of an operation that is carried out for this request. */
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

  /** True once the guard has passed; before that there is neither a principal nor a unit of work. */
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

/** True for a delegated request, which has its state from the request it is carried out for. */
export const hasState = (request: Request): boolean => states.has(request);

/** The state of the request being answered. */
export function stateOf(c: Context): RequestState {
  const state = states.get(c.req.raw);
  if (!state) throw new Error('The request has no state.');
  return state;
}
