import { type Addresses, addressesOf } from './address.ts';
import { ApiError, ConnectionError } from './errors.ts';
import {
  exchange,
  fileOf,
  headersOf,
  reasonOf,
  textOf,
  unlessEnded,
  valueOf,
  waited,
} from './exchange.ts';
import { newMemory } from './memory.ts';
import type { Call } from './operation.ts';
import type { Connection } from './options.ts';
import { pauseAfter } from './tries.ts';

/**
 * Sends a call, with retries.
 * @returns the answer's body
 */
export type Send = (call: Call) => Promise<unknown>;

/**
 * @param caller the headers that identify the caller
 * @param elsewhere the addresses of the operations, if they aren't those for API keys and users
 * @throws RangeError for an invalid number of tries or an invalid timeout
 * @throws TypeError for an address with a query or a user name
 */
export function sender(
  connection: Connection,
  caller: () => Readonly<Record<string, string>>,
  elsewhere?: Addresses,
): Send {
  const { tries = 6, timeout: milliseconds = 20_000 } = connection;
  if (!(tries >= 1 && tries <= 12)) throw new RangeError('tries must be a number from 1 to 12.');
  // Engines don't wait longer than this.
  if (!(milliseconds >= 1 && milliseconds < 2 ** 31)) {
    throw new RangeError('timeout must be a number of milliseconds from 1 to 2147483647.');
  }
  const ask = connection.fetch ?? ((...request) => fetch(...request));
  const addresses = elsewhere ?? addressesOf(connection.url, ask, milliseconds);
  const memory = newMemory();

  async function attempt(call: Call, url: string): Promise<unknown> {
    const {
      operation,
      body,
      options: { signal, idempotencyKey },
    } = call;
    const known = memory.of(call);
    const headers = headersOf(call, { caller: caller(), tag: known?.tag });
    // A redirected write may arrive as a read, or at another server.
    const redirect = 'manual';
    const { method } = operation;
    const init = { method, headers, redirect, ...(body !== undefined && { body }) } as const;
    const read = operation.traits.includes('b') ? fileOf : textOf;
    const answer = await exchange(ask, url, init, {
      milliseconds,
      signal,
      read,
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw reasonOf(signal);
      throw new ConnectionError(operation.id, cause, idempotencyKey);
    });
    const { value, text } = valueOf(call, answer, known?.text);
    memory.keep(call, answer.response.headers.get('etag'), text);
    return value;
  }

  return async (call) => {
    const { operation, options } = call;
    const isRepeatable = !operation.traits.includes('o');
    for (let tried = 1; ; tried += 1) {
      const url = addresses.of(call);
      try {
        return await attempt(call, url);
      } catch (error) {
        const isLost = error instanceof ApiError && error.code === 'rest_no_route';
        if (isLost) {
          await unlessEnded(addresses.lookUp(), options.signal);
          if (addresses.of(call) !== url) continue;
        }
        const pause = pauseAfter(error as Error, tried, isRepeatable, Math.random());
        if (pause === undefined || tried >= tries) throw error;
        await waited(pause, options.signal);
      }
    }
  };
}
