import { Budget } from '../../src/kernel/budget.ts';
import { type Connection, UnitOfWork } from '../../src/kernel/database/unit-of-work.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import type { Read } from './targets.ts';

/** A statement as the driver sends it. */
export interface Sent {
  readonly text: string;
  readonly params: unknown[];
}

/** Returns the statement of a prepared read without a caller to authorise. It is not answered. */
export function sentBy({ endpoint, params, query }: Read): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const driver = {
      query: (text: string, values: unknown[]) => {
        resolve({ text, params: values });
        return new Promise(() => {});
      },
      transaction: () => reject(new Error(`${endpoint.id} isn't prepared.`)),
    };
    const connection = {
      driver: async () => driver,
      budget: new Budget(Infinity),
      store: undefined,
    };
    const db = new UnitOfWork(connection as unknown as Connection, undefined);
    const call = { params, query, db } as unknown as Parameters<Endpoint['handler']>[0];
    endpoint.handler(call).catch(reject);
  });
}
