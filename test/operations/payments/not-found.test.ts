import { afterEach, describe, expect, test, vi } from 'vitest';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { baseUrl } from '../../harness/store.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { providers } from '../../providers/index.ts';
import type { TestProvider } from '../../providers/provider.ts';
import { recordReversal, useTill } from './till.ts';

describe.each(Object.keys(providers))(
  "A payment that another account doesn't know, at %s,",
  (name) => {
    const opened = useTill(name);
    let other: TestProvider | undefined;
    afterEach(async () => {
      vi.restoreAllMocks();
      await other?.close();
      const { store, provider } = opened.till;
      Object.assign(await store.environment, provider.variables);
      store.restart();
    });

    /** Sets the store's keys to those of an account without payments. */
    async function changeAccount() {
      const { store } = opened.till;
      other = providers[name]?.();
      await other?.open(() => store.clock.now());
      Object.assign(await store.environment, other?.variables);
      store.restart();
      vi.spyOn(console, 'log').mockImplementation(() => undefined);
    }

    const checkOf = async (reference: string) => {
      const { rows } = await opened.till.store.database.query<{ check_at: string | null }>(
        'select check_at from payment_sessions where reference = $1',
        [reference],
      );
      return rows[0]?.check_at;
    };

    test('is not taken back, and its failed refund stays to be paid by hand', async () => {
      const { till } = opened;
      const { id } = await till.newOrder();
      const reference = await till.opened(id);
      till.provider.pay(reference);
      const callbacks = till.provider.takeCallbacks(`${baseUrl}/api/svc/v1`);
      for (const callback of callbacks) await till.post(callback.clone());
      await till.bring();
      expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
      till.store.clock.advance(60);
      await changeAccount();
      for (const callback of callbacks) await till.post(callback.clone());
      await till.later(0);
      if (await till.givesBack()) {
        await till.refund(id);
        for (const days of [0, 15, 1]) await till.later(days * 86_400);
        expect(await till.refunds(id)).toMatchObject([{ state: 'failed', amount: till.price }]);
        const { body } = await till.fixture.api.get('/overview');
        expect(body.data.to_do).toMatchObject({ refunds_failed: 1 });
      }
      expect(await till.unexpected(id)).toEqual([]);
      await till.later(31 * 86_400);
      await till.later(31 * 86_400);
      expect(await checkOf(reference)).toBeNull();
      await expectIntegrity(till);
    });

    test('stays paid if a former version took it for reversed, and its refund is to be paid by hand', async () => {
      const { till } = opened;
      const { database } = till.store;
      const { id, reference } = await till.paid();
      till.store.clock.advance(60);
      await changeAccount();
      await recordReversal(till, reference);
      await runBackfills(database);
      await till.later(0);
      await till.refund(id);
      for (const days of [0, 15, 1]) await till.later(days * 86_400);
      const state = (await till.givesBack()) ? 'failed' : 'manual';
      expect(await till.refunds(id)).toMatchObject([{ state, amount: till.price }]);
      const { rows } = await database.query(
        'select paid_amount::int from payment_sessions where reference = $1',
        [reference],
      );
      expect(rows).toEqual([{ paid_amount: till.price }]);
      await expectIntegrity(till);
    });
  },
);
