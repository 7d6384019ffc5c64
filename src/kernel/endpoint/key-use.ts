import type { KeyRefusal, Use } from './use-notes.ts';
import type { Context } from 'hono';
import { UnitOfWork } from '../database/unit-of-work.ts';
import { outcomeOf } from '../auth/outcomes.ts';
import { type RequestState, stateOf } from './request-state.ts';

/** Milliseconds between two writes of a key's use. */
const interval = 60_000;

/** The number of a key's refusals that are kept, here and in the database. */
const kept = 50;

/**
 * Records the use of API keys after the answer and outside the request's transaction, in which all callers of one key
 * would wait for each other. The first request after a quiet minute is written at once. Requests of the next minute are
 * counted in this isolate and written with the next request of any caller. Counts are approximate: an isolate that ends loses its
 * unwritten counts. If a write fails, its refusals are lost and its counts are written again, twice if only the answer
 * was lost.
 */
export class KeyUse {
  #uses = new Map<string, Use>();
  #refusals = new Map<number, KeyRefusal[]>();
  /** This isolate's last writes: of all keys, and of each. */
  #lastWritten = 0;
  readonly #written = new Map<number, number>();
  /** Keys by a hash of their credential, the only thing known of a key over its limit. */
  readonly #known = new Map<string, number>();

  /** Counts an answered request, and writes counts that are due. */
  note(c: Context): void {
    const state = stateOf(c);
    const now = state.now.getTime();
    const key = this.#keyOf(state);
    if (key !== undefined) this.#count(key, state, c.res.status);
    const isFirst = key !== undefined && now - (this.#written.get(key) ?? 0) >= interval;
    const isLeft = this.#uses.size > 0 && now - this.#lastWritten >= interval;
    if (isFirst || isLeft) c.executionCtx.waitUntil(this.#write(state, key));
  }

  /** The request's key, if known. A delegated request is counted by itself. */
  #keyOf(state: RequestState): number | undefined {
    if (state.delegated) return undefined;
    const { credential, refusedKey } = state;
    if (!state.opened) return credential === undefined ? undefined : this.#known.get(credential);
    if (!state.unit.authorised) return refusedKey;
    const { principal } = state;
    if (principal.kind !== 'key') return undefined;
    if (credential !== undefined) this.#known.set(credential, principal.row.id);
    return principal.row.id;
  }

  #count(key: number, { now, endpoint, id, code = '' }: RequestState, status: number): void {
    const quarter = new Date(Math.floor(now.getTime() / 900_000) * 900_000);
    const outcome = outcomeOf(status);
    const operation = endpoint?.id ?? '';
    this.#add({ key, at: quarter.toISOString(), operation, outcome, n: 1 });
    // Frequent outcomes would push out all others.
    if (outcome === '2xx' || outcome === '429') return;
    const refusal = { key, at: now.toISOString(), operation, status, code, request_id: id };
    this.#refusals.set(key, [...(this.#refusals.get(key) ?? []), refusal].slice(-kept));
  }

  #add(use: Use): void {
    const name = [use.key, use.at, use.operation, use.outcome].join(' ');
    this.#uses.set(name, { ...use, n: use.n + (this.#uses.get(name)?.n ?? 0) });
  }

  /** Writes all counts for the service itself, because some of the keys may be revoked by now. */
  async #write({ now, services }: RequestState, key: number | undefined): Promise<void> {
    const uses = [...this.#uses.values()];
    const refusals = [...this.#refusals.values()].flat();
    this.#uses = new Map();
    this.#refusals = new Map();
    this.#lastWritten = now.getTime();
    for (const use of uses) this.#written.set(use.key, now.getTime());
    try {
      const { noteKeyUse } = await import('./use-notes.ts');
      const unit = new UnitOfWork(services.connection, undefined);
      await unit.write([noteKeyUse(uses, refusals, key, now)]);
    } catch {
      for (const use of uses) this.#add(use);
    }
  }
}
