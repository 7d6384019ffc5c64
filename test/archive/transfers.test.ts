import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { keepTransfers, readTransfers } from '../../src/cli/store/transfers.ts';
import { findTransfers } from '../../src/jobs/find-transfers.ts';
import { useCounter } from '../operations/payments/transfers.ts';
import { nobody, openRestoredStore, transferStatement } from './archives.ts';

const shop = useCounter();

/** Keeps the transfers that `previous` knows since a time. */
type Keeping = (previous: Client, restored: Client, since: string) => Promise<unknown>;

const ways: readonly (readonly [string, Keeping])[] = [
  [
    'a restore',
    async (previous, restored, since) =>
      keepTransfers(await readTransfers(previous, since), restored),
  ],
  [
    'a return by docs/backups.md',
    async (previous, restored, since) => {
      const statement = (await transferStatement()).replace('2026-11-26T02:00:00Z', since);
      const { rows } = await previous.query<{ format: string }>(statement);
      for (const { format } of rows) await restored.query(format);
    },
  ],
];

let price = 300_000;

test.each(ways)(
  "After %s, the bank's list is read again: it pays orders of the backup as before, and no other with a lost order's money",
  async (_, keep) => {
    const { counter } = shop;
    const { fixture, store } = counter;
    store.restart();
    await fixture.set('unique_code_enabled', false);
    const place = async (total: number) => {
      const { id: product_id } = await fixture.newProduct({ price: total });
      return fixture.newOrder({ product_id, payment_gateway: 'manual' });
    };
    price += 1000;
    const [waiting, paidLater] = [await place(price), await place(price + 500)];
    store.clock.advance(3700);
    await using folder = await mkdtempDisposable(join(tmpdir(), 'transfers-'));
    const backup = join(folder.path, 'backup');
    await writeArchive(store.database, backup, nobody);
    const since = store.clock.now().toISOString();
    store.clock.advance(3700);
    const lost = await place(price);
    store.clock.advance(120);
    const [ofLost] = [counter.transfer(price), counter.transfer(price + 500)];
    await counter.bring();
    await counter.resolve(ofLost, { action: 'assign', order_id: lost.id });
    expect([await counter.status(lost.id), await counter.status(paidLater.id)]).toEqual([
      'completed',
      'completed',
    ]);
    const again = await openRestoredStore(backup, fixture);
    try {
      await keep(store.database, again.store.database, since);
      again.store.clock.set(store.clock.now().toISOString());
      again.store.restart();
      await findTransfers(await again.store.services());
      const status = async (id: number) => (await again.order(id)).status;
      expect([await status(waiting.id), await status(paidLater.id)]).toEqual([
        'on-hold',
        'completed',
      ]);
      const { data } = (await again.api.get('/payments/mutations?status=open')).body;
      expect(data).toMatchObject([{ mutation_id: ofLost, amount: price, order_id: null }]);
    } finally {
      await again.store.close();
      store.restart();
    }
  },
);
