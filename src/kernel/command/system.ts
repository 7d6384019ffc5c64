import type { Results, Statements } from '../database/statements.ts';
import { type Reads, UnitOfWork } from '../database/unit-of-work.ts';
import { type Courier, deliverNow } from '../events/delivery.ts';
import type { Shop } from './shop.ts';
import { runChange } from './change.ts';
import type { Decision } from './decision.ts';
import type { Refusal } from '../errors/errors.ts';

/**
 * Runs a command on the service's own behalf, as jobs do: loaded, decided and written like a
 * request's, and nobody's answer.
 * @throws DatabaseUnavailable when the database is in trouble
 */
export async function changeAsSystem<S extends Statements>(
  services: Courier & { readonly shop: Shop },
  command: {
    readonly load: Reads<S>;
    readonly decide: (loaded: Results<S>) => Refusal | Decision<null>;
  },
): Promise<void> {
  const { connection, clock, shop } = services;
  let due = false;
  await runChange(command, {
    unit: new UnitOfWork(connection, undefined),
    now: clock.now(),
    shop,
    request: undefined,
    idempotent: undefined,
    render: () => ({ status: 200, text: '' }),
    deliver: () => {
      due = true;
    },
  });
  if (due) await deliverNow(services);
}
