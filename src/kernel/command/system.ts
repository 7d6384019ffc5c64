import type { Results, Statements } from '../database/statements.ts';
import { type Connection, UnitOfWork } from '../database/unit-of-work.ts';
import type { Reads } from '../database/prepared.ts';
import type { Clock } from '../../lib/instant.ts';
import type { Domain } from './domain.ts';
import type { Following } from '../events/outbox.ts';
import { runChange } from './change.ts';
import type { Decision } from './decision.ts';
import { type Refusal, isRefusal } from '../errors/errors.ts';

/**
 * Runs a command for the service itself, as jobs do: like a request, without an answer. Later jobs do its follow-up
 * work.
 * @returns the refusal, if there was one: nothing is written then
 * @throws DatabaseUnavailable if the database is in trouble
 */
export async function changeAsSystem<S extends Statements>(
  { connection, clock, domain, following }: SystemContext,
  command: {
    readonly load: Reads<S>;
    readonly decide: (loaded: Results<S>) => Refusal | Decision<null>;
  },
): Promise<Refusal | undefined> {
  const outcome = await runChange(command, {
    unit: new UnitOfWork(connection, undefined),
    now: clock.now(),
    domain,
    request: undefined,
    idempotent: undefined,
    render: () => ({ status: 200, text: '' }),
    following,
    wake: async () => {},
    deliver: () => {},
    follow: () => {},
  });
  return isRefusal(outcome) ? outcome : undefined;
}

export interface SystemContext {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly domain: Domain;
  readonly following: Following;
}
