import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import { Refused, refusal } from './refusals.ts';

const day = 24 * 3600 * 1000;

interface Kept {
  readonly request: string;
  readonly at: number;
  /** Undefined during the execution. */
  answer: Answered | undefined;
}

/**
 * Idempotency keys: docs.stripe.com/api/idempotent_requests. The first answer under a key is repeated for a day, unless
 * the request was not executed.
 */
export class IdempotencyKeys {
  readonly #kept = new Map<string, Kept>();

  /** Stores an answer of another origin. */
  keep(asked: Asked, now: Date, answer: Answered): void {
    const key = asked.headers['idempotency-key'];
    if (key === undefined || this.#kept.has(key)) return;
    this.#kept.set(key, { request: requestOf(asked), at: now.getTime(), answer });
  }

  async answer(asked: Asked, now: Date, execute: () => Promise<Answered>): Promise<Answered> {
    const key = asked.headers['idempotency-key'];
    if (key === undefined) return execute();
    if (key.length > 255) throw new Refused('Idempotency keys may be up to 255 characters long.');
    const known = this.#kept.get(key);
    if (known && now.getTime() - known.at < day) return repeated(known, asked, key);
    const kept: Kept = { request: requestOf(asked), at: now.getTime(), answer: undefined };
    this.#kept.set(key, kept);
    try {
      kept.answer = await execute();
      return kept.answer;
    } catch (error) {
      // A request that fails validation was not executed.
      this.#kept.delete(key);
      throw error;
    }
  }
}

const requestOf = ({ method, path, body }: Asked) => JSON.stringify([method, path, body]);

function repeated(known: Kept, asked: Asked, key: string): Answered {
  if (known.request !== requestOf(asked)) {
    return refusal(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      { type: 'idempotency_error' },
    );
  }
  if (known.answer === undefined) {
    return refusal(
      409,
      `There is currently another in-progress request using this Idempotent Key: ${key}`,
      { code: 'idempotency_key_in_use', type: 'idempotency_error' },
    );
  }
  return { ...known.answer, headers: { 'idempotent-replayed': 'true' } };
}
