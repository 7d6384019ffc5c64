import type { Results, Statements } from '../db/statements.ts';
import { UnitOfWork } from '../db/unit-of-work.ts';
import { deliverNow } from '../events/delivery.ts';
import { runChange } from './change.ts';
import type { Decision } from './endpoint.ts';
import type { Refusal } from './errors.ts';
import type { Services } from './services.ts';

/**
 * Runs a command on the service's own behalf, as jobs do: loaded, decided and written like a
 * request's, and nobody's answer.
 * @throws ApiError when the state kept moving, DatabaseUnavailable when the database is in trouble
 */
export async function changeAsSystem<S extends Statements>(
  services: Services,
  command: {
    readonly load: S;
    readonly decide: (loaded: Results<S>) => Refusal | Decision<null>;
  },
): Promise<void> {
  const { connection, clock } = services;
  let due = false;
  await runChange(command, {
    unit: new UnitOfWork(connection, undefined),
    now: clock.now(),
    request: undefined,
    idempotent: undefined,
    render: () => ({ status: 200, text: '' }),
    deliver: () => {
      due = true;
    },
  });
  if (due) await deliverNow(services);
}
