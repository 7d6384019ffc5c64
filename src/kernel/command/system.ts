import type { Results, Statements } from '../database/statements.ts';
import { type Connection, UnitOfWork } from '../database/unit-of-work.ts';
import type { Reads } from '../database/prepared.ts';
import type { Clock } from '../../lib/instant.ts';
import type { Shop } from './shop.ts';
import type { Following } from '../events/outbox.ts';
import { runChange } from './change.ts';
import type { Decision } from './decision.ts';
import { type Refusal, isRefusal } from '../errors/errors.ts';

/**
 * Runs a command on the service's own behalf, as jobs do: loaded, decided and written like a
 * request's, and nobody's answer. What follows from it is the work of the jobs that come after.
 * @returns the refusal, where it came to one: nothing is written then
 * @throws DatabaseUnavailable when the database is in trouble
 */
export async function changeAsSystem<S extends Statements>(
  { connection, clock, shop, following }: SystemContext,
  command: {
    readonly load: Reads<S>;
    readonly decide: (loaded: Results<S>) => Refusal | Decision<null>;
  },
): Promise<Refusal | undefined> {
  const outcome = await runChange(command, {
    unit: new UnitOfWork(connection, undefined),
    now: clock.now(),
    shop,
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

/** Services for a change on the service's own behalf. */
export interface SystemContext {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly shop: Shop;
  readonly following: Following;
}
