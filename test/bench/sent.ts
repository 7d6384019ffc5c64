import { Budget } from '../../src/kernel/budget.ts';
import { type Connection, UnitOfWork } from '../../src/kernel/database/unit-of-work.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import type { Read } from './targets.ts';

export interface Sent {
  readonly text: string;
  readonly params: unknown[];
}

/** Returns the statements of a read without a caller; they are not answered. */
export function sentBy({ endpoint, params, query }: Read): Promise<Sent[]> {
  return new Promise((resolve, reject) => {
    const sent: Sent[] = [];
    const driver = {
      query: (text: string, values: unknown[]) => {
        sent.push({ text, params: values });
        // The other statements of the trip follow in the same turn.
        setImmediate(() => resolve(sent));
        return new Promise(() => {});
      },
      transaction: () => new Promise(() => {}),
    };
    const connection = {
      driver: async () => driver,
      budget: new Budget(Infinity),
      store: undefined,
    };
    const db = new UnitOfWork(connection as unknown as Connection, undefined);
    const request = { url: 'https://shop.example/', header: () => undefined };
    // A read uses no other parts of a call.
    const call = { params, query, db, request, now: new Date() } as unknown as Parameters<
      Endpoint['handler']
    >[0];
    endpoint.handler(call).catch(reject);
  });
}
