import type { NeonDbError } from '@neondatabase/serverless';

/** Recognises an error of the driver without loading the driver. */
const isOfDriver = (error: unknown): error is NeonDbError =>
  error instanceof Error && error.name === 'NeonDbError';

/**
 * A refusal by the database, or by the service before the trip: an API error's code and status, its message if it is
 * not the usual one, and the id of an API key that may not do this.
 */
export class DatabaseRefusal extends Error {
  override readonly name = 'DatabaseRefusal';
  readonly code: string;
  readonly status: number;
  readonly key: number | undefined;
  constructor(code: string, status: number, message = '', key?: number) {
    super(message);
    this.code = code;
    this.status = status;
    this.key = key;
  }
}

/** A guard of a write found that the state has changed since it was read; nothing was written. */
export class GuardFailure extends Error {
  override readonly name = 'GuardFailure';
  readonly code: string;
  constructor(code: string) {
    super(`guard ${code} failed`);
    this.code = code;
  }
}

/** The token's administrator hint is out of date: plan the request again with the other value. */
export class StaleHint extends Error {
  override readonly name = 'StaleHint';
}

export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;
  constructor(constraint: string) {
    super(`unique constraint ${constraint} violated`);
    this.constraint = constraint;
  }
}

/** A lock was not available within the statement's own lock_timeout. */
export class LockTimeout extends Error {
  override readonly name = 'LockTimeout';
}

/** The transaction collided with another and was rolled back: sending it again is safe. */
export class Collision extends Error {
  override readonly name = 'Collision';
}

/** The database could not be reached, did not answer in time, or was in trouble. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

export class DatabaseOfAnotherStore extends DatabaseUnavailable {
  override readonly name = 'DatabaseOfAnotherStore';
}

/** The result is larger than the database's endpoint puts into one answer. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

function refusalOf(error: NeonDbError): DatabaseRefusal | StaleHint | DatabaseUnavailable {
  const { code, message, detail } = error;
  if (code === 'SV003') return new StaleHint(message);
  if (message === 'rest_unavailable')
    return new DatabaseOfAnotherStore('the database is that of another store');
  const refusal = JSON.parse(detail ?? '{}') as {
    status: number;
    message: string;
    key: number | null;
  };
  return new DatabaseRefusal(message, refusal.status, refusal.message, refusal.key ?? undefined);
}

/** Maps a failed trip to one of the classes above. Any other error is a bug. */
export function databaseError(error: unknown): Error {
  if (error instanceof DatabaseRefusal || error instanceof StaleHint) return error;
  if (!isOfDriver(error) || error.code === undefined) {
    if (httpStatusOf(error) === 507) return new AnswerTooLarge('the answer is too large');
    return new DatabaseUnavailable('the database did not answer', { cause: error });
  }
  const { code, message } = error;
  if (code === 'SV001' || code === 'SV003') return refusalOf(error);
  if (code === 'SV002') return new GuardFailure(message);
  if (code === '23505') return new UniqueViolation(error.constraint ?? '');
  if (code === '55P03') return new LockTimeout(message, { cause: error });
  // 23503: a referenced row was deleted after it was looked up.
  if (['40001', '40P01', '23503'].includes(code)) return new Collision(message, { cause: error });
  if (['42P01', '42703', '42883'].includes(code)) {
    return new DatabaseUnavailable('the database lacks a migration: run npm run migrate', {
      cause: error,
    });
  }
  // Connections, credentials, resources, operator intervention, system errors.
  if (/^(08|25P03|28|3D|53|57|58|XX)/.test(code)) {
    return new DatabaseUnavailable(`the database failed with ${code}`, { cause: error });
  }
  return error;
}

/** The reason of a database failure, for the log. It has no stored data. */
export interface Reason {
  readonly sqlstate?: string;
  /** The HTTP status of the endpoint's answer. */
  readonly http?: number;
  /** The kind of the error that came instead of an answer. */
  readonly cause?: string;
  readonly constraint?: string;
  /** The PostgreSQL function that raised the error. */
  readonly routine?: string;
  /** The endpoint's own error about the connection. */
  readonly database?: string;
}

/** The longest stored part of a text from another program. */
const textLimit = 300;

export function reasonOf(error: Error): Reason {
  let root = error;
  while (!isOfDriver(root) && root.cause instanceof Error) root = root.cause;
  if (!isOfDriver(root)) return root === error ? {} : { cause: root.name };
  const { code, constraint, routine, sourceError } = root;
  const http = httpStatusOf(root);
  return {
    ...(code !== undefined && { sqlstate: code }),
    ...(http !== undefined && { http }),
    ...(sourceError && { cause: sourceError.name }),
    ...(constraint !== undefined && { constraint }),
    ...(routine !== undefined && { routine }),
    ...(isOfConnection(root) && { database: root.message.slice(0, textLimit) }),
  };
}

/**
 * Tells if an error concerns the connection: PostgreSQL did not raise it, or its class is about connections,
 * credentials, resources or operators. Errors of statements can quote rows.
 */
const isOfConnection = ({ code, routine }: NeonDbError): boolean =>
  code === undefined ||
  /^(08|28|3D|53|57P)/.test(code) ||
  (code.startsWith('XX') && routine === undefined);

/** Returns the status of an answer that is neither 200 nor 400. The driver only has it in the text. */
function httpStatusOf(error: unknown): number | undefined {
  const status =
    isOfDriver(error) && /^Server error \(HTTP status (\d{3})\)/.exec(error.message)?.[1];
  return status ? Number(status) : undefined;
}

/** Does work that a later run repeats, and ignores these troubles of the database. */
export async function unlessCutOff(
  cuts: readonly (typeof DatabaseUnavailable | typeof Collision)[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!cuts.some((kind) => error instanceof kind)) throw error;
  }
}
