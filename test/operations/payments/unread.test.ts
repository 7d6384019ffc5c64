import { describe, expect, test, vi } from 'vitest';
import { askProvider } from '../../../src/processes/payments/ask-provider.ts';
import { systemAccess } from '../../../src/kernel/command/store.ts';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { ProviderError } from '../../../src/providers/http.ts';
import { gatewaysOf } from '../../../src/providers/payments/index.ts';
import { findSessions } from '../../../src/queries/payment-sessions.ts';
import { findSettings } from '../../../src/queries/settings.ts';
import { long } from '../../harness/long.ts';
import { breakRow } from '../../harness/break.ts';
import { useTill } from './till.ts';

const opened = useTill('midtrans');

long(
  'A payment whose order fails in the database is listed, and delays no later payments of the job',
  async () => {
    const { till } = opened;
    const orders = [];
    for (let i = 0; i < 7; i++) {
      const order = await till.newOrder();
      till.provider.pay(await till.opened(order.id));
      orders.push(order);
    }
    till.lose();
    const [broken, ...others] = orders;
    const mend = await breakRow(till.store, 'orders', broken?.id ?? 0);
    await till.later(150);
    await mend();
    for (const { id } of others) expect((await till.fixture.order(id)).status).toBe('completed');
    const [row] = await till.unexpected(broken?.id ?? 0);
    expect(row).toMatchObject({ reason: 'order_refused', status: 'open', amount: till.price });
    await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
    expect((await till.fixture.order(broken?.id ?? 0)).status).toBe('completed');
  },
);

describe('An answer about a payment', () => {
  const look = async (error: ProviderError) => {
    const { till } = opened;
    const { id } = await till.newOrder();
    await till.opened(id);
    const services = await till.store.services();
    const [gateway] = gatewaysOf(services.config);
    const { sessions, settings } = await new UnitOfWork(services.connection, undefined).query({
      sessions: findSessions(id),
      settings: findSettings(),
    });
    const [[session], [own]] = [sessions, settings];
    if (!gateway || !session || !own) throw new Error('There is nothing to ask about.');
    const lines: unknown[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    const failing: typeof gateway = {
      ...gateway,
      async look() {
        throw error;
      },
    };
    const { outbound: http } = services;
    const asking = { session, gateway: failing, settings: own, http };
    const asked = askProvider(asking, systemAccess(services));
    await expect(asked).rejects.toBe(error);
    log.mockRestore();
    return { session, lines };
  };

  test('that cannot be read is reported to the operator', async () => {
    const { session, lines } = await look(new ProviderError('unknown', 'unreadable_amount'));
    const line = { level: 'error', job: 'payments', session_id: session.id, gateway: 'midtrans' };
    expect(lines).toEqual([JSON.stringify({ ...line, error: 'unreadable_amount' })]);
  });

  test.each([new ProviderError('unknown', 'no_answer'), new ProviderError('temporary', '503')])(
    'that did not arrive is not reported: %s',
    async (error) => {
      expect((await look(error)).lines).toEqual([]);
    },
  );
});
