import { NeonDbError } from '@neondatabase/serverless';

/** The database said no on the service's own behalf: an API error's code, status and message. */
export class DatabaseRefusal extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** A guard of a write found the state changed since it was read; nothing was written. */
export class GuardFailure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`guard ${code} failed`);
    this.code = code;
  }
}

/** The token's administrator hint is out of date: plan the request again with the other value. */
export class StaleHint extends Error {}

/** A unique constraint refused a row. */
export class UniqueViolation extends Error {
  readonly constraint: string;
  constructor(constraint: string) {
    super(`unique constraint ${constraint} violated`);
    this.constraint = constraint;
  }
}

/** A lock was not to be had within the statement's own lock_timeout. */
export class LockTimeout extends Error {}

/** The transaction collided with another and was undone: sending it again is safe. */
export class Collision extends Error {}

/** The database could not be reached, or did not answer in time, or was in trouble. */
export class DatabaseUnavailable extends Error {}

/** What a failed trip means, as one of the classes above; anything else is a mistake of ours. */
export function databaseError(error: unknown): Error {
  if (!(error instanceof NeonDbError) || error.code === undefined) {
    return new DatabaseUnavailable('the database did not answer', { cause: error });
  }
  const { code, message } = error;
  if (code === 'SV001') {
    const detail = JSON.parse(error.detail ?? '{}') as { status: number; message: string };
    return new DatabaseRefusal(message, detail.status, detail.message);
  }
  if (code === 'SV002') return new GuardFailure(message);
  if (code === 'SV003') return new StaleHint(message);
  if (code === '23505') return new UniqueViolation(error.constraint ?? '');
  if (code === '55P03') return new LockTimeout(message);
  // 23503: what is referred to was there when it was looked up, and is gone.
  if (['40001', '40P01', '23503'].includes(code)) return new Collision(message);
  // Connection trouble, out of resources, operator intervention, system errors.
  if (/^(08|25P03|28|3D|53|57|58|XX)/.test(code)) {
    return new DatabaseUnavailable(`the database failed with ${code}`, { cause: error });
  }
  return error;
}
